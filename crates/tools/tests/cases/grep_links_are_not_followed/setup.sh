echo total > ../out.txt; ln -s ../out.txt ln; ln -s .. up
