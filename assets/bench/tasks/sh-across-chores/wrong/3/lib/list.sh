# list [-@@LETTER@@ RANK]: the open chores
list() {
  local only=""
  if [ "${1:-}" = "-@@LETTER@@" ] && [ $# -gt 1 ]; then
    is_rank "$2" || usage
    only=$2
    shift 2
  fi
  [ $# -eq 0 ] || usage
  show() {
    [ "$2" = open ] && [ "${only:-$4}" = "$4" ] && printf '%s %s [%s] %s\n' "$4" "$1" "$4" "$3"
  }
  each show | sort -k1,2 | cut -d ' ' -f 2-
}
