k=AKIA; echo "a = '${k}Q7RKZXWMTBVNL2SH'; b = '${k}B4VNL6SHD3YC5PGF'" > a.yml
