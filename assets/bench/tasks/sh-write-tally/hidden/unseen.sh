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

place=$PWD/unseen.d
mkdir -p "$place"
trap 'rm -rf "$place"' EXIT

cat >"$place/costs" <<'END'
@@COMMENT@@ the year
2022-08-01 10.10 nails

2022-08-03  0.20 tar
   @@COMMENT@@ 2022-08-04 99 nails
2022-09-09 3 oakum
2023-08-30   2.90  tar
2023-08-31 -4 glue
2023-10-08 3.00 hemp
END

check "file and order" "nails 10.10
tar 3.10
hemp 3.00
oakum 3.00
glue -4.00
@@TOTAL@@ 15.20" "$(bash tally.sh "$place/costs")"

check "from a pipe" "hemp 3.00
@@TOTAL@@ 3.00" "$(grep hemp "$place/costs" | bash tally.sh)"

check "month without zero" "nails 10.10
tar 3.10
glue -4.00
@@TOTAL@@ 9.20" "$(bash tally.sh -m 8 "$place/costs")"
check "month with zero" "oakum 3.00
@@TOTAL@@ 3.00" "$(bash tally.sh -m 09 "$place/costs")"
check "month of two digits" "hemp 3.00
@@TOTAL@@ 3.00" "$(bash tally.sh -m 10 "$place/costs")"
check "month without costs" "@@TOTAL@@ 0.00" "$(bash tally.sh -m 1 "$place/costs")"
check "nothing at all" "@@TOTAL@@ 0.00" "$(bash tally.sh </dev/null)"

many=$(for i in $(seq 1 100); do echo "2023-01-0$((i % 9 + 1)) 0.1 wax"; done)
check "cents" "wax 10.00
@@TOTAL@@ 10.00" "$(bash tally.sh <<<"$many")"
check "sizes are compared as numbers" "b 100.00
c 20.00
a 3.00
@@TOTAL@@ 123.00" "$(printf '2023-01-01 %s\n' '3 a' '100 b' '20 c' | bash tally.sh)"
check "sum of nothing" "x 0.00
@@TOTAL@@ 0.00" "$(printf '2023-01-01 %s\n' '-0.3 x' '0.1 x' '0.2 x' | bash tally.sh)"

out=$(printf '%s\n' '2023-01-01 5 tin' '' '2023-01-02 1,5 tin' | bash tally.sh 2>"$place/error")
check "bad amount" "2  tally.sh: line 3: bad line" "$? $out $(cat "$place/error")"
out=$(printf '%s\n' '2023-01-01 5 tin' '2023-02-02 7' | bash tally.sh -m 1 2>"$place/error")
check "too few words" "2  tally.sh: line 2: bad line" "$? $out $(cat "$place/error")"

out=$(bash tally.sh "$place/none" 2>/dev/null)
check "no such file" "1 " "$? $out"

mkdir "$place/my costs" && cp "$place/costs" "$place/my costs/of may"
check "name with spaces" "@@TOTAL@@ 15.20" "$(bash tally.sh "$place/my costs/of may" | tail -n 1)"
exit $failed
