#!/usr/bin/env python3
"""PreToolUse, matcher Edit|MultiEdit|Write: keeps some files as they are."""
import json
import os
import sys

PROTECTED = [".env", "package-lock.json", ".git/"]

data = json.load(sys.stdin)
path = data.get("tool_input", {}).get("file_path", "")
inside = os.path.relpath(path, os.environ["CLAUDE_PROJECT_DIR"])
hit = next((pattern for pattern in PROTECTED if pattern in inside), None)
if hit:
    output = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": f"{inside} is protected ({hit})",
        }
    }
    print(json.dumps(output))
sys.exit(0)
