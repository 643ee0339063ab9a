test "$(git branch --show-current)" = other
