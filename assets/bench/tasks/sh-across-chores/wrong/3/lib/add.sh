# add [-@@LETTER@@ RANK] TEXT
add() {
  local number rank=$usual_rank
  if [ "${1:-}" = "-@@LETTER@@" ] && [ $# -gt 1 ]; then
    rank=$2
    shift 2
  fi
  [ $# -eq 1 ] && [ -n "$1" ] || usage
  [ "$rank" -ge 1 ] && [ "$rank" -le 9 ] || { echo "chores.sh: bad rank" >&2; return 1; }
  number=$(next_number)
  put "$number" open "$1" "$rank" >>"$file"
  echo "$number"
}
