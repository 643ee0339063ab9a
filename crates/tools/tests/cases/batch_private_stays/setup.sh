chmod 600 a.txt
