//! `extract_functions`: what is defined in a file, or in all files of a folder.

use super::PLACE;
use super::page::{LinePage, lines};
use super::reading::{CodePlace, Files, caveat, may_be_code, no_binary, read, until};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::blocking::Stop;
use crate::read_only_job::planned;
use crate::tools::ToolContext;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, Outcome};
use agent_syntax::{Source, Symbol};
use regex::{Regex, RegexBuilder};
use std::path::{Path, PathBuf};

/// Files that are read before it is seen whether there is room for more.
const AT_ONCE: usize = 64;
const REST: &str = "name a file or folder in `path`, or a name in `pattern`";

pub(in crate::tools) static FORM: Form = Form {
    tool: "extract_functions",
    group: Group::Code,
    aliases: "extract_function list_functions get_functions list_symbols get_symbols document_symbols extract_symbols \
        file_outline code_outline outline list_code_definition_names list_definitions symbols",
    description: include_str!("extract_functions.md"),
    parameters: &[
        PLACE,
        Parameter::new("pattern", Kind::Text, "\"parse\"")
            .also("name filter query symbol function functionname regex search"),
    ],
    ..BLANK
};

pub(super) fn plan(
    _kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let path = place.base.clone();
    let named = arguments.optional_text("pattern")?;
    let called = named.as_deref().map_or(String::new(), |named| format!(" called {named}"));
    let title = format!("List definitions{called} in {}", place.workspace.shown(&path));
    let work = Box::new(move |stop: &Stop, room| outline(&place, named.as_deref().map(named_like), room, stop));
    Ok(planned(path, title, REST, work))
}

/// Names that hold what was asked for: a regular expression, or else the very text.
fn named_like(named: &str) -> Regex {
    let build = |pattern: &str| RegexBuilder::new(pattern).case_insensitive(true).size_limit(1 << 20).build();
    build(named).or_else(|_| build(&regex::escape(named))).unwrap_or_else(|_| Regex::new("").expect("matches all"))
}

fn outline(place: &CodePlace, named: Option<Regex>, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let mut files = place.files(stop)?;
    if files.one && files.closed.is_empty() {
        return one(place, named.as_ref(), room, stop);
    }
    files.paths.retain(|path| may_be_code(path));
    let mut page = LinePage::new(room);
    let mut sum = Sum::default();
    let (until, mut done) = (until(), 0);
    for part in files.paths.chunks(AT_ONCE) {
        let (found, late) = place.each(part, until, stop, |path| of_file(place, path, named.as_ref(), stop));
        stop.check()?;
        for (at, listed) in found {
            let Ok(listed) = listed else {
                sum.unread.push(part[at].clone());
                continue;
            };
            let mut heading = Some(place.workspace.shown(&part[at]));
            if !listed.iter().all(|line| page.below(&mut heading, line)) {
                return Ok(told(page, &sum, &files, Some(("room", done + at)), place));
            }
            sum.symbols += listed.len() as u64;
            sum.holding += 1;
        }
        done += part.len() - late;
        if late > 0 {
            return Ok(told(page, &sum, &files, Some(("time", done)), place));
        }
    }
    Ok(told(page, &sum, &files, None, place))
}

/// What came of the files so far.
#[derive(Default)]
struct Sum {
    symbols: u64,
    /// Files that hold some.
    holding: u64,
    unread: Vec<PathBuf>,
}

fn told(page: LinePage, sum: &Sum, files: &Files, cut: Option<(&str, usize)>, place: &CodePlace) -> Outcome {
    let rest = cut.and_then(|(lacking, at)| Some((lacking, at, files.paths.get(at)?)));
    let rest = rest.map_or(String::new(), |(lacking, at, path)| {
        let left = words::count((files.paths.len() - at) as u64, "file");
        format!("no {lacking} for the rest: {left} from {} on; {REST}", place.workspace.shown(path))
    });
    let none = if page.is_empty() && rest.is_empty() {
        let looked = words::count((files.paths.len() - sum.unread.len()) as u64, "file");
        format!("no definition in {looked} that may hold code; hidden and git-ignored files are not looked at")
    } else {
        String::new()
    };
    let summary = format!("{} in {}", words::count(sum.symbols, "definition"), words::count(sum.holding, "file"));
    let told = page.with(&[none, rest, place.unread(&sum.unread), files.remark()]);
    words::done(told.clone(), summary, told)
}

/// The lines for one file of several, constants left out; or that it could not be read.
fn of_file(place: &CodePlace, path: &Path, named: Option<&Regex>, stop: &Stop) -> Option<Result<Vec<String>, PathBuf>> {
    let text = match place.text(path) {
        Ok(text) => text,
        Err(failure) => return no_binary(path, &failure).map(Err),
    };
    let source = read(path.to_str().unwrap_or_default(), &text, stop).ok()?;
    let wanted = |symbol: &Symbol| symbol.kind != agent_syntax::Kind::Constant || named.is_some();
    let listed = listed(&source, named, wanted);
    (!listed.is_empty()).then_some(Ok(listed))
}

/// All of the one file that was asked for.
fn one(place: &CodePlace, named: Option<&Regex>, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let shown = place.workspace.shown(&place.base);
    let text = place.text(&place.base)?;
    let source = read(place.base.to_str().unwrap_or_default(), &text, stop)?;
    let all = listed(&source, named, |_| true);
    let mut page = LinePage::new(room);
    let language = source.language().map_or(String::new(), |language| format!("{}, ", language.name()));
    page.line(&format!("{shown} ({language}{})", words::count(source.lines().all() as u64, "line")));
    let put = all.iter().take_while(|line| page.line(line)).count();
    let rest = match all.get(put) {
        Some(next) => {
            let line = next.split(['-', ' ']).next().unwrap_or_default();
            let left = words::count((all.len() - put) as u64, "definition");
            format!(
                "no room for the rest: {left} from line {line} on; give a name in `pattern`, or read_file from there"
            )
        }
        None => String::new(),
    };
    let none = if all.is_empty() { "no definition found".to_owned() } else { String::new() };
    let told = page.with(&[none, rest, caveat(&source)]);
    Ok(words::done(told.clone(), words::count(all.len() as u64, "definition"), told))
}

/// A line for each symbol that is wanted and named so, and for what these stand in.
fn listed(source: &Source<'_>, named: Option<&Regex>, wanted: impl Fn(&Symbol) -> bool) -> Vec<String> {
    let symbols = source.symbols();
    let mut shown: Vec<bool> =
        symbols.iter().map(|symbol| wanted(symbol) && named.is_none_or(|named| named.is_match(&symbol.name))).collect();
    for at in (0..symbols.len()).rev() {
        if let Some(parent) = symbols[at].parent.filter(|_| shown[at]) {
            shown[parent] = true;
        }
    }
    let shown = symbols.iter().zip(shown).filter(|(_, shown)| *shown);
    shown.map(|(symbol, _)| line(symbol)).collect()
}

fn line(symbol: &Symbol) -> String {
    let indent = "  ".repeat(symbol.depth.min(12));
    format!("{} {indent}{} {}", lines(symbol.first, symbol.last), symbol.kind.name(), symbol.signature)
}
