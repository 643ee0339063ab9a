test "$(git stash list)" = 'stash@{0}: On main: later'
