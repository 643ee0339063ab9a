test "$(git log -1 --format=%B)" = 'Say more

And why'
