#!/usr/bin/env bash
# Prints the newest file in a folder.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: newest.sh FOLDER" >&2
  exit 2
fi

newest=""
for file in "$1"/*; do
  [ -f "$file" ] || continue
  if [ -z "$newest" ] || [ "$file" -nt "$newest" ]; then
    newest=$file
  fi
done
echo "${newest##*/}"
