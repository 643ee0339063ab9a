#!/usr/bin/env bash
# The chores of the @@HOUSE@@; see README.md.
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C
file=${CHORES:-chores.txt}

source "$here/lib/file.sh"
source "$here/lib/add.sh"
source "$here/lib/list.sh"
source "$here/lib/state.sh"
source "$here/lib/count.sh"

usage() {
  echo "usage: chores.sh add TEXT | list | done NUMBER | undo NUMBER | count" >&2
  exit 64
}

command=${1:-}
shift
case $command in
  add) add "$@" ;;
  list) list "$@" ;;
  done) set_state "${1:-}" done ;;
  undo) set_state "${1:-}" open ;;
  count) count ;;
  *) usage ;;
esac
