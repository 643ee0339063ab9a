#!/usr/bin/env bash
place=$PWD/unseen.d
rm -rf "$place"
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

fresh() {
  rm -rf "$place"
  mkdir -p "$place/from" "$place/to"
}

mirror() {
  bash bin/mirror.sh "$place/from" "$place/to" 2>&1
}

fresh
mkdir -p "$place/from/x/y" "$place/from/none"
echo 1 >"$place/from/x/y/p.@@EXT@@"
echo 2 >"$place/from/x/q.@@EXT@@"
echo 3 >"$place/from/none/r.txt"
check "plain files below" "@@LOG@@: x/q.@@EXT@@
@@LOG@@: x/y/p.@@EXT@@
2 @@LOG@@, 0 there already" "$(mirror)"
check "no folders without need" "x" "$(ls "$place/to")"
echo changed >"$place/to/x/q.@@EXT@@"
check "second time" "0 @@LOG@@, 2 there already" "$(mirror)"
check "nothing is overwritten" "changed" "$(cat "$place/to/x/q.@@EXT@@")"

fresh
check "empty source" "0 @@LOG@@, 0 there already" "$(mirror)"

fresh
mkdir -p "$place/from/two  spaces/ edge "
echo 5 >"$place/from/two  spaces/ edge / a  b .@@EXT@@"
check "runs of spaces and spaces at the edge" "@@LOG@@: two  spaces/ edge / a  b .@@EXT@@
1 @@LOG@@, 0 there already" "$(mirror)"
check "and their content" "5" "$(cat "$place/to/two  spaces/ edge / a  b .@@EXT@@" 2>&1)"

fresh
echo 6 >"$place/from/  lead.@@EXT@@"
check "space in front" "@@LOG@@:   lead.@@EXT@@
1 @@LOG@@, 0 there already" "$(mirror)"

fresh
echo 7 >"$place/from/a.@@EXT@@"
echo 8 >"$place/from/[ab]*.@@EXT@@"
check "signs of the shell" "@@LOG@@: [ab]*.@@EXT@@
@@LOG@@: a.@@EXT@@
2 @@LOG@@, 0 there already" "$(mirror)"
check "each with its content" "7 8" "$(cat "$place/to/a.@@EXT@@") $(cat "$place/to/[ab]*.@@EXT@@")"

fresh
mkdir "$place/from/c\\d"
echo 9 >"$place/from/c\\d/e\\n.@@EXT@@"
check "backslash" '@@LOG@@: c\d/e\n.@@EXT@@
1 @@LOG@@, 0 there already' "$(mirror)"

fresh
mkdir "$place/from/-v"
echo 10 >"$place/from/-v/-n.@@EXT@@"
echo 11 >"$place/from/-rf.@@EXT@@"
check "dash in front" "@@LOG@@: -rf.@@EXT@@
@@LOG@@: -v/-n.@@EXT@@
2 @@LOG@@, 0 there already" "$(mirror)"

fresh
mv "$place/from" "$place/from here"
mkdir "$place/from here/k"
echo 12 >"$place/from here/k/l.@@EXT@@"
check "folders with spaces" "@@LOG@@: k/l.@@EXT@@
1 @@LOG@@, 0 there already 12" "$(bash bin/mirror.sh "$place/from here" "$place/to here" 2>&1) $(cat "$place/to here/k/l.@@EXT@@" 2>&1)"

mkdir "$place/from"
check "usage" "64" "$(bash bin/mirror.sh "$place/from" 2>/dev/null; echo $?)"
exit $failed
