# count: how many are open and done
count() {
  local open=0 finished=0
  tally() {
    case $2 in
      open) open=$((open + 1)) ;;
      done) finished=$((finished + 1)) ;;
    esac
  }
  each tally
  echo "open: $open"
  echo "done: $finished"
}
