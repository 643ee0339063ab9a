# The file of the chores: number|state|text

# each FUNCTION: calls the function with number, state and text of each chore
each() {
  local number state text
  [ -f "$file" ] || return 0
  while IFS= read -r line; do
    number=${line%%|*}
    line=${line#*|}
    state=${line%%|*}
    text=${line#*|}
    "$1" "$number" "$state" "$text"
  done <"$file"
}

# put NUMBER STATE TEXT: one line of the file
put() {
  printf '%s|%s|%s\n' "$1" "$2" "$3"
}

next_number() {
  local last=0
  see() { [ "$1" -gt "$last" ] && last=$1; }
  each see
  echo $((last + 1))
}
