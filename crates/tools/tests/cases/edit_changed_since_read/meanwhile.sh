printf 'zero\none\ntotal = sum(all_items)\nthree\n' > a.txt
