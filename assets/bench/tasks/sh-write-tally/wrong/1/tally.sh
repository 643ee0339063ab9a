#!/usr/bin/env bash
# Adds up the costs; see README.md.
month=""
if [ "$1" = "-m" ]; then
  month=$(printf '%02d' "$2")
  shift 2
fi
file=${1:-/dev/stdin}
[ -r "$file" ] || { echo "tally.sh: cannot read $file" >&2; exit 1; }
lines=$(grep -v '^ *@@COMMENT@@' "$file" | grep -v '^ *$')
n=0
while read -r date amount word; do
  n=$((n + 1))
  [ -z "$date" ] && continue
  if [ -z "$word" ] || ! [[ $amount =~ ^-?[0-9]+(\.[0-9]+)?$ ]]; then
    echo "tally.sh: line $n: bad line" >&2
    exit 2
  fi
done <<<"$lines"
echo "$lines" | awk -v m="$month" 'NF { split($1, d, "-"); if (m == "" || d[2] == m) { s[$3] += $2; t += $2 } }
  END { for (w in s) printf "%s %.2f\n", w, s[w] | "sort -k2,2nr -k1,1"; close("sort -k2,2nr -k1,1"); printf "@@TOTAL@@ %.2f\n", t }'
