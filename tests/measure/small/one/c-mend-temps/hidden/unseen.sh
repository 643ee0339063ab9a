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

rm -f ./temps
cc -o temps temps.c 2>&1 | sed 's/^/# /'
check "it compiles" 0 "${PIPESTATUS[0]}"
check "three temperatures" "count 3
highest 21.5
mean 20.0" "$(printf '18.5\n21.5\n20\n' | ./temps)"
check "below zero" "count 2
highest -2.0
mean -3.5" "$(printf '%s\n' -2 -5 | ./temps)"
check "just one" "count 1
highest 7.0
mean 7.0" "$(echo 7 | ./temps)"
check "none" "1 " "$(./temps </dev/null 2>/dev/null; echo "$? ")"
exit $failed
