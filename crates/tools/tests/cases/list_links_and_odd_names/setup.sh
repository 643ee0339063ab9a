ln -s a.txt ln; mkdir d; ln -s .. d/up; ln -s ../gone dangling; touch "$(printf 'x\ny\033[31m')"
