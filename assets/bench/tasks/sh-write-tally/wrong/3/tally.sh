#!/usr/bin/env bash
# Adds up the costs; see README.md.
export LC_ALL=C

month=0
while getopts m: option; do
  case $option in
    m) month=$((10#$OPTARG)) ;;
    *) exit 64 ;;
  esac
done
shift $((OPTIND - 1))

if [ $# -gt 0 ]; then
  exec <"$1" || exit 1
fi

sums=$(awk -v month="$month" '
  /^[ \t]*$/ || /^[ \t]*@@COMMENT@@/ { next }
  NF < 3 || $2 !~ /^-?[0-9]+(\.[0-9]+)?$/ {
    print "tally.sh: line " NR ": bad line" > "/dev/stderr"
    bad = 1
    next
  }
  {
    split($1, date, "-")
    if (month && date[2] + 0 != month) next
    cents = $2 * 100
    cents = int(cents + (cents < 0 ? -0.5 : 0.5))
    sum[$3] += cents
  }
  END { for (word in sum) printf "%d %s\n", sum[word], word }
') || exit 2

printf '%s' "$sums" | sort -k1,1nr -k2,2 | awk '
  function money(cents) { return sprintf("%s%d.%02d", cents < 0 ? "-" : "", (cents < 0 ? -cents : cents) / 100, (cents < 0 ? -cents : cents) % 100) }
  { total += $1; print $2 " " money($1) }
  END { print "@@TOTAL@@ " money(total) }
'
