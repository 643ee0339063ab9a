//! Flags and operands of a program, told apart as most programs do.

use super::script::ScriptWord;

/// The words that are no flags; all of them after `--`.
pub(super) fn operands(words: &[ScriptWord]) -> Vec<&ScriptWord> {
    let end = words.iter().position(|word| word.text == "--");
    let (before, after) = words.split_at(end.unwrap_or(words.len()));
    let plain = |word: &&ScriptWord| !word.text.starts_with('-') || word.text == "-";
    before.iter().filter(plain).chain(after.iter().skip(1)).collect()
}

/// Is this flag among the words: its letter in a cluster, or its long name, cut short or not?
pub(super) fn has(words: &[ScriptWord], letters: &[char], long: &str) -> bool {
    let flags = words.iter().map(|word| word.text.as_str()).take_while(|text| *text != "--");
    flags.into_iter().any(|text| match text.strip_prefix("--") {
        Some(name) => {
            let name = name.split('=').next().unwrap_or_default();
            name.len() > 2 && long.starts_with(name)
        }
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(letters)),
    })
}

/// Is one of these exactly a word (or its beginning, before a `=`)?
pub(super) fn says(words: &[ScriptWord], any: &[&str]) -> bool {
    words.iter().any(|word| any.contains(&word.text.split('=').next().unwrap_or_default()))
}

/// The value of a flag: in the next word, or after `=`.
pub(super) fn value(words: &[ScriptWord], flags: &[&str]) -> Option<ScriptWord> {
    for (at, word) in words.iter().enumerate() {
        if flags.contains(&word.text.as_str()) {
            return words.get(at + 1).cloned();
        }
        if let Some((name, value)) = word.text.split_once('=')
            && flags.contains(&name)
        {
            return Some(ScriptWord { text: value.to_owned(), pattern: None, unknown: word.unknown });
        }
    }
    None
}

/// The subcommand of git and what follows it, the flags before it left out.
pub(super) fn of_git(words: &[ScriptWord]) -> Option<(&str, &[ScriptWord])> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--exec-path"
            | "--attr-source" | "--shallow-file" => at += 2,
            flag if flag.starts_with('-') => at += 1,
            subcommand => return Some((subcommand, &words[at + 1..])),
        }
    }
    None
}
