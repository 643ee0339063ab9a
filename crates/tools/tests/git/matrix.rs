//! The table: ways to plant a program in a repository, and commands that may run it. `{E}` is the program, `{C}` the one
//! that passes on what it reads, `{R}` the folder around the repository.

/// A way to plant a program.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) setup: &'static str,
    pub(crate) commands: &'static [&'static str],
}

pub(crate) const CASES: &[Case] = &[
    Case {
        name: "core.fsmonitor",
        setup: "git config core.fsmonitor {E}",
        commands: &[
            "git status",
            "git status --short",
            "git diff",
            "git diff --stat",
            "git diff HEAD",
            "git ls-files -m",
            "git log -1",
            "git show --stat",
            "git branch --list",
            "git remote -v",
            "git rev-parse HEAD",
            "git describe --dirty --always",
            "git show-ref",
            "git stash list",
            "git grep b",
            "git blame a.txt",
            "git add a.txt",
        ],
    },
    Case {
        name: "diff.external",
        setup: "git config diff.external {E}",
        commands: &[
            "git diff",
            "git diff --stat",
            "git show",
            "git log -p -1",
            "git log --ext-diff -p -1",
            "git stash show -p",
        ],
    },
    Case {
        name: "diff.<d>.textconv",
        setup: r#"git config diff.x.textconv {C}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes; "#,
        commands: &[
            "git diff",
            "git show HEAD~1",
            "git log -p",
            "git log --stat",
            "git blame b.bin",
            "git grep b",
            "git grep --textconv b",
            "git cat-file --textconv HEAD:b.bin",
        ],
    },
    Case {
        name: "diff.<d>.command",
        setup: r#"git config diff.x.command {E}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes; "#,
        commands: &["git diff", "git show", "git log -p"],
    },
    Case {
        name: "filter.<f>.clean",
        setup: r#"git config filter.x.clean {C}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes;  git checkout -q a.txt; touch -d @1 a.txt"#,
        commands: &["git status", "git diff", "git blame a.txt", "git ls-files -m"],
    },
    Case {
        name: "filter.<f>.clean (modified)",
        setup: r#"git config filter.x.clean {C}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes; "#,
        commands: &["git status", "git diff", "git blame a.txt", "git stash list"],
    },
    Case {
        name: "filter.<f>.process",
        setup: r#"git config filter.x.process {E}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes; "#,
        commands: &["git diff", "git blame a.txt"],
    },
    Case {
        name: "filter.<f>.smudge",
        setup: r#"git config filter.x.smudge {C}; echo "*.txt filter=x diff=x" > .gitattributes; echo "*.bin diff=x" >> .gitattributes; "#,
        commands: &["git archive HEAD -o /dev/null", "git cat-file --filters HEAD:a.txt", "git show HEAD:a.txt"],
    },
    Case {
        name: "core.pager (pipe)",
        setup: "git config core.pager {C}",
        commands: &["git log -1", "git -p log -1", "git diff", "git --paginate status"],
    },
    Case {
        name: "core.pager (tty)",
        setup: "git config core.pager {C}",
        commands: &["script -qec 'git log -1' /dev/null", "script -qec 'git diff' /dev/null"],
    },
    Case {
        name: "pager.<cmd> (tty)",
        setup: "git config pager.status {C}",
        commands: &["script -qec 'git status' /dev/null"],
    },
    Case {
        name: "gpg.program",
        setup: r#"t=$(git cat-file commit HEAD | sed "/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----" | git hash-object -t commit -w --stdin); git update-ref HEAD $t; git config gpg.program {E}"#,
        commands: &[
            "git log -1",
            "git log -1 --format=%G?",
            "git log --show-signature -1",
            "git show --show-signature",
            "git verify-commit HEAD",
        ],
    },
    Case {
        name: "gpg.program+log.showSignature",
        setup: r#"t=$(git cat-file commit HEAD | sed "/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----" | git hash-object -t commit -w --stdin); git update-ref HEAD $t; git config gpg.program {E}; git config log.showSignature true"#,
        commands: &["git log -1", "git show", "git log --oneline"],
    },
    Case {
        name: "hook post-index-change",
        setup: "mkdir -p .git/hooks; cp {E} .git/hooks/post-index-change; git checkout -q a.txt; touch -d @1 a.txt",
        commands: &["git status", "git diff"],
    },
    Case {
        name: "core.hooksPath",
        setup: "mkdir -p hk; cp {E} hk/post-index-change; git config core.hooksPath hk; git checkout -q a.txt; touch -d @1 a.txt",
        commands: &["git status"],
    },
    Case { name: "hook pre-commit", setup: "cp {E} .git/hooks/pre-commit", commands: &["git commit -qam z"] },
    Case {
        name: "submodule core.fsmonitor",
        setup: "git init -q {R}/sub 2>/dev/null; (cd {R}/sub; echo q>q.txt; git add .; git commit -q --allow-empty -m i); git -c protocol.file.allow=always submodule add -q {R}/sub s 2>/dev/null; git commit -qam sub; git -C s config core.fsmonitor {E}",
        commands: &["git status", "git diff", "git status --ignore-submodules=all", "git submodule status"],
    },
    Case {
        name: "submodule filter.clean",
        setup: "git init -q {R}/sub 2>/dev/null; (cd {R}/sub; echo q>q.txt; git add .; git commit -q --allow-empty -m i); git -c protocol.file.allow=always submodule add -q {R}/sub s 2>/dev/null; git commit -qam sub; git -C s config filter.x.clean {C}; echo '*.txt filter=x' > s/.gitattributes; touch -d @1 s/q.txt",
        commands: &["git status", "git diff"],
    },
    Case { name: "alias (unknown sub)", setup: "git config alias.st '!{E}'", commands: &["git st"] },
    Case { name: "alias of builtin", setup: "git config alias.status '!{E}'", commands: &["git status"] },
    Case {
        name: "include.path",
        setup: r#"printf '[core]\n fsmonitor = {E}\n' > inc.cfg; git config include.path ../inc.cfg"#,
        commands: &["git status"],
    },
    Case {
        name: "worktree config",
        setup: "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor {E}",
        commands: &["git status"],
    },
    Case {
        name: "embedded bare repo in tree",
        setup: "mkdir d; git init -q --bare d; git -C d config core.bare false; git -C d config core.worktree .; git -C d config core.fsmonitor {E}",
        commands: &["git -C d status", "cd d && git status"],
    },
    Case {
        name: ".git file redirect",
        setup: "git init -q --bare ev.git; git -C ev.git config core.bare false; git -C ev.git config core.fsmonitor {E}; mkdir w; echo 'gitdir: ../ev.git' > w/.git",
        commands: &["git -C w status"],
    },
    Case {
        name: "core.sshCommand",
        setup: "git config core.sshCommand {E}; git remote add o ssh://h/x",
        commands: &["git ls-remote o", "git remote show o", "git fetch o"],
    },
    Case {
        name: "ext:: remote",
        setup: "git config protocol.ext.allow always; git remote add o 'ext::{E}'",
        commands: &["git ls-remote o", "git remote -v", "git remote show o"],
    },
    Case {
        name: "credential.helper",
        setup: "git config credential.helper '!{E}'; git remote add o http://127.0.0.1:9/x",
        commands: &["git ls-remote o"],
    },
    Case {
        name: "core.editor",
        setup: "git config core.editor {E}; git config sequence.editor {E}",
        commands: &["git branch --edit-description", "git commit --amend", "git rebase -i HEAD~1"],
    },
    Case {
        name: "trailer.<t>.command",
        setup: "git config trailer.x.command {E}; git config trailer.x.key X; git config trailer.x.ifmissing add",
        commands: &["git log -1 '--format=%(trailers:key=x)'", "git interpret-trailers a.txt"],
    },
    Case {
        name: "uploadpack.packObjectsHook",
        setup: "git config uploadpack.packObjectsHook {E}",
        commands: &["git ls-remote .", "git fetch ."],
    },
    Case {
        name: "partial clone promisor",
        setup: "git config core.sshCommand {E}; git remote add o ssh://h/x; git config remote.o.promisor true; git config extensions.partialClone o; git config core.repositoryformatversion 1; rm -f .git/objects/??/* ; git pack-refs --all",
        commands: &["git log -p -1", "git show HEAD:a.txt", "git diff"],
    },
];
