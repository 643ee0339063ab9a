#!/usr/bin/env bash
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

place=$PWD/unseen-place
mkdir -p "$place"
trap 'rm -rf "$place"' EXIT

fill() { # folder, names
  mkdir "$place/$1"
  local folder=$place/$1
  shift
  for name in "$@"; do
    : >"$folder/$name"
  done
}

fill two a.txt b.md c.txt d.txt
check "two endings" "md 1
txt 3" "$(bash endings.sh "$place/two")"

fill dots a.tar.gz b.gz c.tar
check "only the last dot counts" "gz 2
tar 1" "$(bash endings.sh "$place/dots")"

fill bare a.txt Makefile LICENSE z.txt
check "without an ending" "@@NONE@@ 2
txt 2" "$(bash endings.sh "$place/bare")"

fill deep a.txt
mkdir "$place/deep/inside.txt" && : >"$place/deep/inside.txt/b.md"
check "folders inside do not count" "txt 1" "$(bash endings.sh "$place/deep")"

fill spaces "my notes.txt" "a b c.md" x.md
check "name with a space" "md 2
txt 1" "$(bash endings.sh "$place/spaces")"
exit $failed
