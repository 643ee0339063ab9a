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

rm -f ./steps
cc -o steps steps.c 2>&1 | sed 's/^/# /'
check "it compiles" 0 "${PIPESTATUS[0]}"
check "three days" "sum 9000
best 4000" "$(printf '%s\n' 2000 4000 3000 | ./steps)"
check "a full week" "sum 28
best 7" "$(seq 1 7 | ./steps)"
check "only the last week counts" "sum 28
best 7" "$(printf '%s\n' 100 200 7 6 5 4 3 2 1 | ./steps)"
check "no days" "sum 0
best 0" "$(./steps </dev/null)"
exit $failed
