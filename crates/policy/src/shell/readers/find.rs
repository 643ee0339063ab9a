//! `find`: where it begins, then tests; of its actions only those that print.

use super::Uses;
use crate::lists::listed;
use crate::shell::words::Word;

/// Tests and actions without a value.
const ALONE: &str = "-print -print0 -ls -prune -quit -true -false -depth -d -mount -xdev -empty -readable -writable \
    -executable -nouser -nogroup -daystart -noleaf -not -and -a -or -o -warn -nowarn -ignore_readdir_race \
    -noignore_readdir_race ! ( ) ,";
/// Tests with a text or number for a value.
const VALUED: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname \
    -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -user -group -uid -gid -perm -maxdepth -mindepth \
    -links -inum -fstype -printf -newermt -newerat -newerct";
/// Tests with a file for a value.
const WITH_FILE: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile", "-newermm", "-neweraa", "-newercc"];
const KNOWN: &[(&str, &str)] = &[
    ("-exec", "runs another program"),
    ("-execdir", "runs another program"),
    ("-ok", "runs another program"),
    ("-okdir", "runs another program"),
    ("-delete", "deletes"),
    ("-fprint", "writes a file"),
    ("-fprint0", "writes a file"),
    ("-fprintf", "writes a file"),
    ("-fls", "writes a file"),
    ("-files0-from", "reads a list of further places"),
    ("-L", "follows links out of the folder"),
    ("-H", "follows links out of the folder"),
    ("-follow", "follows links out of the folder"),
];

/// What `find` looks at: names below the places it begins, and files it compares with.
pub(super) fn uses(arguments: &[Word]) -> Result<Uses, String> {
    let mut uses = Uses::default();
    if matches!(arguments, [only] if matches!(only.text.as_str(), "--version" | "-version" | "--help" | "-help")) {
        return Ok(uses);
    }
    let flags = arguments.iter().take_while(|word| word.text == "-P").count();
    let starts = |word: &&Word| !word.text.starts_with('-') && !matches!(word.text.as_str(), "(" | "!" | "," | ")");
    let places = arguments[flags..].iter().take_while(starts).count();
    uses.files.extend(flags + 1..=flags + places);
    uses.here = places == 0;
    let mut at = flags + places;
    while let Some(word) = arguments.get(at) {
        let text = word.text.as_str();
        at += 1;
        if listed(ALONE, text) {
            continue;
        }
        if !listed(VALUED, text) && !WITH_FILE.contains(&text) {
            return Err(why_not(text));
        }
        let value = arguments.get(at).ok_or_else(|| format!("`{text}` lacks its value"))?;
        at += 1;
        if WITH_FILE.contains(&text) {
            if value.is_pattern() {
                return Err(format!("`{}` may stand for several words", value.text));
            }
            uses.files.push(at);
        }
    }
    Ok(uses)
}

fn why_not(text: &str) -> String {
    match KNOWN.iter().find(|(known, _)| *known == text) {
        Some((_, why)) => format!("`{text}` {why}"),
        None if text.starts_with('-') => format!("`{text}` is not among the tests that are known to only read"),
        None => format!("`{text}` stands where a test should"),
    }
}
