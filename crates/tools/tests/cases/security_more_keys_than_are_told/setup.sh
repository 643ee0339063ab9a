k=AKIA
for a in 2 3; do for b in 2 3 4 5 6 7; do for c in 2 3 4 5 6 7; do
    echo "a = '${k}Q7RKZXWMTBVNA$a$b$c'"
done; done; done > a.yml
