//! What is asked of a server, and about which place of a file. The model counts lines and columns from 1, as read_file
//! shows them, and may name the symbol in place of a column.

use super::super::find_references::bare;
use crate::arguments::Arguments;
use crate::lsp::{Encoding, Lines, Position};
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use std::path::PathBuf;

/// Places that are tried one after the other where only a name was given.
const TRIED: usize = 5;
/// Lines that are named where a symbol stands.
const NAMED: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LspAction {
    Definition,
    References,
    Hover,
    Symbols,
    Diagnostics,
    Rename,
    Completions,
}

impl LspAction {
    fn of(action: &str) -> Self {
        use LspAction::{Completions, Definition, Diagnostics, Hover, References, Rename, Symbols};
        let all = [Definition, References, Hover, Symbols, Diagnostics, Rename, Completions];
        all.into_iter().find(|what| what.in_words() == action).unwrap_or(Definition)
    }

    /// What we call it, the ability to answer it in the introduction of a server, and what servers are asked.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            LspAction::Definition => ("definition", "definitionProvider", "textDocument/definition"),
            LspAction::References => ("references", "referencesProvider", "textDocument/references"),
            LspAction::Hover => ("hover", "hoverProvider", "textDocument/hover"),
            LspAction::Symbols => ("symbols", "documentSymbolProvider", "textDocument/documentSymbol"),
            LspAction::Diagnostics => ("diagnostics", "diagnosticProvider", "textDocument/diagnostic"),
            LspAction::Rename => ("rename", "renameProvider", "textDocument/rename"),
            LspAction::Completions => ("completions", "completionProvider", "textDocument/completion"),
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        self.words().0
    }

    pub(super) fn ability(self) -> &'static str {
        self.words().1
    }

    pub(super) fn method(self) -> &'static str {
        self.words().2
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LspQuestion {
    pub(super) what: LspAction,
    pub(super) path: PathBuf,
    /// From 1.
    line: Option<usize>,
    /// In characters from 1.
    character: Option<usize>,
    pub(super) symbol: Option<String>,
    pub(super) new_name: String,
}

impl LspQuestion {
    pub(super) fn read(arguments: &Arguments, workspace: &Workspace) -> Result<Self, Failure> {
        let what = LspAction::of(arguments.word_of("action")?);
        let number = |name| match arguments.optional_number(name)? {
            Some(0) => Err(arguments.fault(name, "counts from 1, as read_file shows it")),
            Some(number) => Ok(usize::try_from(number).ok()),
            None => Ok(None),
        };
        let symbol = arguments.optional_text("symbol")?.map(|symbol| bare(&symbol).to_owned());
        let asked = LspQuestion {
            what,
            path: workspace.resolve(&arguments.word("file_path")?)?,
            line: number("line")?,
            character: number("character")?,
            symbol: symbol.filter(|symbol| !symbol.is_empty()),
            new_name: arguments.optional_text("new_name")?.unwrap_or_default().trim().to_owned(),
        };
        asked.checked(arguments)
    }

    fn checked(self, arguments: &Arguments) -> Result<Self, Failure> {
        if self.what != LspAction::Rename {
            return Ok(self);
        }
        if self.new_name.is_empty() || self.new_name.contains(char::is_whitespace) {
            return Err(arguments.fault("new_name", "must be one name, the one that the symbol gets"));
        }
        match self.line {
            // Two symbols may have the same name; which is renamed must be sure.
            None => Err(arguments.fault("line", "is missing: say on which line the symbol stands that is renamed")),
            Some(_) => Ok(self),
        }
    }

    /// What it looks at: where the answer shows lines of other files, the project.
    pub(super) fn paths(&self, workspace: &Workspace) -> Vec<PathBuf> {
        let others = match self.what {
            LspAction::Definition | LspAction::References | LspAction::Rename => true,
            LspAction::Symbols => self.symbol.is_some(),
            LspAction::Hover | LspAction::Diagnostics | LspAction::Completions => false,
        };
        let root = others.then(|| workspace.root().to_owned()).filter(|root| *root != self.path);
        std::iter::once(self.path.clone()).chain(root).collect()
    }

    /// `Ask for the definition of parse in src/a.rs:3`.
    pub(super) fn title(&self, shown: &str) -> String {
        let of = self.symbol.as_ref().map_or(String::new(), |symbol| format!(" of {symbol}"));
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        format!("Ask for {}{of} in {shown}{line}", self.what.in_words())
    }

