//! Lets the user's own editor write a text. The caller gives the terminal away first and takes it back after.

use rustix::io::{FdFlags, fcntl_setfd};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use tempfile::TempDir;

/// What marks a temporary folder as ours, so that it is swept at a later start once nobody has its lock: word for word as
/// `agent-sandbox` has it, which is not known here. A test of the whole house holds the two together.
const MARK: (&str, &str) =
    (".made-by-agent", "Temporary files of agent, which removes this folder when it ends, or at its next start.\n");

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edited {
    /// The file holds this now.
    Text(String),
    /// The text is as it was.
    Unchanged,
    /// It could not be done; why, in words.
    Failed(String),
}

/// Opens `text` in `editor` (a shell line, like `code --wait`), at `line` if it is one that can, and waits until it is closed. The temporary file ends in
/// `.extension`, so that the editor colours it right, and lies in a folder that nobody else can look into.
pub(crate) fn edit(editor: &str, text: &str, extension: &str, line: Option<usize>) -> Edited {
    match try_edit(editor, text, extension, line) {
        Ok(edited) => edited,
        Err(error) => Edited::Failed(format!("{editor} could not be used: {error}")),
    }
}

/// An editor to fall back on where the user named none.
pub(crate) fn installed_editor() -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let installed = |name: &&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    ["nano", "vi"].into_iter().find(installed).map(str::to_owned)
}

/// What a shell runs: as git does it, the shell splits the editor's words, and the path, its first argument, stays one. How a line
/// is named differs from editor to editor; one that is not known opens at the beginning.
fn shell_line(editor: &str, line: Option<usize>) -> String {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    match (name, line) {
        (
            "vi" | "vim" | "nvim" | "view" | "nano" | "pico" | "emacs" | "emacsclient" | "kak" | "joe" | "micro",
            Some(line),
        ) => {
            format!("exec {editor} +{line} \"$1\"")
        }
        ("hx" | "helix" | "zed" | "subl", Some(line)) => format!("exec {editor} \"$1:{line}\""),
        ("code" | "codium" | "cursor", Some(line)) => format!("exec {editor} --goto \"$1:{line}\""),
        (_, _) => format!("exec {editor} \"$1\""),
    }
}

fn try_edit(editor: &str, text: &str, extension: &str, line: Option<usize>) -> io::Result<Edited> {
    let (folder, _lock) = folder()?;
    let file = folder.path().join(format!("text.{extension}"));
    fs::write(&file, text)?;
    fs::set_permissions(&file, Permissions::from_mode(0o600))?;
    let status = Command::new("sh").args(["-c", &shell_line(editor, line), "sh"]).arg(&file).status()?;
    if !status.success() {
        return Ok(Edited::Failed(format!("{editor} ended with {status}; nothing was taken over")));
    }
    // Read by name: many editors put a new file in the old one's place.
    let after = fs::read_to_string(&file)?;
    Ok(if same_but_for_the_last_newline(text, &after) { Edited::Unchanged } else { Edited::Text(after) })
}

/// A folder of our own, and its lock, which the editor has as well: should we be killed while somebody writes, the text
/// stays for as long as they do.
fn folder() -> io::Result<(TempDir, File)> {
    let private = Permissions::from_mode(0o700);
    let folder = tempfile::Builder::new().prefix("agent-").rand_bytes(16).permissions(private).tempdir()?;
    let lock = File::open(folder.path())?;
    // Without a lock it has no mark, and is left alone.
    if lock.lock().is_ok() && fcntl_setfd(&lock, FdFlags::empty()).is_ok() {
        fs::write(folder.path().join(MARK.0), MARK.1)?;
    }
    Ok((folder, lock))
}

/// Editors end a file with a newline on their own; that alone is no change.
fn same_but_for_the_last_newline(before: &str, after: &str) -> bool {
    after == before || after.strip_suffix('\n') == Some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editors_text_is_taken_over() {
        assert_eq!(edit("printf 'new' >", "old", "md", None), Edited::Text("new".into()));
    }

    #[test]
    fn the_file_has_the_extension_asked_for() {
        assert_eq!(edit("sh -c 'case $1 in *.rs) exit 0; esac; exit 1' sh", "old", "rs", None), Edited::Unchanged);
    }

    #[test]
    fn a_newline_an_editor_adds_is_no_change() {
        assert_eq!(edit("sh -c 'echo >> \"$1\"' sh", "old", "md", None), Edited::Unchanged);
    }

    #[test]
    fn an_editor_that_can_opens_at_the_line() {
        for (editor, runs) in [
            ("vi", "exec vi +31 \"$1\""),
            ("/usr/bin/nano -w", "exec /usr/bin/nano -w +31 \"$1\""),
            ("hx", "exec hx \"$1:31\""),
            ("code --wait", "exec code --wait --goto \"$1:31\""),
            ("ed", "exec ed \"$1\""),
        ] {
            assert_eq!(shell_line(editor, Some(31)), runs);
        }
        assert_eq!(shell_line("vi", None), "exec vi \"$1\"");
    }

    #[test]
    fn an_editor_that_fails_changes_nothing_and_is_named() {
        let Edited::Failed(why) = edit("false", "old", "md", None) else { panic!("it failed") };
        assert!(why.starts_with("false ended with"), "{why}");
    }
}
