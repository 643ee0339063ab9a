# set_state NUMBER STATE
set_state() {
  local wanted=$1 new=$2 found=no
  change() {
    if [ "$1" = "$wanted" ]; then
      found=yes
      put "$1" "$new" "$3" "$4"
    else
      put "$1" "$2" "$3" "$4"
    fi
  }
  each change >"$file.new"
  if [ $found = no ]; then
    rm -f "$file.new"
    echo "chores.sh: there is no chore $wanted" >&2
    return 1
  fi
  mv "$file.new" "$file"
}
