#!/usr/bin/env python3
"""PreToolUse, matcher Bash: tells the model to use better tools, as hooks for Claude Code do."""
import json
import re
import sys

RULES = [
    (r"^grep\b(?!.*\|)", "Use 'rg' (ripgrep) instead of 'grep'"),
    (r"^find\s+\S+\s+-name\b", "Use 'rg --files -g pattern' instead of 'find -name'"),
]


def main():
    try:
        data = json.load(sys.stdin)
    except json.JSONDecodeError as error:
        print(f"Error: Invalid JSON input: {error}", file=sys.stderr)
        sys.exit(1)
    if data.get("tool_name", "") != "Bash":
        sys.exit(0)
    command = data.get("tool_input", {}).get("command", "")
    issues = [message for pattern, message in RULES if re.search(pattern, command)]
    if issues:
        for message in issues:
            print(f"• {message}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
