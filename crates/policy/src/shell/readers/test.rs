//! `test` and `[`.

use super::Uses;
use crate::shell::words::Word;

const OF_A_FILE: &[&str] =
    &["-e", "-f", "-d", "-r", "-w", "-x", "-s", "-L", "-h", "-S", "-p", "-b", "-c", "-g", "-k", "-u", "-O", "-G", "-N"];
const OF_TWO_FILES: &[&str] = &["-nt", "-ot", "-ef"];
/// Tests of numbers, and nothing but numbers: some shells work out what they are given.
const OF_NUMBERS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
/// The rest. Not `-v` and `-R`, which work out an index that may run something.
const OTHERS: &[&str] = &["-z", "-n", "-a", "-o"];

/// What the test looks at.
pub(super) fn uses(name: &str, arguments: &[Word]) -> Result<Uses, String> {
    let inside = match (name, arguments) {
        ("[", [inside @ .., last]) if last.text == "]" => inside,
        ("[", _) => return Err("`[` lacks its `]`".into()),
        _ => arguments,
    };
    let mut uses = Uses { only_there: true, ..Uses::default() };
    for (at, word) in inside.iter().enumerate() {
        let text = word.text.as_str();
        let after = (at + 1 < inside.len()).then_some(at + 2);
        if OF_A_FILE.contains(&text) {
            uses.files.extend(after);
        } else if OF_TWO_FILES.contains(&text) {
            uses.files.extend((at > 0).then_some(at));
            uses.files.extend(after);
        } else if OF_NUMBERS.contains(&text) {
            let sides = [at.checked_sub(1).and_then(|before| inside.get(before)), inside.get(at + 1)];
            if !sides.iter().flatten().all(|side| is_whole(&side.text)) {
                return Err(format!("`{text}` compares more than numbers"));
            }
        } else if text.starts_with('-') && text.len() > 1 && !OTHERS.contains(&text) && !is_whole(text) {
            return Err(format!("`{text}` is not among the tests that are known to only read"));
        }
    }
    uses.files.dedup();
    let pattern = |at: &&usize| inside[**at - 1].is_pattern();
    match uses.files.iter().find(pattern) {
        Some(at) => Err(format!("`{}` may stand for several words", inside[at - 1].text)),
        None => Ok(uses),
    }
}

fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.len() < 19 && digits.bytes().all(|c| c.is_ascii_digit())
}
