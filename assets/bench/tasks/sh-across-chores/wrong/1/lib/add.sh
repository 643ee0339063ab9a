# add [-@@LETTER@@ RANK] TEXT
add() {
  local number rank=$usual_rank
  if [ "${1:-}" = "-@@LETTER@@" ] && [ $# -gt 1 ]; then
    rank=$2
    shift 2
  fi
  [ $# -eq 1 ] && [ -n "$1" ] && is_rank "$rank" || usage
  number=$(next_number)
  put "$number" open "$1" "$rank" >>"$file"
  echo "$number"
}
