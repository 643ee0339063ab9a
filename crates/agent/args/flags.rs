//! What each flag lets happen without a question, as `--help` shows it: the table of `policy`, in lines.

use agent_policy::flags::{Kind, TABLE, disposable_only, never};

/// Characters of a line.
const WIDTH: usize = 96;

/// `before`, and then the table.
pub(super) fn help(before: &str) -> String {
    let mut text = format!("{before}\n\nWhat happens without a question, inside the project:\n");
    for row in TABLE {
        text.push_str(&format!("  {}\n{}", row.spelled(), wrapped(&row.in_words(), "      ")));
    }
    let listed = |kinds: &[Kind]| kinds.iter().map(|kind| kind.in_words()).collect::<Vec<_>>().join("; ");
    text.push_str("What only --no-sandbox-no-questions covers (with -p it is refused):\n");
    text.push_str(&wrapped(&listed(&disposable_only().collect::<Vec<_>>()), "      "));
    text.push_str("What no flag covers (with -p it is refused):\n");
    text.push_str(&wrapped(&listed(&never().collect::<Vec<_>>()), "      "));
    text.push_str("With --plan nothing is changed, whatever else is said.");
    text
}

/// `words` in lines, each behind `indent`.
fn wrapped(words: &str, indent: &str) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for word in words.split(' ') {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > WIDTH {
            text.push_str(&format!("{indent}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    text + &format!("{indent}{line}\n")
}