    /// The places that may be meant, the likeliest first; none where the question is about a whole file.
    pub(super) fn candidates(&self, text: &str, encoding: Encoding, shown: &str) -> Result<Vec<Position>, Failure> {
        if matches!(self.what, LspAction::Symbols | LspAction::Diagnostics) {
            return Ok(Vec::new());
        }
        let lines = Lines::of(text);
        match (self.line, self.character, &self.symbol) {
            (Some(line), _, Some(symbol)) => {
                let at = text_line(&lines, line, shown)?;
                let found = word_at(at, symbol).ok_or_else(|| elsewhere(&lines, line, symbol, shown))?;
                Ok(vec![self.position(line, at, found, symbol, encoding)])
            }
            (Some(line), Some(character), None) => {
                let at = text_line(&lines, line, shown)?;
                let byte = at.char_indices().nth(character - 1).map_or(at.len(), |(byte, _)| byte);
                Ok(vec![Position { line: line - 1, character: encoding.column(at, byte) }])
            }
            (Some(line), None, None) if self.what == LspAction::Completions => {
                let at = text_line(&lines, line, shown)?;
                Ok(vec![Position { line: line - 1, character: encoding.column(at, at.len()) }])
            }
            (Some(line), None, None) => Err(invalid(format!("say in `symbol` which name on line {line} is meant"))),
            (None, _, Some(symbol)) => self.anywhere(&lines, symbol, encoding, shown),
            (None, _, None) => Err(invalid(format!(
                "say in `symbol` which name is meant, and in `line` where it stands; {} is about one place",
                self.what.in_words()
            ))),
        }
    }

    /// Where the name stands, line by line.
    fn anywhere(
        &self,
        lines: &Lines<'_>,
        symbol: &str,
        encoding: Encoding,
        shown: &str,
    ) -> Result<Vec<Position>, Failure> {
        let places = (1..=lines.count()).filter_map(|line| {
            let text = lines.line(line - 1)?;
            Some(self.position(line, text, word_at(text, symbol)?, symbol, encoding))
        });
        let places: Vec<Position> = places.take(TRIED).collect();
        if places.is_empty() {
            return Err(Failure::new(
                FailureKind::NoMatch,
                format!("{symbol} does not stand in {shown}; find its file with grep_search"),
            ));
        }
        Ok(places)
    }

    /// Completions are for what follows the name.
    fn position(&self, line: usize, text: &str, at: usize, symbol: &str, encoding: Encoding) -> Position {
        let at = if self.what == LspAction::Completions { at + symbol.len() } else { at };
        Position { line: line - 1, character: encoding.column(text, at) }
    }
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, message)
}

fn text_line<'a>(lines: &Lines<'a>, line: usize, shown: &str) -> Result<&'a str, Failure> {
    let missing = || invalid(format!("{shown} has {} lines; `line` counts from 1", lines.count()));
    lines.line(line - 1).ok_or_else(missing)
}

/// The first byte of `symbol` in `line`, where it stands as a word of its own.
fn word_at(line: &str, symbol: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(symbol).map(|(at, _)| at).find(|at| {
        let (before, after) = (&line[..*at], &line[at + symbol.len()..]);
        let glued = |beside: Option<char>, own: Option<char>| beside.is_some_and(is_word) && own.is_some_and(is_word);
        !glued(before.chars().next_back(), symbol.chars().next())
            && !glued(after.chars().next(), symbol.chars().next_back())
    })
}

/// The symbol is not on that line: where it is.
fn elsewhere(lines: &Lines<'_>, line: usize, symbol: &str, shown: &str) -> Failure {
    let mut on: Vec<usize> = (1..=lines.count())
        .filter(|number| lines.line(number - 1).is_some_and(|text| word_at(text, symbol).is_some()))
        .collect();
    on.sort_by_key(|number| number.abs_diff(line));
    on.truncate(NAMED);
    on.sort_unstable();
    let on: Vec<String> = on.iter().map(usize::to_string).collect();
    let where_it_is = match on.as_slice() {
        [] => "nor on any other line; read the file again".to_owned(),
        [one] => format!("but on line {one}"),
        several => format!("but on lines {}", several.join(", ")),
    };
    Failure::new(FailureKind::NoMatch, format!("{symbol} does not stand on line {line} of {shown}, {where_it_is}"))
}

