ln -s a.txt ln
