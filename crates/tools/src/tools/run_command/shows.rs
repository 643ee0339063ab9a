//! A command that only shows a file, like `cat src/main.rs`, is told like a read of it: with line numbers, no more lines than a
//! read shows, and what stands in the rest. Models that know a shell best read by it, and a whole file fills a window.
//!
//! The command is asked about and run like any other; only what it put out is told otherwise, and nothing else is looked at.

use crate::apply::digest;
use crate::blocking::Stop;
use crate::program::{Reading, Said, Told};
use crate::tools::ToolContext;
use crate::tools::read_file::{AskedBy, ReadWish, Values, WantedLines, shown_text};
use crate::words;
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Lines that `head` shows when nothing is said.
const HEAD: u64 = 10;

/// What of a file a command shows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shows {
    /// As the command names it.
    file: String,
    /// The folder that it changes to before.
    folder: Option<String>,
    first: u64,
    lines: Option<u64>,
    /// Each line comes with its number.
    numbered: bool,
}

/// How what `command` puts out is told, where all that it does is to show a file.
pub(super) fn reading(kit: &ToolContext, command: &str, cwd: &Path) -> Option<Reading> {
    let usual = u64::from(kit.levers().read_lines);
    let shows = Shows::of(command).filter(|_| usual > 0)?;
    let folder = shows.folder.as_ref().map_or(cwd.to_owned(), |folder| cwd.join(folder));
    let path = kit.workspace.resolve(folder.join(&shows.file).to_str()?).ok()?;
    if kit.workspace.is_secret(&path) {
        return None;
    }
    let workspace = kit.workspace.clone();
    Some(Arc::new(move |said: &Said<'_>| {
        let told = aside(|| shows.told(&workspace.shown(&path), usual, said))?;
        let whole = shows.lines.is_none() && shows.first == 1 && !shows.numbered && !said.cut;
        if whole && !said.raw.contains(char::REPLACEMENT_CHARACTER) {
            workspace.seen().note(&path, digest(said.raw.as_bytes()));
        }
        Some(told)
    }))
}

/// A grammar may take its time, and others wait for this thread.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        Ok(_) | Err(_) => work(),
    }
}

impl Shows {
    fn of(command: &str) -> Option<Self> {
        let words = words_of(command)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (folder, words) = match &words[..] {
            ["cd", folder, "&&", rest @ ..] => (Some((*folder).to_owned()), rest),
            rest => (None, rest),
        };
        let (file, first, lines, numbered) = match words {
            ["cat", file] => (file, 1, None, false),
            ["cat", "-n", file] => (file, 1, None, true),
            ["head", file] => (file, 1, Some(HEAD), false),
            ["head", "-n", lines, file] => (file, 1, Some(lines.parse().ok()?), false),
            ["head", lines, file] => {
                (file, 1, Some(lines.strip_prefix('-')?.trim_start_matches('n').parse().ok()?), false)
            }
            ["tail", "-n", from, file] => (file, from.strip_prefix('+')?.parse().ok()?, None, false),
            ["sed", "-n", range, file] => {
                let (first, lines) = sed_range(range)?;
                (file, first, lines, false)
            }
            _ => return None,
        };
        let is_file = !file.starts_with('-') && first > 0 && lines != Some(0);
        is_file.then(|| Shows { file: (*file).to_owned(), folder, first, lines, numbered })
    }

    /// `None`: that is not what such a command puts out, and stays as it is.
    fn told(&self, shown: &str, usual: u64, said: &Said<'_>) -> Option<Told> {
        if said.code != Some(0) || said.text.is_empty() {
            return None;
        }
        let text = if self.numbered { without_numbers(said.text)? } else { said.text.to_owned() };
        if self.lines.is_none() && self.first == 1 && !said.cut {
            let wanted = WantedLines { first: 1, lines: None, usual, asked: AskedBy::Other };
            let wish = ReadWish { wanted, values: Values::Shown, room: said.room };
            let outcome = shown_text(&text, shown, wish, &Stop::default()).ok()?;
            return Some(Told { told: outcome.told, summary: outcome.summary, failing: None, cannot_run: false });
        }
        Some(self.told_in_part(&text, usual, said))
    }

    /// Some lines, of a file that nobody knows the end of.
    fn told_in_part(&self, text: &str, usual: u64, said: &Said<'_>) -> Told {
        let most = self.lines.unwrap_or(usual);
        let (mut told, mut last, mut is_all) = (String::new(), self.first.saturating_sub(1), true);
        for line in text.lines() {
            let line = format!("{}\t{line}\n", last + 1);
            if last + 1 >= self.first.saturating_add(most) || told.len() + line.len() > said.room.saturating_sub(200) {
                is_all = false;
                break;
            }
            told.push_str(&line);
            last += 1;
        }
        let asked_for_less = self.lines.is_some_and(|lines| last + 1 >= self.first.saturating_add(lines));
        let lines = words::count(last + 1 - self.first, "line");
        if !is_all || asked_for_less || said.cut {
            told.push_str(&format!("[lines {}–{last}; read_file with offset={} shows more]\n", self.first, last + 1));
        }
        Told { told, summary: lines, failing: None, cannot_run: false }
    }
}

/// `10,20p`, `10p` and `10,$p`.
fn sed_range(range: &str) -> Option<(u64, Option<u64>)> {
    let range = range.strip_suffix('p')?;
    let (first, last) = range.split_once(',').unwrap_or((range, range));
    let first: u64 = first.trim().parse().ok()?;
    match last.trim() {
        "$" => Some((first, None)),
        last => Some((first, Some((last.parse::<u64>().ok()? + 1).checked_sub(first)?))),
    }
}

