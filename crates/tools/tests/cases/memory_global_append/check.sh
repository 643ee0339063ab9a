grep -qx -- '- tabs' ../user/memory.md
grep -qx -- '- write short answers' ../user/memory.md
