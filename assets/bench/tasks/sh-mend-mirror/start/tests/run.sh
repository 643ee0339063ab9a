#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
place=$PWD/tests/tmp
rm -rf "$place"
mkdir -p "$place/from/2021/at the sea" "$place/to"
trap 'rm -rf "$place"' EXIT
number=0
failed=0

check() { # name, wanted, got
  number=$((number + 1))
  if [ "$2" = "$3" ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    printf '%s\n' "wanted:" "$2" "got:" "$3" | sed 's/^/# /'
    failed=1
  fi
}

echo one >"$place/from/a.@@EXT@@"
check "plain name" "@@LOG@@: a.@@EXT@@
1 @@LOG@@, 0 there already" "$(bash bin/mirror.sh "$place/from" "$place/to" 2>&1)"

echo two >"$place/from/2021/at the sea/b 1.@@EXT@@"
check "names with spaces" "@@LOG@@: 2021/at the sea/b 1.@@EXT@@
1 @@LOG@@, 1 there already" "$(bash bin/mirror.sh "$place/from" "$place/to" 2>&1)"
check "content" "two" "$(cat "$place/to/2021/at the sea/b 1.@@EXT@@" 2>&1)"
exit $failed
