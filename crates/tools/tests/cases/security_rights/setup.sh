chmod 666 a.txt b.txt
chmod 644 c.txt
chmod 4755 run
