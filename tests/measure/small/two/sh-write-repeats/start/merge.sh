#!/usr/bin/env bash
# Prints the lines of all lists, sorted, without empty ones.
set -eu

if [ $# -eq 0 ]; then
  echo "usage: merge.sh FILE..." >&2
  exit 2
fi

for list in "$@"; do
  grep -v '^$' "$list" || true
done | LC_ALL=C sort
