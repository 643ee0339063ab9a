mkdir -p ../user
echo '- tabs' > ../user/memory.md
