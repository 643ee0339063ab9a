name=$(printf "b\\377\\nc")
echo odd > "$name"
