echo S > ../s; rm a.txt; ln -s ../s a.txt
