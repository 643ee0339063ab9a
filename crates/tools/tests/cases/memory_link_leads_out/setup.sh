mkdir .agent
echo '- old' > ../elsewhere.md
ln -s ../../elsewhere.md .agent/memory.md
