echo theirs > ../a.txt; mv d e; ln -s .. d
