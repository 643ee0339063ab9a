#!/usr/bin/env bash
# Stop: the work is not over before there is a report, but nobody is asked twice.
input=$(cat)
case $input in
*'"stop_hook_active":true'*) exit 0 ;;
esac
if [ ! -f report.txt ]; then
    echo "write report.txt before you stop" >&2
    exit 2
fi
