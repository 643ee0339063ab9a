# count: how many are open and done, and how many are open of each rank
count() {
  local open=0 finished=0 rank ranks=(0 0 0 0 0 0 0 0 0 0)
  tally() {
    case $2 in
      open)
        open=$((open + 1))
        ranks[$4]=$((ranks[$4] + 1))
        ;;
      done) finished=$((finished + 1)) ;;
    esac
  }
  each tally
  echo "open: $open"
  echo "done: $finished"
  for rank in 1 2 3 4 5 6 7 8 9; do
    [ "${ranks[rank]}" -eq 0 ] || echo "rank $rank: ${ranks[rank]}"
  done
}
