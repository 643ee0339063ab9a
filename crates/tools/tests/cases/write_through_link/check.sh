test -L ln
