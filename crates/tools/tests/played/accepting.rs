//! Writes into a case what its call says today. Whether that is right is for whoever reads the difference.

use crate::case::{Case, files, parts, written};
use std::sync::Mutex;

/// From now on this is what the call says.
pub(crate) fn accept(case: &Case, said: &str) {
    // Others are accepted at the same time.
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    let _guard = ONE_BY_ONE.lock().unwrap();
    let header = format!("=== case {}\n", case.name);
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        if let Some(old) = written(&text).find(|part| part.starts_with(&header)) {
            std::fs::write(path, text.replace(old, &accepted(old, said))).unwrap();
            return;
        }
    }
}

/// The file's text with another `said`, at the end where it has none.
fn accepted(text: &str, said: &str) -> String {
    let end = if said.is_empty() || said.ends_with('\n') { ("", "") } else { (" (no newline at the end)", "\n") };
    let said =
        if said.contains(is_hidden) { (" (escaped)", escaped(said)) } else { (end.0, format!("{said}{}", end.1)) };
    let section = format!("=== said{}\n{}", said.0, said.1);
    let mut parts: Vec<String> = parts(text).map(str::to_owned).collect();
    match parts.iter_mut().find(|part| part.starts_with("=== said")) {
        Some(part) => *part = section,
        None => parts.push(section),
    }
    parts.concat()
}

/// A character that could not be told in the file, or that a line end might be changed for.
fn is_hidden(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t') || character == '\u{feff}'
}

fn escaped(text: &str) -> String {
    let one = |character: char| match character {
        '\n' => "\\n\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' => "\\\\".to_owned(),
        hidden if is_hidden(hidden) => {
            let mut bytes = [0; 4];
            hidden.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\x{byte:02x}")).collect()
        }
        plain => plain.to_string(),
    };
    let text: String = text.chars().map(one).collect();
    if text.ends_with('\n') { text } else { text + "\n" }
}
