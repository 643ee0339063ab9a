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

place=$PWD/unseen-place
mkdir -p "$place"
trap 'rm -rf "$place"' EXIT
list() {
  printf '%s\n' "$@" >"$place/my list"
  bash repeats.sh "$place/my list"
}

check "two lines more than once" "3@@BETWEEN@@milk
2@@BETWEEN@@tea" "$(list tea milk milk rice tea milk)"

check "equal counts by alphabet" "2@@BETWEEN@@apples
2@@BETWEEN@@leeks
2@@BETWEEN@@tea" "$(list tea leeks apples apples leeks tea)"

check "numbers are compared as numbers" "10@@BETWEEN@@salt
9@@BETWEEN@@rice" "$(list salt salt salt salt salt salt salt salt salt salt rice rice rice rice rice rice rice rice rice)"

check "lines of several words" "3@@BETWEEN@@brown bread
2@@BETWEEN@@white bread rolls" "$(list 'brown bread' 'white bread rolls' 'brown bread' 'white bread rolls' 'brown bread' 'brown')"

check "lines that stand apart" "2@@BETWEEN@@milk" "$(list milk tea rice salt milk)"
exit $failed
