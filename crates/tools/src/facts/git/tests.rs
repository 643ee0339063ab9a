//! What is found in a repository, and what is not.

use super::*;
use agent_policy::STILL_GIT;
use agent_sandbox::Surroundings;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// A repository with one commit, and a person with a config of their own.
struct House {
    _folder: TempDir,
    home: PathBuf,
    ground: Ground,
}

impl House {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (home, root) = (top.join("home"), top.join("project"));
        for folder in [&home, &root] {
            std::fs::create_dir(folder).unwrap();
        }
        let env = [("HOME".into(), home.clone().into()), ("PATH".into(), std::env::var_os("PATH").unwrap())];
        let surroundings = Arc::new(Surroundings::new(env, &[], &root).unwrap());
        let ground = Ground { home: Some(home.clone()), surroundings, ..Ground::of_this_process(root).unwrap() };
        let house = House { _folder: folder, home, ground };
        house.sh("git init -q; git config --global user.email a@b; git config --global user.name x; echo a > a.txt; \
            git add .; git commit -qm 1");
        house
    }

    /// Runs `line` in the project, which must succeed.
    fn sh(&self, line: &str) {
        let mut shell = Command::new("sh");
        shell.args(["-ec", line]).current_dir(&self.ground.root).env("HOME", &self.home);
        let ended = shell.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    }

    fn audit(&self, folder: &str) -> GitFacts {
        let folder = self.ground.root.join(folder);
        audit(&self.ground, &folder).expect("this test needs git: install the package `git`")
    }

    fn findings(&self, folder: &str) -> Vec<String> {
        self.audit(folder).findings
    }
}

#[test]
fn secrets_that_git_tracks_are_named_and_no_others() {
    let house = House::new();
    house.sh("mkdir -p config a; echo > .env; echo > config/prod.key; echo > a/.env.example; echo > a/untracked.pem");
    house.sh("git add -f .env config a/.env.example");
    assert_eq!(house.audit("").secrets, [PathBuf::from(".env"), PathBuf::from("config/prod.key")]);
    assert_eq!(house.audit("a").secrets, house.audit("").secrets);
}

#[test]
fn a_usual_repository_is_clean_wherever_one_stands_in_it() {
    let house = House::new();
    house.sh("mkdir -p a/b; git remote add origin https://example.org/x.git; git config branch.main.remote origin");
    let clean = GitFacts { tree: Some(house.ground.root.clone()), ..GitFacts::default() };
    assert_eq!(house.audit(""), clean);
    assert_eq!(house.audit("a/b"), clean);
}

#[test]
fn settings_are_found_in_every_file_that_git_reads() {
    let house = House::new();
    house.sh("git config diff.external /bin/x; git config include.path ../more");
    house.sh("printf '[core]\\n\\tfsmonitor = /bin/x\\n' > more");
    house.sh("git config extensions.worktreeConfig true; git config --worktree gpg.program /bin/x");
    assert_eq!(house.findings(""), ["core.fsmonitor", "diff.external", "gpg.program", "include.path"]);
}

#[test]
fn a_setting_that_nobody_knows_is_a_finding() {
    let house = House::new();
    house.sh("git config future.setting x");
    assert_eq!(house.findings(""), ["future.setting"]);
}

#[test]
fn what_the_person_set_for_all_is_told_apart() {
    let house = House::new();
    house.sh("git config --global filter.lfs.clean 'lfs clean'; git config --global pager.log less; \
        git config --global core.excludesFile x");
    let facts = house.audit("");
    assert_eq!(facts.findings, Vec::<String>::new());
    assert_eq!(facts.keys, ["filter.lfs.clean", "pager.log"]);
}

/// What is asked is asked of the git that would be run: it does not obey the system's settings, so they are no matter.
#[test]
fn git_is_asked_with_all_the_variables_that_it_is_run_with() {
    let house = House::new();
    for (name, value) in STILL_GIT {
        let alias = format!("!test \"${name}\" = '{value}' && echo same");
        let git = Git { program: programs::find(&house.ground, "git").unwrap(), ground: &house.ground };
        let said = git.ask(&house.ground.root, &["-c", &format!("alias.told={alias}"), "told"]);
        assert_eq!(said.as_deref(), Some(&b"same\n"[..]), "{name}");
    }
}

