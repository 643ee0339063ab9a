test "$(git branch --format='%(refname:short)')" = 'feature/x
main'
