//! The settings that git would use, by name, as git itself lists them.

use super::{Git, is_harmless, names_program};
use std::path::Path;

/// Names of settings that matter.
pub(super) struct Settings {
    /// Of the repository: all that are not known to be harmless.
    pub(super) repository: Vec<String>,
    /// Of the user and the system: those that name programs.
    pub(super) person: Vec<String>,
}

/// Those that hold in `folder`.
pub(super) fn of_repository(git: &Git<'_>, folder: &Path) -> Option<Settings> {
    let said = git.ask(folder, &["config", "--list", "--name-only", "--show-scope", "--includes", "-z"])?;
    let words = words(&said);
    let mut settings = Settings { repository: Vec::new(), person: Vec::new() };
    for pair in words.chunks(2) {
        let [scope, key] = pair else { return None };
        match scope.as_str() {
            "system" | "global" if names_program(key) => settings.person.push(key.clone()),
            // What is asked here is given to git by command.
            "system" | "global" | "command" => {}
            _ if is_harmless(key) => {}
            _ => settings.repository.push(key.clone()),
        }
    }
    for keys in [&mut settings.repository, &mut settings.person] {
        keys.sort();
        keys.dedup();
    }
    Some(settings)
}

/// Those of the file `config` that are not known to be harmless; `None` where it cannot be read.
pub(super) fn of_file(git: &Git<'_>, config: &Path) -> Option<Vec<String>> {
    let (folder, name) = (config.parent()?, config.to_str()?);
    let said = git.ask(folder, &["config", "--file", name, "--list", "--name-only", "--includes", "-z"])?;
    let mut keys: Vec<String> = words(&said).into_iter().filter(|key| !is_harmless(key)).collect();
    keys.sort();
    keys.dedup();
    Some(keys)
}

fn words(said: &[u8]) -> Vec<String> {
    let mut words: Vec<String> =
        said.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into()).collect();
    // Every word ends in a NUL, also the last.
    words.pop();
    words
}
