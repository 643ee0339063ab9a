//! `git`: subcommands that only read, with nothing that runs a program of the repository's or looks outside it.

use super::Uses;
use super::git_prints;
use super::git_table::{GitOperands, HARMLESS_KEYS, SUBCOMMANDS, Subcommand};
use super::options::{self, ParsedArgs};
use crate::shell::words::Word;

/// What `git` looks at.
pub(super) fn uses(arguments: &[Word]) -> Result<Uses, String> {
    let no_pager = arguments.first().is_some_and(|word| word.text == "--no-pager" || word.text == "-P");
    let start = usize::from(no_pager);
    let texts: Vec<&str> = arguments[start..].iter().map(|word| word.text.as_str()).collect();
    match texts.as_slice() {
        ["--version" | "version"] => return Ok(Uses::default()),
        [flag, ..] if flag.starts_with('-') => {
            return Err(format!("`{flag}` before git's subcommand can make it obey something else"));
        }
        [_, ..] => {}
        [] => return Err("`git` lacks its subcommand".into()),
    }
    let (subcommand, named) = find(&texts)?;
    let given = options::parse(&subcommand.reader, subcommand.also, &arguments[start + named..])?;
    check_values(&given)?;
    let mut uses = operands(subcommand, &given)?;
    let offset = start + named;
    // What is left out is not looked at.
    uses.files.retain(|at| !git_prints::excludes(&given.words[at - 1].text));
    uses.named.extend(uses.files.iter().flat_map(|at| parts(&given.words[at - 1].text)));
    uses.named.extend(given.values(&["-L"]).filter_map(|range| Some(range.rsplit_once(':')?.1.to_owned())));
    uses.files.iter_mut().for_each(|at| *at += offset);
    uses.git = true;
    uses.prints = git_prints::prints(subcommand, &given);
    uses.only_there = subcommand.name == "check-ignore";
    if !no_pager {
        uses.added.push((0, "--no-pager"));
    }
    uses.added.extend(subcommand.hardened.iter().map(|flag| (offset, *flag)));
    Ok(uses)
}

/// The subcommand, and how many words name it.
fn find(texts: &[&str]) -> Result<(&'static Subcommand, usize), String> {
    let name = texts[0];
    let next = texts.get(1).copied().unwrap_or_default();
    let mut named = SUBCOMMANDS.iter().filter(|subcommand| subcommand.name == name).peekable();
    if named.peek().is_none() {
        return Err(format!("`git {name}` is not among its subcommands that are known to only read"));
    }
    let kinds: Vec<&Subcommand> = named.collect();
    if let Some(found) = kinds.iter().find(|subcommand| !next.is_empty() && subcommand.kinds.contains(&next)) {
        return Ok((found, 2));
    }
    // Without a word of its own, or where what follows is a flag or nothing.
    let plain = |subcommand: &&&Subcommand| subcommand.kinds.is_empty() || bare(subcommand, next);
    match kinds.iter().find(plain) {
        Some(found) => Ok((found, 1)),
        None => Err(format!("`git {name} {next}` is not known to only read")),
    }
}

fn bare(subcommand: &Subcommand, next: &str) -> bool {
    subcommand.kinds.contains(&"") && (next.is_empty() || next.starts_with('-') || next == "HEAD")
}

/// Formats that run a program when they are filled in.
fn check_values(given: &ParsedArgs<'_>) -> Result<(), String> {
    for value in given.values(&["--format", "--pretty", "--sort", "--group"]) {
        let folded = value.to_ascii_lowercase();
        let signed = |rest: &str| rest.trim_start_matches(['+', '-', ' ']).starts_with('G');
        if value.split('%').skip(1).any(signed) || folded.contains("trailer") || folded.contains("signature") {
            return Err(format!("the format `{value}` can run a program of the repository's config"));
        }
    }
    let named = given.values(&["--pretty", "--format"]).find(|value| !is_format(value) && !value.contains('%'));
    named.map_or(Ok(()), |value| Err(format!("the format `{value}` is defined elsewhere")))
}

fn is_format(value: &str) -> bool {
    ["oneline", "short", "medium", "full", "fuller", "reference", "email", "raw", ""].contains(&value)
        || value.starts_with("format:")
        || value.starts_with("tformat:")
}

fn operands(subcommand: &Subcommand, given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let count = given.operands.len();
    let pattern = given.operands.iter().any(|at| given.words[at - 1].is_pattern());
    match subcommand.operands {
        GitOperands::Objects => given.files(0),
        GitOperands::Pattern => given.files(usize::from(!given.has(&["-e"]))),
        GitOperands::Listing(flags) if count == 0 || flags.split_ascii_whitespace().any(|flag| given.has(&[flag])) => {
            Ok(Uses::default())
        }
        GitOperands::Names(most) if count <= most && !pattern => Ok(Uses::default()),
        GitOperands::None if count == 0 => Ok(Uses::default()),
        GitOperands::Key if given.has(&["--get-regexp"]) => match given.operands.len() {
            1 if HARMLESS_SECTIONS.contains(&given.text(0).trim_end_matches(['.', '\\', '*'])) => Ok(Uses::default()),
            _ => Err("a key that is matched may hold a secret".into()),
        },
        GitOperands::Key => match given.operands.len() {
            1 if is_harmless(given.text(0)) => Ok(Uses::default()),
            1 => Err(format!("the key `{}` may hold a secret", given.text(0))),
            _ => Err("more than one key is read, or one is set".into()),
        },
        GitOperands::Listing(_) | GitOperands::Names(_) | GitOperands::None => {
            Err(format!("`git {}` with `{}` may change something", subcommand.name, given.text(count - 1)))
        }
    }
}

/// Beginnings of keys that hold no secret, as patterns.
const HARMLESS_SECTIONS: &[&str] = &["^user", "^branch", "^color", "^pull", "^init"];

fn is_harmless(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    HARMLESS_KEYS.split_ascii_whitespace().any(|known| match known.split_once('*') {
        None => known == key,
        Some((start, end)) => key.len() > known.len() && key.starts_with(start) && key.ends_with(end),
    })
}

/// The paths in `HEAD:path`, `:0:path`, `:!path`.
fn parts(text: &str) -> Vec<String> {
    let after = |(at, _): (usize, &str)| text[at + 1..].trim_start_matches(['!', '^', '/']).to_owned();
    let magic = text.split_once(')').filter(|_| text.starts_with(":(")).map(|(_, path)| path.to_owned());
    text.match_indices(':').map(after).filter(|part| !part.is_empty()).chain(magic).collect()
}
