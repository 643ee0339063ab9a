printf 'zero\none\ntotal = sum(items)\nthree\n' > a.txt
