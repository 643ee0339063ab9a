#!/bin/sh
# Checks total.sh against lists whose totals are known.
# Usage: sh test.sh

cd "$(dirname "$0")" || exit 1
checks=0
failed=0

check() {
    checks=$((checks + 1))
    found=$(sh total.sh "lists/$1.txt")
    if [ "$found" = "$2" ]; then
        echo "ok    $1: $found"
    else
        failed=$((failed + 1))
        echo "FAIL  $1: expected $2, found $found"
    fi
}

check nothing 0
check basics 628
check party 4470

if [ "$failed" -gt 0 ]; then
    echo "$failed of $checks checks failed"
    exit 1
fi
echo "all $checks checks passed"
