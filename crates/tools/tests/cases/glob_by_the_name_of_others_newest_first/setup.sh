touch -d 2001-01-01 a.txt; touch -d 2003-01-01 b.txt; touch -d 2002-01-01 c.txt
