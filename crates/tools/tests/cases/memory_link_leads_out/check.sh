grep -qx -- '- the tests run with make check' ../elsewhere.md
