echo secret > ../s; ln -s ../s ln
