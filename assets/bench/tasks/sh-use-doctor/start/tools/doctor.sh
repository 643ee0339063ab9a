#!/usr/bin/env bash
# Looks whether the services fit together.
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
total=2048

value() { # FILE KEY
  sed -n "s/^$2=//p" "$1"
}

names() {
  for file in services/*.conf; do
    basename "$file" .conf
  done
}

free_port() {
  local port=8081
  while grep -qx "port=$port" services/*.conf; do
    port=$((port + 1))
  done
  echo "$port"
}

check_ports() {
  local name port holder seen=" "
  # Who has been here for longer keeps its port; the mail came last.
  for name in $(names | grep -vx mail) mail; do
    port=$(value "services/$name.conf" port)
    case $seen in
      *" $port:"*)
        holder=${seen#*" $port:"}
        echo "$name: port $port is that of ${holder%% *}; give it $(free_port)"
        return 1
        ;;
    esac
    seen="$seen$port:$name "
  done
}

check_order() {
  local name after
  for name in $(names); do
    after=$(value "services/$name.conf" after)
    if [ -n "$after" ] && [ ! -f "services/$after.conf" ]; then
      echo "$name: comes after $after, which is no service; there are: $(names | tr '\n' ' ')"
      return 1
    fi
  done
}

check_memory() {
  local name sum=0 most=0 greedy="" memory
  for name in $(names); do
    memory=$(value "services/$name.conf" memory)
    sum=$((sum + memory))
    if [ "$memory" -gt "$most" ]; then
      most=$memory
      greedy=$name
    fi
  done
  if [ "$sum" -gt "$total" ]; then
    echo "memory: $((sum - total)) MB too much in all; bring that of $greedy down to $((most - sum + total))"
    return 1
  fi
}

check_lock() {
  local name sum bad=0
  for name in $(names); do
    sum=$(cksum <"services/$name.conf" | awk '{ print $1 " " $2 }')
    if ! grep -qx "$name $sum" services.lock; then
      echo "services.lock: the line of $name has to be: $name $sum"
      bad=1
    fi
  done
  while read -r name _; do
    if [ ! -f "services/$name.conf" ]; then
      echo "services.lock: $name is gone, take its line out"
      bad=1
    fi
  done <services.lock
  return $bad
}

for check in check_ports check_order check_memory check_lock; do
  $check || exit 1
done
echo healthy
