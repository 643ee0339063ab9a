#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
export CHORES=$PWD/tests/chores.tmp
rm -f "$CHORES"
trap 'rm -f "$CHORES"' EXIT
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

check "add tells the number" "1" "$(bash chores.sh add "chop wood")"
bash chores.sh add "mend the gate" >/dev/null
bash chores.sh done 1
check "only open ones are listed" "2" "$(bash chores.sh list | cut -d ' ' -f 1)"
check "count" "open: 1
done: 1" "$(bash chores.sh count | head -n 2)"
bash chores.sh undo 1
check "undo" "2" "$(bash chores.sh list | wc -l | tr -d ' ')"
check "no such chore" "1" "$(bash chores.sh done 7 2>/dev/null; echo $?)"
exit $failed
