# The file of the chores: number|state:rank|text; before there were ranks: number|state|text

usual_rank=@@MIDDLE@@

is_rank() {
  case $1 in
    [1-9]) return 0 ;;
    *) return 1 ;;
  esac
}

# each FUNCTION: calls the function with number, state, text and rank of each chore
each() {
  local number state text rank
  [ -f "$file" ] || return 0
  while IFS= read -r line; do
    number=${line%%|*}
    line=${line#*|}
    state=${line%%|*}
    text=${line#*|}
    rank=$usual_rank
    case $state in
      *:*)
        rank=${state#*:}
        state=${state%%:*}
        ;;
    esac
    "$1" "$number" "$state" "$text" "$rank"
  done <"$file"
}

# put NUMBER STATE TEXT RANK: one line of the file
put() {
  printf '%s|%s:%s|%s\n' "$1" "$2" "$4" "$3"
}

next_number() {
  local last=0
  see() { [ "$1" -gt "$last" ] && last=$1; }
  each see
  echo $((last + 1))
}
