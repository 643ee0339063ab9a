#!/usr/bin/env bash
find "$1" -type f | sed 's/.*\.//' | sort | uniq -c | awk '{ print $2, $1 }'
