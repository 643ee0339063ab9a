#!/usr/bin/env bash
# Prints the lines that are in a file more than once, with their counts.
set -eu
export LC_ALL=C

sort "$1" | uniq -cd | sort -k1,1nr -k2 | sed -E 's/^ *([0-9]+) /\1@@BETWEEN@@/'
