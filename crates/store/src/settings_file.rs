//! The user's file of settings, in which one of them is set.
//!
//! Knows how such a file is written. Which settings there are, and what may stand there, is for others to know.

use crate::{StoreError, user_file};
use std::path::PathBuf;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

const WHAT: &str = "your settings";

#[derive(Debug, Clone)]
pub struct SettingsFile {
    path: PathBuf,
}

impl SettingsFile {
    /// The one at `path`, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        SettingsFile { path: path.into() }
    }

    /// Sets `name`, whose dots lead into tables, to `value`; without a value it is taken out. A value is spelled as in TOML; what
    /// is none there, or is refused so, is tried as text. `check` says what is wrong with the text of a file.
    ///
    /// # Errors
    /// [`StoreError::Unfit`] when the file that would come of it does not hold, [`StoreError::Unreadable`] when the one that is
    /// there does not; and where it cannot be written.
    pub fn set(
        &self,
        name: &str,
        value: Option<&str>,
        check: impl Fn(&str) -> Result<(), String>,
    ) -> Result<(), StoreError> {
        user_file::change(&self.path, WHAT, |text, path| {
            let unreadable = |why| StoreError::Unreadable { path: path.to_owned(), why };
            check(text).map_err(unreadable)?;
            let mut unfit = None;
            for value in spellings(value) {
                let changed = with(text, name, value).map_err(unreadable)?;
                match check(&changed) {
                    Ok(()) => return Ok(changed),
                    Err(why) => drop(unfit.get_or_insert(why)),
                }
            }
            Err(StoreError::Unfit { why: unfit.unwrap_or_default() })
        })
    }
}

/// What may be meant by a value as it was typed; nothing means to take it out.
fn spellings(typed: Option<&str>) -> Vec<Option<Value>> {
    let Some(typed) = typed else { return vec![None] };
    let text = Value::from(typed);
    match typed.trim().parse::<Value>() {
        Ok(value) if value.is_str() => vec![Some(value)],
        Ok(value) => vec![Some(value), Some(text)],
        Err(_) => vec![Some(text)],
    }
}

/// `text` with this value; the error says what is wrong with `text`.
fn with(text: &str, name: &str, value: Option<Value>) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    // Comments that nothing follows yet belong to the end; what is added would come before them.
    let mut head = String::new();
    if document.is_empty() && !text.is_empty() {
        head = format!("{}\n", text.trim_end_matches('\n'));
        document.set_trailing("");
    }
    let (sections, key) = name.rsplit_once('.').unwrap_or(("", name));
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for section in sections.split('.').filter(|section| !section.is_empty()) {
        if value.is_none() && !table.contains_key(section) {
            return Ok(text.to_owned());
        }
        let item = table.entry(section).or_insert_with(|| Item::Table(Table::new()));
        table = item.as_table_like_mut().ok_or_else(|| format!("{section} is no table"))?;
    }
    put(table, key, value);
    Ok(head + &document.to_string())
}

/// Only the value changes; a comment beside it stays.
fn put(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    let Some(mut value) = value else { return drop(table.remove(key)) };
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        Some(other) => *other = Item::Value(value),
        None => drop(table.insert(key, Item::Value(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn after(text: &str, name: &str, value: Option<&str>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        match SettingsFile::new(&path).set(name, value, check) {
            Ok(()) => fs::read_to_string(path).unwrap(),
            Err(error) => {
                assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "the file is left alone");
                error.to_string().replace(&folder.path().display().to_string(), "")
            }
        }
    }

    /// Some settings.
    fn check(text: &str) -> Result<(), String> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let steps = table.get("limits").and_then(|limits| limits.get("steps"));
        if steps.is_some_and(|steps| !steps.is_integer()) {
            return Err("limits.steps is a number".into());
        }
        let model = table.get("model");
        if model.is_some_and(|model| !model.is_str()) { Err("model is a text".into()) } else { Ok(()) }
    }

    #[test]
    fn only_what_is_set_changes_and_comments_stay() {
        let text = "# mine\nmodel = \"a\"  # the small one\n\n# bounds\n[limits]\n# few\nsteps = 3 # at first\n";
        assert_eq!(after(text, "limits.steps", Some("30")), text.replace("3 #", "30 #"));
        assert_eq!(after(text, "model", Some("b")), text.replace("\"a\"", "\"b\""));
        assert_eq!(after(text, "limits.repeats", Some("2")), format!("{text}repeats = 2\n"));
        assert_eq!(after(text, "undo.enabled", Some("false")), format!("{text}\n[undo]\nenabled = false\n"));
        assert_eq!(after(text, "mode", Some("plan")), text.replace("one\n", "one\nmode = \"plan\"\n"));
    }

    #[test]
    fn a_setting_is_taken_out_and_what_is_not_there_stays_so() {
        assert_eq!(after("a = 1\n[limits]\nsteps = 3\n", "limits.steps", None), "a = 1\n[limits]\n");
        assert_eq!(after("a = 1\n", "b", None), "a = 1\n");
        assert_eq!(after("a = 1\n", "limits.steps", None), "a = 1\n");
    }

    #[test]
    fn a_new_file_is_made_and_comments_alone_stay_above() {
        assert_eq!(after("", "limits.steps", Some("3")), "[limits]\nsteps = 3\n");
        assert_eq!(after("# mine\n", "model", Some("a")), "# mine\nmodel = \"a\"\n");
    }

    #[test]
    fn what_is_typed_is_read_as_it_fits() {
        assert_eq!(after("", "model", Some("3")), "model = \"3\"\n", "a name that looks like a number");
        assert_eq!(after("", "model", Some("\"q:30b\"")), "model = \"q:30b\"\n");
        assert_eq!(after("", "tools.core", Some("[\"a\", \"b\"]")), "[tools]\ncore = [\"a\", \"b\"]\n");
        assert_eq!(after("", "limits.steps", Some("many")), "nothing was written: limits.steps is a number");
    }

    #[test]
    fn a_file_that_is_wrong_already_is_left_alone() {
        let said = after("[limits]\nsteps = \"few\"\n", "model", Some("a"));
        assert_eq!(
            said,
            "cannot change /config.toml, for it cannot be read: limits.steps is a number; mend it by hand"
        );
        let said = after("model = \n", "model", Some("a"));
        assert!(said.starts_with("cannot change /config.toml"), "{said}");
    }
}
