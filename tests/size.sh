#!/usr/bin/env bash
# Counts the lines of the product, comments included: every Rust file but tests, benchmarks and examples, each up to its own
# tests. With `--crates` a line for each crate.
set -euo pipefail
cd "$(dirname "$0")/.."

count() {
  git ls-files -z -- "$@" | grep -zv -E '(^|/)(tests|benches|examples)/|(^|/)tests\.rs$' \
    | xargs -0 awk 'FNR == 1 { ours = 1; held = 0 }
      /^#\[cfg\(test\)\]$/ { held = 1; next }
      held && /^(pub\(crate\) )?mod [a-z_]+ \{$/ { ours = 0 }
      held && /^(pub\(crate\) )?mod [a-z_]+;$/ { held = 0; next }
      ours { lines += 1 + held; held = 0 }
      END { print lines + 0 }'
}

if [ "${1:-}" = --crates ]; then
  for folder in crates/*/; do
    printf '%-12s %s\n' "$(basename "$folder")" "$(count "${folder}*.rs")"
  done
fi
printf '%-12s %s\n' all "$(count 'crates/*.rs')"
