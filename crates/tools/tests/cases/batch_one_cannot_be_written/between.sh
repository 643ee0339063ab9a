echo other > ro/x.txt
