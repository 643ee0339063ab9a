echo theirs > n.txt
