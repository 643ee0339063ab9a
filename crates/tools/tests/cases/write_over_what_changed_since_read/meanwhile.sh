echo three >> a.txt