#[test]
fn hooks_count_when_git_would_run_them() {
    let house = House::new();
    for (name, mode) in [("pre-commit", 0o755), ("post-merge", 0o644), ("update.sample", 0o755)] {
        let path = house.ground.root.join(".git/hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }
    assert_eq!(house.findings(""), ["hook pre-commit"]);
}

#[test]
fn a_repository_that_lies_elsewhere_is_none() {
    let house = House::new();
    house.sh("mkdir -p file link bare; mv .git kept; echo 'gitdir: ../kept' > file/.git; ln -s ../kept link/.git; \
        git init -q --bare bare; git init -q linked; cd linked; git commit -q --allow-empty -m 1; \
        git worktree add -q ../grown");
    for folder in ["file", "link", "bare"] {
        let facts = house.audit(folder);
        assert_eq!((facts.tree, facts.findings.is_empty()), (None, false), "{folder}");
    }
    assert_eq!(house.audit("grown").tree, Some(house.ground.root.join("grown")), "both lead to one another");
    house.sh("printf '#!/bin/sh\\n' > linked/.git/hooks/pre-commit; chmod +x linked/.git/hooks/pre-commit");
    assert_eq!(house.findings("grown"), ["hook pre-commit"], "of what they share");
    house.sh("echo $PWD/kept > linked/.git/commondir");
    assert_eq!(house.audit("linked").tree, None);
}

#[test]
fn a_folder_without_a_repository_has_none_and_nothing_to_find() {
    let house = House::new();
    assert_eq!(audit(&house.ground, &house.home), Some(GitFacts::default()));
}

#[test]
fn objects_that_lie_elsewhere_are_found() {
    let house = House::new();
    house.sh("mkdir -p .git/objects/info; echo /elsewhere > .git/objects/info/alternates");
    assert_eq!(house.findings(""), ["its objects lie elsewhere (objects/info/alternates)"]);
}

#[test]
fn submodules_are_looked_at_wherever_their_repository_lies() {
    let house = House::new();
    house.sh("git init -q ../other; git -C ../other commit -q --allow-empty -m 1; \
        git -c protocol.file.allow=always submodule --quiet add ../other kept; \
        git init -q own; git -C own commit -q --allow-empty -m 1; git -c advice.addEmbeddedRepo=false add own");
    assert_eq!(house.findings(""), Vec::<String>::new());
    house.sh("git -C kept config core.fsmonitor /bin/x; git -C own config core.fsmonitor /bin/x");
    assert_eq!(house.findings(""), ["submodule kept: core.fsmonitor", "submodule own: core.fsmonitor"]);
    house.sh("mv own/.git ../moved; echo \"gitdir: ../../moved\" > own/.git");
    assert_eq!(house.findings("")[1], "submodule own: its repository lies elsewhere");
}

/// A repository can be made so that git lists a submodule where anything at all lies.
#[test]
fn what_lies_in_place_of_a_submodules_repository_is_not_read_unless_it_is_a_file() {
    for (what, line) in [
        ("a pipe", "mkfifo own/.git"),
        ("an endless file", "ln -s /dev/zero own/.git"),
        ("a long file", "{ printf 'gitdir: ../.git/modules/own'; head -c 100000 /dev/zero; } > own/.git"),
        ("a link to a folder of its own", "rmdir own; mkdir -p else; echo gitdir: x > else/.git; ln -s else own"),
    ] {
        let house = House::new();
        house.sh("git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),own; mkdir own");
        house.sh(line);
        assert_eq!(house.findings(""), ["submodule own: its repository lies elsewhere"], "{what}");
    }
}

#[test]
fn settings_that_are_no_plain_file_are_not_asked_for() {
    for (file, line) in [
        ("config", "rm .git/config; mkfifo .git/config"),
        ("config", "mv .git/config kept; ln -s ../kept .git/config"),
        ("config.worktree", "git config extensions.worktreeConfig true; mkfifo .git/config.worktree"),
        ("index", "rm .git/index; mkfifo .git/index"),
        ("HEAD", "rm .git/HEAD; mkfifo .git/HEAD"),
        ("info/exclude", "mkdir -p .git/info; rm -f .git/info/exclude; mkfifo .git/info/exclude"),
    ] {
        let house = House::new();
        house.sh(line);
        assert_eq!(house.findings(""), [format!("no plain file: .git/{file}")], "{line}");
    }
}

#[test]
fn many_findings_are_counted() {
    let house = House::new();
    for number in 0..FINDINGS + 3 {
        house.sh(&format!("git config alias.a{number} x"));
    }
    let findings = house.findings("");
    assert_eq!((findings.len(), findings.last().map(String::as_str)), (FINDINGS + 1, Some("and 3 more")));
}

#[test]
fn what_settings_make_git_run_is_named_with_the_setting() {
    let house = House::new();
    house.sh("mkdir -p tools my/hooks conf; for f in run clean fsm drv ssh ed cred gpg upd al text ext pick tail; do echo >tools/$f.sh; done");
    let named = |setting: &str| -> Vec<(String, String)> {
        house.sh("cp .git/config kept; cp ../home/.gitconfig kept-global");
        house.sh(setting);
        let files = RunByGit::default().files(&house.ground);
        house.sh("mv kept .git/config; mv kept-global ../home/.gitconfig; rm -f conf/*");
        let shown = |path: &Path| path.strip_prefix(&house.ground.root).unwrap_or(path).display().to_string();
        files.iter().map(|file| (shown(&file.path), file.why.clone())).collect()
    };
    for (setting, path, key) in [
        ("git config core.hooksPath my/hooks", "my/hooks", "core.hooksPath"),
        ("git config --global core.hooksPath ./my/hooks", "my/hooks", "core.hooksPath"),
        ("git config core.hooksPath \"$PWD/later\"", "later", "core.hooksPath"),
        ("git config core.hooksPath .", "pre-commit", "core.hooksPath"),
        ("git config include.path ../conf/more", "conf/more", "include.path"),
        (
            "echo '[core]hooksPath = my/hooks' >conf/more; git config include.path ../conf/more",
            "my/hooks",
            "core.hooksPath",
        ),
        (
            "git config --global includeIf.gitdir:/nowhere/.path \"$PWD/conf/x\"",
            "conf/x",
            "includeif.gitdir:/nowhere/.path",
        ),
        ("git config core.fsmonitor tools/fsm.sh", "tools/fsm.sh", "core.fsmonitor"),
        ("git config filter.x.clean 'sh tools/clean.sh %f'", "tools/clean.sh", "filter.x.clean"),
        ("git config filter.x.process './tools/run.sh --all'", "tools/run.sh", "filter.x.process"),
        ("git config diff.x.textconv tools/text.sh", "tools/text.sh", "diff.x.textconv"),
        ("git config diff.external \"$PWD/tools/ext.sh\"", "tools/ext.sh", "diff.external"),
        ("git config merge.x.driver 'sh tools/drv.sh %O %A %B'", "tools/drv.sh", "merge.x.driver"),
        ("git config alias.go '!sh tools/al.sh'", "tools/al.sh", "alias.go"),
        ("git config --global alias.go '!f() { cd tools && ./al.sh; }; f'", "tools/al.sh", "alias.go"),
        ("git config core.sshCommand 'sh tools/ssh.sh'", "tools/ssh.sh", "core.sshcommand"),
        ("git config core.editor tools/ed.sh", "tools/ed.sh", "core.editor"),
        ("git config credential.helper '!tools/cred.sh'", "tools/cred.sh", "credential.helper"),
        ("git config gpg.program tools/gpg.sh", "tools/gpg.sh", "gpg.program"),
        ("git config submodule.a.update '!sh tools/upd.sh'", "tools/upd.sh", "submodule.a.update"),
        ("git config sequence.editor 'python3 tools/later.py'", "tools/later.py", "sequence.editor"),
        ("git config trailer.x.command 'sh tools/tail.sh'", "tools/tail.sh", "trailer.x.command"),
        ("git config init.templateDir conf", "conf", "new repositories"),
    ] {
        let all = named(setting);
        assert!(all.iter().any(|(name, why)| name == path && why.contains(key)), "{setting}: {all:?}");
    }
    for setting in [
        "git config core.hooksPath /dev/null",
        "git config core.fsmonitor true",
        "git config core.editor vim",
        "git config alias.st status",
        "git config filter.lfs.clean 'git-lfs clean -- %f'",
        "git config user.name tools/run.sh",
        "git config credential.helper store",
    ] {
        assert_eq!(named(setting), [], "{setting}");
    }
}

#[test]
fn what_git_runs_is_looked_up_anew_when_settings_change() {
    let house = House::new();
    let known = RunByGit::default();
    let paths = || known.files(&house.ground).iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(), [""; 0].map(PathBuf::from));
    let root = &house.ground.root;
    house.sh("git config core.hooksPath .githooks");
    assert_eq!(paths(), [root.join(".githooks")]);
    house.sh("git config core.hooksPath other");
    assert_eq!(paths(), [root.join("other")]);
    house.sh("git config --unset core.hooksPath; git config include.path ../later");
    assert_eq!(paths(), [root.join("later")]);
    house.sh("echo '[core]hooksPath = third' >later");
    assert_eq!(paths(), ["later", "third"].map(|name| root.join(name)));
    house.sh("rm -rf .git");
    assert_eq!(paths(), [""; 0].map(PathBuf::from));
}
