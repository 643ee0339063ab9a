export GIT_AUTHOR_DATE='2024-01-02T03:04:05Z' GIT_COMMITTER_DATE='2024-01-02T03:04:05Z'
git init -q -b main
git config user.name Ann
git config user.email ann@example.org
git config commit.gpgsign false
git add .
git commit -qm 'Begin'
