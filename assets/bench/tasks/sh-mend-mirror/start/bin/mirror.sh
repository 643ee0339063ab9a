#!/usr/bin/env bash
# mirror.sh SOURCE TARGET: see README.md
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib/files.sh"

if [ $# -ne 2 ]; then
  echo "usage: mirror.sh SOURCE TARGET" >&2
  exit 64
fi

count=0
there=0
for name in $(names_below "$1"); do
  if is_there "$2" $name; then
    there=$((there + 1))
  else
    copy "$1" "$2" $name || exit 1
    echo "@@LOG@@: $name"
    count=$((count + 1))
  fi
done
echo "$count @@LOG@@, $there there already"
