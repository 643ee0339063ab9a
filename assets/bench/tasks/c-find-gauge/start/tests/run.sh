#!/usr/bin/env bash
cd "$(dirname "$0")/.." || exit 1
gcc -std=c99 -Wall -Wextra -Isrc -o tests/test_station tests/test_station.c $(ls src/*.c | grep -v '/main.c$') &&
  tests/test_station
