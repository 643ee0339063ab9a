//! A patch that a command line hands to `apply_patch`. No shell has such a program; other agents have it in theirs.

use super::{Given, Instead, value};
use crate::arguments::Form;
use agent_protocol::{Failure, FailureKind};
use serde_json::Value;

const NAMES: [&str; 2] = ["apply_patch", "applypatch"];

/// A patch, and the folder in which it is applied.
struct Found {
    patch: String,
    folder: Option<String>,
}

/// The patch in a command, where it is nothing else.
pub(super) fn patch(form: &'static Form, given: &Given) -> Result<Option<Instead>, Failure> {
    let Some((_, command)) = value(form, "command", given) else { return Ok(None) };
    let Some(Found { patch, folder }) = in_command(command)? else { return Ok(None) };
    let beside = value(form, "working_directory", given).and_then(|(_, folder)| folder.as_str());
    let folder = match (beside, folder.as_deref()) {
        (Some(beside), Some(folder)) => format!("{}/{folder}", beside.trim_end_matches('/')),
        (beside, folder) => beside.or(folder).unwrap_or_default().to_owned(),
    };
    let mut arguments = Given::from_iter([("patch".to_owned(), Value::from(patch))]);
    if !folder.is_empty() {
        arguments.insert("working_directory".into(), folder.into());
    }
    let note = "the command hands a patch to apply_patch, which is done by itself".to_owned();
    Ok(Some(Instead { tool: "apply_patch", arguments: arguments.into(), note }))
}

/// The patch of a call of `apply_patch` that came as words of a command.
pub(super) fn patch_as_words(form: &'static Form, given: &Given) -> Option<Instead> {
    let (key, command) = value(form, "patch", given)?;
    let patch = match command {
        Value::String(text) if given.len() == 1 && key != "patch" && text.trim_start().starts_with('[') => {
            words(command)?.pop()?
        }
        Value::Array(_) => words(command)?.pop()?,
        _ => return None,
    };
    let mut arguments = given.clone();
    arguments.remove(key);
    arguments.insert("patch".into(), patch.into());
    Some(Instead {
        tool: "apply_patch",
        arguments: arguments.into(),
        note: format!("`{key}` was a list and its last entry was read as patch"),
    })
}

