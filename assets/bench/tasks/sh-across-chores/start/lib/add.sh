# add TEXT
add() {
  [ $# -eq 1 ] && [ -n "$1" ] || usage
  local number
  number=$(next_number)
  put "$number" open "$1" >>"$file"
  echo "$number"
}
