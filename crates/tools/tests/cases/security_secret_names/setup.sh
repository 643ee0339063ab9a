git -c init.defaultBranch=main init -q
