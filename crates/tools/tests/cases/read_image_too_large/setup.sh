head -c 22000000 /dev/zero >> a.png
