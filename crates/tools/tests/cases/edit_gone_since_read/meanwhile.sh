echo something else > a.txt
