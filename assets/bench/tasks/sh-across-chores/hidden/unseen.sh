#!/usr/bin/env bash
export CHORES=$PWD/unseen.tmp
trap 'rm -f "$CHORES" "$CHORES.new"' EXIT
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

c() { bash chores.sh "$@" 2>&1; }
content() { cat "$CHORES"; }
begin() { printf '%s\n' "$@" >"$CHORES"; }

rm -f "$CHORES"
check "add with rank" "1" "$(c add -@@LETTER@@ 7 "oil the hinges")"
check "add without rank" "2" "$(c add "wash up")"
check "lines of the file" "1|open:7|oil the hinges
2|open:@@MIDDLE@@|wash up" "$(content)"

begin '1|open|a' '2|open:9|b' '3|open:1|c' '4|done:1|d' '5|open:@@MIDDLE@@|e' '10|open:1|f'
check "list by rank and number" "3 [1] c
10 [1] f
1 [@@MIDDLE@@] a
5 [@@MIDDLE@@] e
2 [9] b" "$(c list)"
check "list of one rank" "3 [1] c
10 [1] f" "$(c list -@@LETTER@@ 1)"
check "list of the middle rank has the old ones" "1 [@@MIDDLE@@] a
5 [@@MIDDLE@@] e" "$(c list -@@LETTER@@ @@MIDDLE@@)"
check "list of a rank without chores" "" "$(c list -@@LETTER@@ 8)"
check "count" "open: 5
done: 1
rank 1: 2
rank @@MIDDLE@@: 2
rank 9: 1" "$(c count)"

c done 2
c done 1
check "done keeps the rank" "1|done:@@MIDDLE@@|a
2|done:9|b" "$(content | head -n 2)"
c undo 4
check "undo keeps the rank" "4|open:1|d" "$(content | sed -n 4p)"
check "other lines stay" "3|open:1|c
5|open:@@MIDDLE@@|e
10|open:1|f" "$(content | grep -e '^3' -e '^5' -e '^10')"

begin '1|open|a: b|c' '2|done|x|y' '3|open:2|p|open:4|q'
check "signs in the text" "3 [2] p|open:4|q
1 [@@MIDDLE@@] a: b|c" "$(c list)"
c done 3
check "signs in the text when done" "3|done:2|p|open:4|q" "$(content | tail -n 1)"
check "next number" "4" "$(c add -@@LETTER@@ 1 "z")"

begin '1|open|a'
bad=""
for rank in 0 10 x -1 2.5 ""; do
  c add -@@LETTER@@ "$rank" "no" >/dev/null
  bad="$bad $?"
done
check "bad ranks" " 64 64 64 64 64 64 1|open|a" "$bad $(content)"
check "usage of before" "64 64 64" "$(c add >/dev/null; echo $?) $(c add a b >/dev/null; echo $?) $(c list x >/dev/null; echo $?)"

rm -f "$CHORES"
check "nothing there" "open: 0
done: 0" "$(c list; c count)"
exit $failed
