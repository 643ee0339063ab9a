test "$(cat ../n.txt)" = new