/// The text without what `cat -n` puts before each line.
fn without_numbers(text: &str) -> Option<String> {
    let bare = |line: &str| {
        let (number, rest) = line.split_once('\t')?;
        number.trim_start().bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("{rest}\n"))
    };
    text.lines().map(bare).collect()
}

/// The words of a line in which nothing has a meaning of its own for a shell but blanks, quotes and `&&`.
fn words_of(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for sign in line.trim().chars() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (Some('"'), '$' | '`' | '\\' | '!') => return None,
            (Some(_), sign) => word.get_or_insert_default().push(sign),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(sign);
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, sign) if sign.is_alphanumeric() || "_-./+@%=,:&".contains(sign) => {
                word.get_or_insert_default().push(sign);
            }
            (None, _) => return None,
        }
    }
    words.extend(word);
    let is_plain = quote.is_none() && words.iter().all(|word| word == "&&" || !word.contains('&'));
    is_plain.then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(command: &str) -> Option<(String, u64, Option<u64>)> {
        Shows::of(command).map(|shows| (shows.file, shows.first, shows.lines))
    }

    #[test]
    fn commands_that_only_show_a_file_are_known() {
        let file = |first, lines| Some(("src/a.rs".to_owned(), first, lines));
        for command in ["cat src/a.rs", " cat  'src/a.rs' ", "cat -n src/a.rs", "cd lib && cat \"src/a.rs\""] {
            assert_eq!(shows(command), file(1, None), "{command}");
        }
        assert_eq!(shows("head src/a.rs"), file(1, Some(10)));
        for command in ["head -n 50 src/a.rs", "head -50 src/a.rs", "head -n50 src/a.rs"] {
            assert_eq!(shows(command), file(1, Some(50)), "{command}");
        }
        assert_eq!(shows("sed -n '10,20p' src/a.rs"), file(10, Some(11)));
        assert_eq!(shows("sed -n 10p src/a.rs"), file(10, Some(1)));
        assert_eq!(shows("sed -n '10,$p' src/a.rs"), file(10, None));
        assert_eq!(shows("tail -n +5 src/a.rs"), file(5, None));
    }

    #[test]
    fn what_does_more_or_is_not_certain_is_a_command_like_any_other() {
        for command in [
            "cat a b",
            "cat a | head",
            "cat a > b",
            "cat *.rs",
            "cat $FILE",
            "cat \"$FILE\"",
            "cat ~/a",
            "cat -A a",
            "cat a; ls",
            "cat a & ls",
            "cat `ls`",
            "cat 'a",
            "tail -n 5 a",
            "sed -n '20,10p' a",
            "sed -n '/x/p' a",
            "sed -i 's/a/b/' a",
            "head -c 10 a",
            "cat",
            "cd a && make",
        ] {
            assert_eq!(shows(command), None, "{command}");
        }
    }

    fn told(command: &str, text: &str, usual: u64, cut: bool) -> Option<String> {
        let said = Said { code: Some(0), text, raw: text, cut, room: 4_000 };
        Shows::of(command)?.told("a.rs", usual, &said).map(|told| told.told)
    }

    #[test]
    fn what_is_shown_has_numbers_and_no_more_lines_than_a_read() {
        let text: String = (1..=20).map(|at| format!("fn f{at}() {{}}\n")).collect();
        assert_eq!(
            told("cat a.rs", &text, 3, false).as_deref(),
            Some(
                "1\tfn f1() {}\n2\tfn f2() {}\n3\tfn f3() {}\n[lines 4–20 not shown; fn f4 4 · fn f5 5 · fn f6 6 · fn f7 7 · \
                 fn f8 8 · fn f9 9 · fn f10 10 · fn f11 11 · fn f12 12 · fn f13 13 · fn f14 14 · fn f15 15 · fn f16 16 · fn \
                 f17 17 · fn f18 18 · fn f19 19 · fn f20 20; read_file with offset=4 shows more]\n"
            )
        );
        assert_eq!(told("cat a.rs", "x\ny", 250, false).as_deref(), Some("1\tx\n2\ty\n"));
        let numbered = "     1\tx\n     2\ty\n";
        assert_eq!(told("cat -n a.rs", numbered, 250, false).as_deref(), Some("1\tx\n2\ty\n"));
        assert_eq!(told("cat -n a.rs", "x\ny\n", 250, false), None, "that is no numbered file");
    }

    #[test]
    fn a_part_has_the_numbers_of_its_lines_and_says_how_there_is_more() {
        let more = "[lines 10–11; read_file with offset=12 shows more]\n";
        assert_eq!(told("sed -n 10,11p a.rs", "x\ny\n", 250, false), Some(format!("10\tx\n11\ty\n{more}")));
        assert_eq!(told("sed -n 10,15p a.rs", "x\ny\n", 250, false).as_deref(), Some("10\tx\n11\ty\n"), "the end");
        assert_eq!(told("sed -n '10,$p' a.rs", "x\ny\nz\n", 2, false), Some(format!("10\tx\n11\ty\n{more}")));
        let cut = told("cat a.rs", "x\ny\nz\n", 2, true);
        assert_eq!(cut.as_deref(), Some("1\tx\n2\ty\n[lines 1–2; read_file with offset=3 shows more]\n"));
    }
}
