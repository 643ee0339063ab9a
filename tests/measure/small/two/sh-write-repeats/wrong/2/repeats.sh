#!/usr/bin/env bash
sort "$1" | uniq -c | sort -rn | awk '$1 > 1 { print $1 "@@BETWEEN@@" $2 }'
