//! The programs that only read, when they are given only what is listed here.
//!
//! Everything is an allow-list: a flag that is not listed is not proved, whatever it does.

mod find;
mod git;
mod git_env;
mod git_prints;
mod git_table;
mod jq;
mod options;
mod quirks;
mod sed;
mod table;
mod test;

use super::words::Word;
use crate::lists::listed;
pub use git_env::STILL_GIT;
pub(super) use git_env::{at_work, environment, hides_others};
pub(super) use git_prints::{Prints, excludes};
use options::ParsedArgs;

/// What a program would look at, as far as its words say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// The words that name files, by their number (1 is the first argument).
    pub(super) files: Vec<usize>,
    /// Names of files that are only a part of a word.
    pub(super) named: Vec<String>,
    /// A folder in place of a file would have what is in it read.
    pub(super) no_folders: bool,
    /// It only shows the names that its patterns match.
    pub(super) names_only: bool,
    /// It tells no more of its files than whether they are there.
    pub(super) only_there: bool,
    /// Does it read what lies below the folders that it names?
    pub(super) search: Search,
    /// Is it git in a repository?
    pub(super) git: bool,
    /// What of the repository's files it prints.
    pub(super) prints: Option<Prints>,
    /// It names none of its files itself and looks at the folder it runs in.
    pub(super) here: bool,
    /// Words that are put in when it is run: after the argument of this number, these.
    pub(super) added: Vec<(usize, &'static str)>,
}

/// How much of the text below a folder a program reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Search {
    /// None of it.
    #[default]
    Nothing,
    /// What is not hidden or ignored.
    Visible,
    All,
}

/// One program, or several that take the same words.
pub(super) struct Reader {
    /// Its names, parted by blanks.
    names: &'static str,
    /// Flags of one letter that take nothing.
    short: &'static str,
    /// Flags of one letter that take a value, attached or as the next word.
    valued: &'static str,
    /// Flags of one letter that may have a value attached.
    attached: &'static str,
    /// Long flags, parted by blanks: `all` takes nothing, `lines=` a value, `color[=]` maybe one.
    long: &'static str,
    /// May a number be a flag, like `-5`?
    numbers: bool,
    /// May flags of one letter be written together?
    clusters: bool,
    /// Does it take flags after its first operand? Where it does not, what looks like one would be a file.
    mixed: bool,
    /// Long flags that take two words, parted by blanks.
    twice: &'static str,
    operands: Operands,
    /// Flags with a reason why they are not listed above.
    known: &'static [(&'static str, &'static str)],
    /// What this table cannot say.
    check: Option<Check>,
}

/// What a program's parted words look at.
type Check = fn(&ParsedArgs<'_>) -> Result<Uses, String>;

/// What the operands of a program are.
#[derive(Clone, Copy)]
enum Operands {
    /// It takes none.
    None,
    /// Text; it opens nothing of that name.
    Text,
    /// Files, at most so many.
    Files(usize),
    /// Files, or the folder where it runs.
    FilesOrHere,
}

/// What `words` look at, or why they are not proved to only read. The first word is the program, known by `name`.
pub(super) fn uses(name: &str, words: &[Word]) -> Result<Uses, String> {
    let arguments = &words[1..];
    let reader = table::READERS.iter().find(|reader| listed(reader.names, name));
    match name {
        _ if reader.is_some() && tells_of_itself(arguments) => Ok(Uses::default()),
        "find" => find::uses(arguments),
        "test" | "[" => test::uses(name, arguments),
        "git" => git::uses(arguments),
        "echo" => Ok(quirks::echo(arguments)),
        "printf" => quirks::printf(arguments),
        "expr" => Ok(Uses::default()),
        "xxd" => quirks::xxd(arguments),
        "command" => quirks::command(arguments),
        _ => reader.ok_or_else(|| why_unknown(name))?.uses(arguments),
    }
}

/// `--help` or `--version`, and nothing else.
fn tells_of_itself(arguments: &[Word]) -> bool {
    matches!(arguments, [only] if only.text == "--help" || only.text == "--version")
}

/// Is `name` a program of the table, or one with a grammar of its own?
pub(super) fn is_reader(name: &str) -> bool {
    let own = ["find", "test", "[", "echo", "printf", "expr", "xxd", "command"];
    own.contains(&name) || table::READERS.iter().any(|reader| listed(reader.names, name))
}

fn why_unknown(name: &str) -> String {
    match table::NOT_READERS.iter().find(|(names, _)| listed(names, name)) {
        Some((_, why)) => format!("`{name}` {why}"),
        None => format!("`{name}` is not among the programs that are known to only read"),
    }
}

impl Reader {
    fn uses(&self, arguments: &[Word]) -> Result<Uses, String> {
        let given = options::parse(self, &[], arguments)?;
        match self.check {
            Some(check) => check(&given),
            None => self.operands.uses(&given),
        }
    }
}

impl Operands {
    fn uses(self, given: &ParsedArgs<'_>) -> Result<Uses, String> {
        match self {
            Operands::None if given.operands.is_empty() => Ok(Uses::default()),
            Operands::None => Err(format!("`{}` is more than it takes to read", given.text(0))),
            Operands::Text => Ok(Uses::default()),
            Operands::FilesOrHere => Ok(Uses { here: given.operands.is_empty(), ..given.files(0)? }),
            Operands::Files(most) => {
                let several = given.operands.iter().any(|at| given.words[at - 1].is_pattern());
                if given.operands.len() > most || several && most != usize::MAX {
                    return Err("with a second name it writes there".into());
                }
                given.files(0)
            }
        }
    }
}
