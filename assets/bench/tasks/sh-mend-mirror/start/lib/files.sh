# What mirror.sh does with files.
export LC_ALL=C

# names_below FOLDER: the path of each file below the folder, sorted
names_below() {
  (cd "$1" && find . -name '*.@@EXT@@' -type f | sed 's,^\./,,' | sort)
}

# is_there FOLDER NAME
is_there() {
  [ -e $1/$2 ]
}

# copy SOURCE TARGET NAME
copy() {
  mkdir -p $2/$(dirname $3) && cp $1/$3 $2/$3
}
