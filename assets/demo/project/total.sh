#!/bin/sh
# Prints what a shopping list costs, in cents.
# Usage: sh total.sh LIST

sum=0
while read -r quantity price item; do
    case "$quantity" in
        '' | '#'*) continue ;;
    esac
    sum=$((sum + price))
done <"$1"
echo "$sum"
