//! One setting is written into the user's own file, which stays as it is otherwise.

use super::file::File;
use super::parsed;
use agent_store::{SettingsFile, StoreError};
use std::path::{Path, PathBuf};

/// The user's file of settings in their folder.
pub(crate) fn file_of(user_folder: &Path) -> PathBuf {
    user_folder.join("config.toml")
}

/// Sets `name` to `value`, as TOML spells it or as plain text; without a value it is taken out, so that the default holds.
///
/// # Errors
/// There is no such setting, it cannot have this value, or the file cannot be read or written; nothing is changed then.
pub(crate) fn set(user_folder: &Path, name: &str, value: Option<&str>) -> Result<(), StoreError> {
    let path = file_of(user_folder);
    let named = name.split('.').all(|part| !part.is_empty() && part.chars().all(is_of_a_name));
    if !named {
        return Err(StoreError::Unfit { why: format!("{name} is no name of a setting; one is like screen.theme") });
    }
    SettingsFile::new(&path).set(name, value, |text| {
        File::parse(text).map_err(|fault| fault.words().to_owned())?;
        // Themes are files beside it.
        parsed(&path, text).map(drop).map_err(|error| error.to_string())
    })
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn said(name: &str, value: Option<&str>) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let said = set(folder.path(), name, value).map_or_else(|error| error.to_string(), |()| "written".to_owned());
        (said, fs::read_to_string(file_of(folder.path())).unwrap_or_default())
    }

    #[test]
    fn what_fits_is_written() {
        let written = |text: &str| ("written".to_owned(), text.to_owned());
        assert_eq!(said("screen.theme", Some("dark")), written("[screen]\ntheme = \"dark\"\n"));
        assert_eq!(said("limits.steps", Some("30")), written("[limits]\nsteps = 30\n"));
        assert_eq!(said("tools.exclude", Some("[\"web_search\"]")), written("[tools]\nexclude = [\"web_search\"]\n"));
        assert_eq!(said("limits.steps", None), written(""));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_why() {
        for (name, value, why) in [
            ("limits.stepps", "30", "steps"),
            ("limits.steps", "many", "expected a whole number above 0"),
            ("screen.theme", "drak", "drak"),
            ("mode", "reckless", "reckless"),
            ("keys.send", "enterr", "enterr"),
            ("limits", "30", "limits"),
            ("li mits.steps", "30", "no name of a setting"),
        ] {
            let (said, file) = said(name, Some(value));
            assert!(said.starts_with("nothing was written: ") && said.contains(why), "{name}: {said}");
            assert_eq!(file, "", "{name}");
        }
    }
}
