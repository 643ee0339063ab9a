printf "outside\n" > ../b.txt
