mkfifo p
