# list: the open chores
list() {
  [ $# -eq 0 ] || usage
  show() {
    [ "$2" = open ] && printf '%s %s\n' "$1" "$3"
  }
  each show | sort -n -k1,1
}
