#!/bin/bash
# PostToolUse, matcher Edit|Write: tells the model what is wrong with a file it wrote.
file=$(sed -n 's/.*"file_path":"\([^"]*\)".*/\1/p')
if grep -q $'\t' "$file"; then
    echo "$(basename "$file"): use spaces, not tabs" >&2
    exit 2
fi
