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
while IFS= read -r name; do
  if is_there "$2" "$name"; then
    there=$((there + 1))
  else
    copy "$1" "$2" "$name" || exit 1
    printf '%s\n' "@@LOG@@: $name"
    count=$((count + 1))
  fi
done < <(names_below "$1")
echo "$count @@LOG@@, $there there already"
