#!/usr/bin/env bash
# Counts the files in a folder by their ending.
set -eu

for file in "$1"/*; do
  [ -f "$file" ] || continue
  name=${file##*/}
  case $name in
    *.*) echo "${name##*.}" ;;
    *) echo "@@NONE@@" ;;
  esac
done | sort | uniq -c | awk '{ print $2, $1 }'
