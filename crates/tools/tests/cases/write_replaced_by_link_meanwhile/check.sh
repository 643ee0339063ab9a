test "$(cat ../s)" = S
