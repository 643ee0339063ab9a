ln -s a.txt link
