//! The files that a hook's command names. A project's hook is known by them when the user approves it: by its command, and the
//! bytes of every file of the project that this can mean. What these load in their turn is not looked at.

use super::resolved::{why_unresolved, written_to};
use super::{LONGEST_FILE, PROJECT_DIR, digits, hash};
use agent_policy::Started;
use agent_protocol::{Hook, HookFile};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// Signs that end a word of a shell line, wherever they stand.
const ENDS: [char; 13] = [';', '|', '&', '(', ')', '<', '>', '`', '=', ',', '{', '}', ':'];

/// A file of the project that a hook's command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookScript {
    /// Where it lies, and the hash of its bytes.
    pub file: HookFile,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Folders that a command may be in when it names a file; one that names more is refused.
const MOST_BASES: usize = 64;

/// Words of a command that are looked at.
const MOST_WORDS: usize = 400;

/// What a hook of the user's own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnHookFiles {
    /// Every file outside the folders of the system that its command may mean, and where links among them lead.
    pub named: Vec<PathBuf>,
    /// Of these the scripts that it starts, as they are now.
    pub scripts: Vec<HookFile>,
}

/// Every file of the project at `root` (absolute, links resolved) that `command` can mean, in their order. Blocking.
///
/// # Errors
/// It cannot be told which these are, one of them cannot be read, or the script that it starts is not there; in words.
pub fn hook_scripts(root: &Path, command: &str) -> Result<Vec<HookScript>, String> {
    if let Some(why) = why_unresolved(command) {
        return Err(why);
    }
    let mut scripts: Vec<HookScript> = Vec::new();
    // What may be a file is pinned: to pin one too many costs another look.
    let words = words(root, None, command, Modules::OfAnyName);
    for path in candidates(root, &words)?.into_iter().filter(|path| lies_in(path, root)) {
        scripts.push(script(path)?);
    }
    let started = started_files(root, None, command).into_iter();
    if let Some(missing) = started.filter(|path| path.starts_with(root)).find(|path| !path.exists()) {
        return Err(format!("its command starts {}, which is not there", missing.display()));
    }
    Ok(scripts)
}

/// What a hook of the user's own names, as far as that can be told. Blocking.
pub fn own_hook_files(root: &Path, home: Option<&Path>, command: &str) -> OwnHookFiles {
    let own = |path: &PathBuf| !OF_THE_SYSTEM.iter().any(|folder| path.starts_with(folder));
    let started = started_files(root, home, command);
    let mut scripts: Vec<HookFile> = Vec::new();
    for path in started.iter().filter(|path| own(path)) {
        scripts.extend(hash(path).map(|sha256| HookFile { path: path.clone(), sha256 }));
    }
    // It is said of these that they are run, so a bare word (`git-lfs clean`) is no file, nor the module `clean.py`.
    let modules = if command.contains("-m") { Modules::OfAnyName } else { Modules::None };
    let mut words = words(root, home, command, modules);
    words.retain(|word| word.contains(['/', '.']));
    let mut named: Vec<PathBuf> = candidates(root, &words).unwrap_or_default();
    named.extend(started.iter().flat_map(|path| path.canonicalize()));
    named.extend(started);
    named.retain(|path| own(path));
    named.sort();
    named.dedup();
    OwnHookFiles { named, scripts }
}

/// Where the system's own programs lie, which nobody changes without a question.
const OF_THE_SYSTEM: &[&str] = &[
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/opt", "/nix", "/dev", "/proc", "/sys", "/System", "/Library",
];

/// The programs and scripts that `command` starts by their paths, whether they are there or not.
fn started_files(root: &Path, home: Option<&Path>, command: &str) -> Vec<PathBuf> {
    let started = agent_policy::started(&with_folders(root, home, command), root, home).into_iter();
    let files = started.filter_map(|started| match started {
        Started::File(path) => Some(path),
        Started::Program(_) | Started::Maybe(_) => None,
    });
    files.collect()
}

