test -L ln; test "$(cat ../new)" = new
