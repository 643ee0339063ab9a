#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
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

costs='2023-04-02  12.50  rope
2023-04-09   8     paint
2023-05-01  -2.5   rope'

check "three costs" "rope 10.00
paint 8.00
@@TOTAL@@ 18.00" "$(bash tally.sh <<<"$costs")"

check "one month" "rope 12.50
paint 8.00
@@TOTAL@@ 20.50" "$(bash tally.sh -m 4 <<<"$costs")"

exit $failed