/// Which words of a command may name a module of python.
#[derive(Clone, Copy, PartialEq)]
enum Modules {
    OfAnyName,
    None,
}

/// The files that one of `words` names from any folder that they name: by its spelling, and where that leads.
///
/// # Errors
/// There are too many.
fn candidates(root: &Path, words: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut bases = vec![root.to_owned()];
    let mut at = 0;
    while let Some(base) = bases.get(at).cloned() {
        for folder in words.iter().flat_map(|word| meanings(&base, word)).filter(|path| path.is_dir()) {
            if !bases.contains(&folder) {
                bases.push(folder);
            }
        }
        at += 1;
        if bases.len() > MOST_BASES || words.len() > MOST_WORDS {
            return Err("its command names too many folders and words; move them into a script".into());
        }
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for path in words.iter().flat_map(|word| bases.iter().flat_map(|base| meanings(base, word))) {
        if path.is_file() && !files.contains(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

/// The place that `word` names in `base` by its spelling, and where it leads.
fn meanings(base: &Path, word: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let joined = base.join(word);
    let (plain, real) = (plainly(&joined), joined.canonicalize().ok());
    std::iter::once(plain).chain(real)
}

/// What the hook is known by as a whole, in hexadecimal digits: what its settings say, and its files.
pub fn hook_mark(hook: &Hook) -> String {
    let mut hash = Sha256::new();
    let matcher = hook.matcher.as_deref().unwrap_or_default();
    let (timeout, files) = (hook.timeout_secs.to_string(), hook.files.iter());
    let files = files.flat_map(|file| [file.path.to_string_lossy().into_owned(), file.sha256.clone()]);
    let said = [hook.event.name(), matcher, &hook.command, &timeout].map(str::to_owned);
    // Each with its length, so that no two lists are the same.
    for word in said.into_iter().chain(files) {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    digits(&hash.finalize())
}

fn script(path: PathBuf) -> Result<HookScript, String> {
    let shown = path.display().to_string();
    let found = path.metadata().map_err(|error| format!("{shown} cannot be read: {error}"))?;
    if found.len() > LONGEST_FILE {
        return Err(format!("{shown} is longer than a script"));
    }
    let bytes = std::fs::read(&path).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let sha256 = digits(&Sha256::digest(&bytes));
    Ok(HookScript { file: HookFile { path, sha256 }, bytes })
}

/// Does it lie in the project, by its name or by what that leads to?
fn lies_in(path: &Path, root: &Path) -> bool {
    path.starts_with(root) || path.canonicalize().is_ok_and(|path| path.starts_with(root))
}

/// Without `.` and `..`, by its name alone.
pub(crate) fn plainly(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// `command` with the folders put in that it knows by variables.
fn with_folders(root: &Path, home: Option<&Path>, command: &str) -> String {
    let root = root.to_string_lossy();
    let home = home.map(Path::to_string_lossy);
    // The folder that it is in is any that it goes to.
    let known = [(PROJECT_DIR, Some(root.as_ref())), ("PWD", Some(".")), ("HOME", home.as_deref())];
    known.iter().fold(command.to_owned(), |line, (name, folder)| match folder {
        Some(folder) => line.replace(&format!("${{{name}}}"), folder).replace(&format!("${name}"), folder),
        None => line,
    })
}

/// All that may be a word of the line: as a shell splits it, and wherever else a file may be named.
fn words(root: &Path, home: Option<&Path>, command: &str, modules_of: Modules) -> Vec<String> {
    let line = with_folders(root, home, command);
    let bare = line.replace(['"', '\'', '\\'], "");
    let quoted = line.split(['"', '\'']).map(str::to_owned);
    let split = |text: &str| -> Vec<String> {
        text.split(|letter: char| letter.is_whitespace() || ENDS.contains(&letter)).map(str::to_owned).collect()
    };
    // A word in which quotes stand is one; so is what stands between two of them.
    let (plain, written) = (split(&bare), written_to(&line));
    let times = |words: &[String], word: &String| words.iter().filter(|other| *other == word).count();
    let whole = plain.iter().cloned().chain(bare.split_whitespace().map(str::to_owned)).chain(quoted);
    let mut words: Vec<String> = Vec::new();
    for word in whole.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()) {
        // What it only writes to is no part of what it does; what is named twice may be.
        if written.contains(&word) && times(&plain, &word) == times(&written, &word) {
            continue;
        }
        let value =
            word.strip_prefix('-').and_then(|flag| flag.char_indices().nth(1).map(|(at, _)| flag[at..].to_owned()));
        let at_home =
            home.zip(word.strip_prefix("~/")).map(|(home, rest)| home.join(rest).to_string_lossy().into_owned());
        if modules_of == Modules::OfAnyName {
            words.extend(modules(&word).into_iter().chain(value.iter().flat_map(|value| modules(value))));
        }
        words.extend(value.into_iter().chain(at_home).chain([word]));
    }
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

/// The files that `a.b` may be as a module of python.
fn modules(word: &str) -> Vec<String> {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !word.split('.').all(is_name) {
        return Vec::new();
    }
    let path = word.replace('.', "/");
    let packages = Path::new(&path).ancestors().filter(|package| !package.as_os_str().is_empty());
    let packages = packages.map(|package| format!("{}/__init__.py", package.display()));
    packages.chain([format!("{path}.py"), format!("{path}/__main__.py")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join(".agent/my hooks")).unwrap();
        fs::write(root.join(".agent/guard.sh"), "exit 0\n").unwrap();
        fs::write(root.join(".agent/my hooks/style.py"), "pass\n").unwrap();
        (folder, root)
    }

    fn named(root: &Path, command: &str) -> Vec<String> {
        let scripts = hook_scripts(root, command).unwrap();
        let inside = |script: &HookScript| script.file.path.strip_prefix(root).unwrap().display().to_string();
        scripts.iter().map(inside).collect()
    }

    #[test]
    fn files_that_a_command_names_are_found_however_it_names_them() {
        let (_folder, root) = project();
        for command in [
            ".agent/guard.sh",
            "sh ./.agent/guard.sh --fast",
            "\"$CLAUDE_PROJECT_DIR\"/.agent/guard.sh",
            "${CLAUDE_PROJECT_DIR}/.agent/guard.sh",
            "cd .agent && ./guard.sh",
            "bash -c 'sh .agent/guard.sh;true'",
            "CONFIG=.agent/guard.sh true",
            "true<.agent/guard.sh",
        ] {
            assert_eq!(named(&root, command), [".agent/guard.sh"], "{command}");
        }
        assert_eq!(named(&root, "python3 '.agent/my hooks/style.py'"), [".agent/my hooks/style.py"]);
        assert_eq!(named(&root, "jq -r .tool_name"), [""; 0]);
        assert_eq!(named(&root, "/bin/sh -c true"), [""; 0]);
    }

    #[test]
    fn every_file_that_a_command_can_mean_is_pinned() {
        let (_folder, root) = project();
        for folder in ["hooks/deep", "pkg"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for name in
            ["guard.sh", "hooks/guard.sh", "hooks/deep/guard.sh", "hooks/list", "pkg/check.py", "pkg/__init__.py"]
        {
            fs::write(root.join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("hooks/deep", root.join("link")).unwrap();
        for (command, meant) in [
            ("cd hooks && sh ./guard.sh", "hooks/guard.sh"),
            ("cd hooks; cd deep; sh guard.sh", "hooks/deep/guard.sh"),
            ("cd hooks && cd ./deep && cd .. && ./guard.sh", "hooks/guard.sh"),
            ("(cd hooks/deep && sh ../guard.sh)", "hooks/guard.sh"),
            ("cd \"$CLAUDE_PROJECT_DIR\"/hooks && sh guard.sh", "hooks/guard.sh"),
            ("cd hooks && sh \"$PWD/guard.sh\"", "hooks/guard.sh"),
            ("sh \"${PWD}\"/hooks/guard.sh", "hooks/guard.sh"),
            ("env -C hooks sh guard.sh", "hooks/guard.sh"),
            ("env --chdir=hooks sh guard.sh", "hooks/guard.sh"),
            ("sh link/../guard.sh", "hooks/guard.sh"),
            ("sh link/guard.sh", "hooks/deep/guard.sh"),
            ("cd link && sh guard.sh", "hooks/deep/guard.sh"),
            ("bash -c 'cd hooks && sh guard.sh'", "hooks/guard.sh"),
            ("bash -ec \"cd hooks; cd deep; . ./guard.sh\"", "hooks/deep/guard.sh"),
            ("PATH=/bin:hooks guard.sh", "hooks/guard.sh"),
            ("sh ho'ok's/gu\"ard\".sh", "hooks/guard.sh"),
            ("sh hooks\\/guard.sh", "hooks/guard.sh"),
            ("cat hooks/list | grep -q x && sh guard.sh", "hooks/list"),
            ("grep -f hooks/list", "hooks/list"),
            ("sh < hooks/guard.sh", "hooks/guard.sh"),
            ("sh -s < hooks/guard.sh", "hooks/guard.sh"),
            ("python3 -m pkg.check", "pkg/check.py"),
            ("python3 -mpkg.check", "pkg/__init__.py"),
            ("ruby -rhooks/guard.sh -e 1", "hooks/guard.sh"),
            ("sh hooks/guard.sh > hooks/guard.sh", "hooks/guard.sh"),
            ("sh hooks/../hooks/deep/../guard.sh # don't", "hooks/guard.sh"),
        ] {
            let named = named(&root, command);
            assert!(named.contains(&meant.to_owned()), "{command}: {named:?}");
        }
        assert_eq!(named(&root, "sh guard.sh 2>&1 >> hooks/list"), ["guard.sh"]);
    }

    #[test]
    fn a_command_whose_files_cannot_be_told_is_refused_with_the_form_that_can() {
        let (_folder, root) = project();
        for command in [
            "sh \"$(git rev-parse --show-toplevel)/.agent/guard.sh\"",
            "sh $(pwd)/.agent/guard.sh",
            "sh `pwd`/.agent/guard.sh",
            "sh .agent/*.sh",
            "sh .agent/guard.?h",
            "sh .agent/[g]uard.sh",
            "sh .agent/guard.{sh,py}",
            "d=.agent; sh $d/guard.sh",
            "sh \"${d:-.agent}/guard.sh\"",
            "sh \"${CLAUDE_PROJECT_DIR%x}\"/.agent/guard.sh",
            "CLAUDE_PROJECT_DIR=/tmp; sh \"$CLAUDE_PROJECT_DIR\"/guard.sh",
            "for PWD in .agent; do sh \"$PWD\"/guard.sh; done",
            "sh ~/project/.agent/guard.sh",
            "cd && sh project/.agent/guard.sh",
            "cd .agent && cd - && sh guard.sh",
            "pushd .agent; sh guard.sh",
            "eval 'sh .agent/guard.sh'",
            "ev'al' sh .agent/guard.sh",
            "\\eval sh .agent/guard.sh",
            "echo .agent/guard.sh | xargs sh",
            "printf 'sh .agent/%s.sh' guard | sh",
            "sh /dev/stdin < .agent/guard.sh",
            "cat .agent/guard.sh | python3 -",
            "find .agent -name guard.sh -exec sh {} +",
            "find .agent -name guard.sh -exec sh '{}' ';'",
            "sh -c 'sh .agent/$0.sh' guard",
            "bash -c \"sh .agent/g'u'*\"",
            "env -S 'sh .agent/guard.sh'",
            "sh <<< 'sh .agent/guard.sh'",
            "sh $'.agent/g\\x75ard.sh'",
            "true # '\nsh $(pwd)/.agent/guard.sh'",
            "sh '.agent/guard.sh",
            "sh .agent/missing.sh",
            "cd .agent && ./missing.py",
        ] {
            let why = hook_scripts(&root, command).unwrap_err();
            assert!(why.contains("`sh hooks/guard.sh`") || why.contains("is not there"), "{command}: {why}");
        }
        for command in [
            "jq -r '.tool_input.command | $x' | grep -q 'rm *' && exit 2",
            "test -f .agent/guard.sh && [ 1 = 1 ] && { sh .agent/guard.sh; }",
            "python3 -c 'import json, sys; sys.exit(2 if \"$\" in sys.stdin.read() else 0)'",
            "make guard",
            "true # it's $fine",
        ] {
            assert!(hook_scripts(&root, command).is_ok(), "{command}");
        }
    }

    #[test]
    fn of_one_s_own_hook_the_scripts_are_known_and_all_that_it_names_is_told() {
        let (_folder, root) = project();
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for name in ["guard.py", "data.json", "log"] {
            fs::write(home.join(name), name).unwrap();
        }
        let scripts = |command: &str| -> Vec<PathBuf> {
            let files = own_hook_files(&root, Some(&home), command);
            assert!(files.scripts.iter().all(|file| files.named.contains(&file.path)), "{files:?}");
            files.scripts.into_iter().map(|file| file.path).collect()
        };
        for command in [
            "python3 ~/guard.py --data ~/data.json >> ~/log",
            "$HOME/guard.py",
            "python3 \"${HOME}/guard.py\"",
            "sh -c 'cd ~ && python3 guard.py'",
        ] {
            assert_eq!(scripts(command), [home.join("guard.py")], "{command}");
        }
        let named = own_hook_files(&root, Some(&home), "python3 ~/guard.py --data ~/data.json >> ~/log").named;
        assert_eq!(named, ["data.json", "guard.py", "log"].map(|name| home.join(name)));
        assert_eq!(scripts("sh .agent/guard.sh"), [root.join(".agent/guard.sh")]);
        let missing = own_hook_files(&root, Some(&home), "sh hooks/later.sh");
        assert_eq!((missing.named, missing.scripts), (vec![root.join("hooks/later.sh")], vec![]));
        assert_eq!(own_hook_files(&root, Some(&home), "/usr/bin/env jq -r .x"), OwnHookFiles::default());
        for name in ["clean.py", "clean", "check.py"] {
            fs::write(root.join(name), "").unwrap();
        }
        for command in ["git-lfs clean -- %f", "ruff check", "make clean check"] {
            assert_eq!(own_hook_files(&root, Some(&home), command), OwnHookFiles::default(), "{command}");
        }
        assert_eq!(own_hook_files(&root, None, "python3 -m check").named, [root.join("check.py")]);
    }

    #[test]
    fn a_hook_is_another_when_its_file_or_its_settings_are() {
        let (_folder, root) = project();
        let hook = |command: &str| Hook {
            event: agent_protocol::HookEvent::PreTool,
            matcher: Some("Bash".into()),
            tools: Vec::new(),
            command: command.into(),
            timeout_secs: 10,
            sandbox: true,
            origin: agent_protocol::HookOrigin::Project,
            files: hook_scripts(&root, command).unwrap().into_iter().map(|script| script.file).collect(),
            asks: None,
            off: None,
        };
        let first = hook_mark(&hook(".agent/guard.sh"));
        assert_eq!(hook_mark(&hook(".agent/guard.sh")), first);
        assert_ne!(hook_mark(&hook("sh .agent/guard.sh")), first);
        assert_ne!(hook_mark(&Hook { matcher: None, ..hook(".agent/guard.sh") }), first);
        fs::write(root.join(".agent/guard.sh"), "exit 2\n").unwrap();
        assert_ne!(hook_mark(&hook(".agent/guard.sh")), first);
    }
}
