#!/usr/bin/env bash
uniq -cd "$1" | sort -k1,1nr -k2 | sed -E 's/^ *([0-9]+) /\1@@BETWEEN@@/'
