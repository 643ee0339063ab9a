test "$(git status --short)" = 'M  a.txt
M  src/b.txt
?? c.txt'
