#!/usr/bin/env python3
"""PreToolUse, matcher Read: wants documentation to be read without a question."""
import json
import sys

data = json.load(sys.stdin)
if data.get("tool_name") == "Read" and data["tool_input"].get("file_path", "").endswith((".md", ".txt")):
    print(json.dumps({"decision": "approve", "reason": "Documentation file auto-approved", "suppressOutput": True}))
