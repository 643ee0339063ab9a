mkdir d; i=100; while [ $i -lt 160 ]; do : > d/file_$i.txt; i=$((i+1)); done
