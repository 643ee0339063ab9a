#!/bin/bash
# PostToolUse, matcher Bash: keeps what was run.
input=$(cat)
mkdir -p "$CLAUDE_PROJECT_DIR/log"
printf '%s\n' "$input" | sed -n 's/.*"command":"\([^"]*\)".*/\1/p' >> "$CLAUDE_PROJECT_DIR/log/commands.txt"
exit 0
