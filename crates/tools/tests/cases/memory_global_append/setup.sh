mkdir ../user
echo '- tabs' > ../user/memory.md
