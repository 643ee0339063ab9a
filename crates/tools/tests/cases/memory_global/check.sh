grep -qx -- '- write short answers' ../user/memory.md
test ! -e .agent
