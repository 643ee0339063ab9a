#!/usr/bin/env python3
"""PreToolUse, matcher Bash: has publishing tried first."""
import json
import sys

data = json.load(sys.stdin)
command = data["tool_input"]["command"]
if command.startswith("npm publish") and "--dry-run" not in command:
    changed = {**data["tool_input"], "command": command + " --dry-run"}
    print(
        json.dumps(
            {
                "systemMessage": "publishing is tried first",
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "allow",
                    "updatedInput": changed,
                },
            }
        )
    )
