export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE='2026-01-31T12:00:00Z' GIT_COMMITTER_DATE='2026-01-31T12:00:00Z'
git -c init.defaultBranch=main init -q
git add app.py
git -c user.name=Ann -c user.email=ann@example.com commit -qm 'Say hi'