#[cfg(test)]
mod tests {
    use super::super::FORM;
    use super::*;
    use serde_json::{Value, json};
    use std::path::Path;

    const TEXT: &str = "// run it\nfn rerun() {}\nfn é_run() { run(1); }\n";

    fn asked(arguments: Value) -> Result<LspQuestion, String> {
        let arguments = FORM.read(&arguments).map_err(|failure| failure.message)?;
        LspQuestion::read(&arguments, &Workspace::new(Path::new("/p"))).map_err(|failure| failure.message)
    }

    fn places(arguments: Value) -> Result<Vec<(usize, usize)>, String> {
        let found = asked(arguments)?.candidates(TEXT, Encoding::Utf16, "a.rs").map_err(|failure| failure.message)?;
        Ok(found.into_iter().map(|place| (place.line, place.character)).collect())
    }

    fn about(action: &str, rest: Value) -> Value {
        let mut whole = json!({ "action": action, "file_path": "a.rs" });
        for (key, value) in rest.as_object().unwrap() {
            whole[key] = value.clone();
        }
        whole
    }

    #[test]
    fn a_symbol_is_found_on_its_line_as_a_word() {
        assert_eq!(places(about("hover", json!({ "line": 3, "symbol": "run" }))), Ok(vec![(2, 13)]));
        assert_eq!(places(about("hover", json!({ "line": 3, "symbol": "crate::run()" }))), Ok(vec![(2, 13)]));
        assert_eq!(places(about("completions", json!({ "line": 3, "symbol": "run" }))), Ok(vec![(2, 16)]));
    }

    #[test]
    fn without_a_line_every_place_of_the_name_may_be_meant() {
        assert_eq!(places(about("definition", json!({ "symbol": "run" }))), Ok(vec![(0, 3), (2, 13)]));
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(places(about("hover", json!({ "line": 3, "character": 14 }))), Ok(vec![(2, 13)]));
        assert_eq!(places(about("hover", json!({ "line": 3, "character": 99 }))), Ok(vec![(2, 22)]));
        let zero = "lsp `line` counts from 1, as read_file shows it";
        assert_eq!(places(about("hover", json!({ "line": 0, "symbol": "run" }))), Err(zero.into()));
        let far = "a.rs has 4 lines; `line` counts from 1";
        assert_eq!(places(about("hover", json!({ "line": 9, "symbol": "run" }))), Err(far.into()));
    }

    #[test]
    fn what_does_not_stand_there_is_said_with_where_it_does() {
        for (rest, said) in [
            (json!({ "line": 2, "symbol": "run" }), "run does not stand on line 2 of a.rs, but on lines 1, 3"),
            (json!({ "line": 1, "symbol": "rerun" }), "rerun does not stand on line 1 of a.rs, but on line 2"),
            (
                json!({ "line": 1, "symbol": "no" }),
                "no does not stand on line 1 of a.rs, nor on any other line; read the file again",
            ),
            (json!({ "line": 1 }), "say in `symbol` which name on line 1 is meant"),
            (
                json!({}),
                "say in `symbol` which name is meant, and in `line` where it stands; definition is about one place",
            ),
        ] {
            assert_eq!(places(about("definition", rest)), Err(said.into()));
        }
    }

    #[test]
    fn a_rename_needs_a_name_and_a_sure_place() {
        for (rest, said) in [
            (json!({ "line": 1, "symbol": "a" }), "lsp `new_name` must be one name, the one that the symbol gets"),
            (
                json!({ "symbol": "a", "new_name": "b" }),
                "lsp `line` is missing: say on which line the symbol stands that is renamed",
            ),
        ] {
            assert_eq!(asked(about("rename", rest)).unwrap_err(), said);
        }
    }

    #[test]
    fn what_shows_other_files_looks_at_the_project() {
        let paths = |action: &str, rest: Value| {
            let found = asked(about(action, rest)).unwrap().paths(&Workspace::new(Path::new("/p")));
            found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(paths("references", json!({ "symbol": "a" })), "/p/a.rs /p");
        assert_eq!(paths("symbols", json!({ "query": "a" })), "/p/a.rs /p");
        for action in ["hover", "diagnostics", "symbols"] {
            assert_eq!(paths(action, json!({})), "/p/a.rs");
        }
    }
}
