//! What `config/default.toml` says of each setting: the sentences above it, and its default or, where it has none, an example.

use super::DEFAULT;
use toml::Table;

/// What is said of one setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Described {
    /// Its whole name, like `screen.mouse`.
    pub(crate) name: String,
    /// The sentences; where several settings share some, each has them.
    pub(crate) about: String,
    /// How a value looks, where none is set.
    pub(crate) example: Option<String>,
}

/// All settings of their own, in the order of the file. What stands in tables that somebody has to name first (`[servers.team]`,
/// `[[hooks]]`) is none of them.
pub(crate) fn all() -> Vec<Described> {
    let (mut found, mut section, mut comment, mut stage) = (Vec::new(), String::new(), Vec::new(), Stage::Above);
    for line in DEFAULT.lines() {
        let commented = line.strip_prefix("# ");
        if line.is_empty() {
            (stage, comment) = (Stage::Above, Vec::new());
        } else if let Some(name) = line.strip_prefix('[') {
            (section, stage, comment) = (format!("{}.", name.trim_end_matches(']')), Stage::Above, Vec::new());
        } else if commented.is_some_and(|rest| rest.starts_with('[')) {
            stage = Stage::InExample;
        } else if let Some((key, value, beside)) = key_of(commented.unwrap_or(line)) {
            if stage == Stage::InExample {
                continue;
            }
            let about = if beside.is_empty() { comment.join(" ") } else { beside.to_owned() };
            let example = commented.map(|_| value.to_owned());
            found.push(Described { name: format!("{section}{key}"), about, example });
            stage = Stage::Below;
        } else if let Some(words) = commented {
            if stage == Stage::Below {
                (stage, comment) = (Stage::Above, Vec::new());
            }
            comment.push(words);
        }
    }
    found
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Above the setting that it tells of.
    Above,
    /// Below one: what is said next is of others.
    Below,
    /// In a table that is only an example.
    InExample,
}

/// The name, the value and the comment behind it of a line like `steps = 100  # words`.
fn key_of(line: &str) -> Option<(&str, &str, &str)> {
    let (key, _) = line.split_once(" = ")?;
    let plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    line.parse::<Table>().ok().filter(|_| key.chars().all(plain))?;
    let behind = &line[key.len() + " = ".len()..];
    let (value, beside) = behind.split_once("  #").unwrap_or((behind, ""));
    Some((key, value.trim(), beside.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::File;
    use std::collections::HashSet;

    fn of(name: &str) -> Described {
        all().into_iter().find(|described| described.name == name).unwrap_or_else(|| panic!("{name} is not told of"))
    }

    #[test]
    fn every_setting_that_holds_by_default_is_told_of_once() {
        let all = all();
        let names: HashSet<&str> = all.iter().map(|described| described.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        for (name, _) in super::super::listing::leaves(DEFAULT) {
            assert!(names.contains(name.as_str()), "{name}");
        }
    }

    #[test]
    fn every_example_is_one_that_may_stand_there() {
        for Described { name, example, about } in all() {
            let Some(example) = example else { continue };
            let (section, key) = name.rsplit_once('.').unwrap_or(("", &name));
            let header = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
            let read = File::parse(&format!("{header}{key} = {example}\n"));
            assert!(read.is_ok(), "{name} = {example}: {read:?}");
            assert!(!about.contains("# "), "{name}: {about}");
        }
    }

    #[test]
    fn what_is_said_is_of_the_setting_below_it() {
        assert!(of("proxy").about.starts_with("Reach a server elsewhere") && of("proxy").example.is_none());
        assert_eq!(of("harness.idle").about, of("harness.looks").about, "they share their sentences");
        assert!(of("harness.longest_call").about.starts_with("Tokens of one call"));
        assert_eq!(of("harness.longest_call").example.as_deref(), Some("12000"));
        assert_eq!(of("keys.send").about, "send the message");
        assert_eq!(of("server.api_key_env").example.as_deref(), Some("\"TEAM_KEY\""));
        assert!(of("undo.store_mb").about.starts_with("and before that"));
        assert!(all().iter().all(|described| !described.name.contains("team")));
    }
}
