//! What a project's hook is known by when somebody approves it: its command, and the bytes of every file of the project that the
//! command names. What these load in their turn is not looked at.

use super::{LONGEST_FILE, PROJECT_DIR, digits};
use agent_protocol::{Hook, HookFile};
use sha2::{Digest, Sha256};
use std::path::{Component, Path, PathBuf};

/// Signs that end a word of a shell line, wherever they stand.
const ENDS: [char; 12] = [';', '|', '&', '(', ')', '<', '>', '`', '=', ',', '{', '}'];

/// A file of the project that a hook's command names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookScript {
    /// Where it lies, and the hash of its bytes.
    pub file: HookFile,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The files of the project at `root` (absolute, links resolved) that `command` names, in their order. Blocking.
///
/// # Errors
/// One of them cannot be read, in words.
pub fn hook_scripts(root: &Path, command: &str) -> Result<Vec<HookScript>, String> {
    let words = words(root, command);
    let mut bases = vec![root.to_owned()];
    bases.extend(words.iter().map(|word| root.join(word)).filter(|path| path.is_dir() && lies_in(path, root)));
    let mut scripts: Vec<HookScript> = Vec::new();
    for word in &words {
        let named = bases.iter().map(|base| plainly(&base.join(word))).find(|path| path.is_file());
        let Some(path) = named.filter(|path| lies_in(path, root)) else { continue };
        if scripts.iter().all(|script| script.file.path != path) {
            scripts.push(script(path)?);
        }
    }
    Ok(scripts)
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
fn plainly(path: &Path) -> PathBuf {
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

/// All that may be a word of the line: as a shell splits it, and wherever else a file may be named.
fn words(root: &Path, command: &str) -> Vec<String> {
    let folder = root.to_string_lossy();
    let mut line = command.to_owned();
    for name in [PROJECT_DIR, "PWD"] {
        line = line.replace(&format!("${{{name}}}"), &folder).replace(&format!("${name}"), &folder);
    }
    let bare = line.replace(['"', '\'', '\\'], "");
    let quoted = line.split(['"', '\'']).map(str::to_owned);
    let split = |text: &str| -> Vec<String> {
        text.split(|letter: char| letter.is_whitespace() || ENDS.contains(&letter)).map(str::to_owned).collect()
    };
    // A word in which quotes stand is one; so is what stands between two of them.
    let whole = split(&bare).into_iter().chain(bare.split_whitespace().map(str::to_owned)).chain(quoted);
    whole.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
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