fn words(value: &Value) -> Option<Vec<String>> {
    super::list(value)?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

fn in_command(command: &Value) -> Result<Option<Found>, Failure> {
    let line = match words(command) {
        Some(words) => match words.as_slice() {
            [program, patch] if NAMES.contains(&program.as_str()) => {
                return Ok(Some(Found { patch: patch.clone(), folder: None }));
            }
            [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') => line.clone(),
            _ => return Ok(None),
        },
        None => match command.as_str() {
            Some(line) => line.to_owned(),
            None => return Ok(None),
        },
    };
    in_line(&line.replace("\r\n", "\n"))
}

fn in_line(line: &str) -> Result<Option<Found>, Failure> {
    let (folder, rest) = behind_folder(line.trim());
    let found = match handed(rest) {
        None => return Ok(None),
        Some(found) => found?,
    };
    Ok(Some(Found { patch: found, folder: folder.map(str::to_owned) }))
}

/// `cd src && …` is the folder and the rest.
fn behind_folder(line: &str) -> (Option<&str>, &str) {
    let parted = line.strip_prefix("cd ").and_then(|rest| {
        let (folder, rest) = rest.split_once("&&").or_else(|| rest.split_once('\n'))?;
        let folder = folder.trim().trim_matches(['"', '\'']);
        (!folder.contains([' ', '\n', ';', '$', '|'])).then_some((folder, rest.trim_start()))
    });
    parted.map_or((None, line), |(folder, rest)| (Some(folder), rest))
}

/// What the line hands to `apply_patch`; `None` where it does nothing of the kind.
fn handed(line: &str) -> Option<Result<String, Failure>> {
    let (first, rest) = line.split_once('\n').unwrap_or((line, ""));
    let name = |word: &str| NAMES.contains(&word.trim());
    if let Some((before, word)) = first.split_once("<<") {
        let piped = word.split_once('|').filter(|(_, program)| before.trim() == "cat" && name(program));
        let word = piped.map_or(word, |(word, _)| word);
        return (name(before) || piped.is_some()).then(|| here_document(word, rest));
    }
    let (program, quoted_text) = line.split_once(char::is_whitespace)?;
    let is_text = name(program) && quoted_text.contains("*** Begin Patch");
    is_text.then(|| unquoted(quoted_text.trim()))
}

fn here_document(word: &str, rest: &str) -> Result<String, Failure> {
    let word = word.trim_start_matches('-').trim();
    let bare = word.trim_matches(['\'', '"']).trim_start_matches('\\');
    let mut body = String::new();
    let mut lines = rest.lines();
    loop {
        match lines.next() {
            None => {
                return Err(refused(
                    "the patch has no end: the line that ends it is missing, so it may be cut off; give all of it",
                ));
            }
            Some(line) if line.trim() == bare => break,
            Some(line) => {
                body.push_str(line);
                body.push('\n');
            }
        }
    }
    if lines.any(|line| !line.trim().is_empty()) {
        return Err(refused(
            "a patch is applied by itself here; run what stands behind it in a call of its own, after it",
        ));
    }
    let escapes = ["\\$", "\\`", "\\\\"].iter().any(|escape| body.contains(escape));
    if word == bare && escapes {
        return Err(refused(
            "nothing tells whether a backslash in the patch is meant for the shell; write <<'EOF' with quotes, and the text as it is to be",
        ));
    }
    Ok(body)
}

/// The text between quotes that are all of `text`.
fn unquoted(text: &str) -> Result<String, Failure> {
    let inside = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    if let Some(inner) = inside('\'').map(|inner| inner.replace("'\\''", "\u{0}")).filter(|inner| !inner.contains('\''))
    {
        return Ok(inner.replace('\u{0}', "'"));
    }
    if let Some(inner) = inside('"').filter(|inner| !inner.contains(['"', '\\', '$', '`'])) {
        return Ok(inner.to_owned());
    }
    Err(refused(
        "its quotes do not tell where the patch ends; hand it over with apply_patch <<'EOF', and EOF in a line of its own at the end",
    ))
}

fn refused(what: &str) -> Failure {
    Failure::new(FailureKind::InvalidArguments, format!("nothing was changed: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";

    fn found(line: &str) -> Option<(String, Option<String>)> {
        in_line(line).unwrap().map(|found| (found.patch, found.folder))
    }

    #[test]
    fn a_patch_is_found_however_it_is_handed_over() {
        for line in [
            format!("apply_patch <<'EOF'\n{PATCH}EOF"),
            format!("apply_patch << \"PATCH\"\n{PATCH}PATCH\n"),
            format!("applypatch <<EOF\n{PATCH}EOF\n"),
            format!("cat <<'EOF' | apply_patch\n{PATCH}EOF"),
            format!("apply_patch '{PATCH}'"),
            format!("apply_patch \"{PATCH}\""),
        ] {
            assert_eq!(found(&line), Some((PATCH.to_owned(), None)), "{line}");
        }
        let inside = format!("cd src && apply_patch <<'EOF'\n{PATCH}EOF");
        assert_eq!(found(&inside), Some((PATCH.to_owned(), Some("src".to_owned()))));
    }

    #[test]
    fn other_commands_are_none() {
        for line in [
            "apply_patch",
            "apply_patch a.patch",
            "apply_patch < a.patch",
            "git apply <<'EOF'\nx\nEOF",
            "grep apply_patch a",
            "cat <<EOF\nx\nEOF",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn what_only_a_shell_could_tell_is_refused() {
        for line in [
            format!("apply_patch <<'EOF'\n{PATCH}"),
            format!("apply_patch <<'EOF'\n{PATCH}EOF\ncargo test"),
            format!("apply_patch <<EOF\n{PATCH}\\$x\nEOF"),
            format!("apply_patch '{PATCH}it's'"),
            format!("apply_patch \"{PATCH}$x\""),
        ] {
            assert!(in_line(&line).is_err(), "{line}");
        }
    }
}
