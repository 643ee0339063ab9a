#!/usr/bin/env bash
for name in $(ls "$1"); do
  case $name in
    *.*) echo "${name#*.}" ;;
    *) echo "@@NONE@@" ;;
  esac
done | sort | uniq -c | awk '{ print $2 " " $1 }'
