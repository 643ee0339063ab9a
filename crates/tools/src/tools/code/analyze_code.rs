//! `analyze_code`: lines by kind and the functions that are hardest to keep in mind, of a text, a file or a folder.

mod totals;

use super::PLACE;
use super::page::{LinePage, lines};
use super::reading::{CodePlace, Files, caveat, may_be_code, no_binary, read, read_as, until};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::blocking::Stop;
use crate::read_only_job::planned;
use crate::tools::ToolContext;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, FailureKind, Outcome};
use agent_syntax::{LONGEST, Language, Lines, Source, Symbol};
use totals::Totals;

const WORST: usize = 10;
/// Lines after which a function is said to be long, and structures inside each other after which it is deep.
const LONG: usize = 60;
const DEEP: usize = 4;
/// Files of a folder that are read.
const MOST_FILES: usize = 3_000;
const REST: &str = "name a file or folder in `path`";

pub(in crate::tools) static FORM: Form = Form {
    tool: "analyze_code",
    group: Group::Code,
    aliases: "analyse_code code_analysis analyze_file analyze code_metrics complexity count_lines",
    description: include_str!("analyze_code.md"),
    parameters: &[
        PLACE,
        Parameter::new("content", Kind::Text, "\"fn main() {}\"").also("code source text snippet input"),
        Parameter::new("language", Kind::Text, "\"rust\"").also("lang filetype extension syntax"),
    ],
    ..BLANK
};

pub(super) fn plan(
    _kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let path = place.base.clone();
    if let Some(text) = arguments.optional_text("content")? {
        let named = arguments.optional_text("language")?;
        let language = language(arguments, named.as_deref(), arguments.optional_text("path")?, &text)?;
        let title = format!("Analyze {} of code", words::count(text.lines().count() as u64, "line"));
        let work = Box::new(move |stop: &Stop, room| of_text(&text, language, room, stop));
        return Ok(planned(path, title, REST, work));
    }
    let title = format!("Analyze {}", place.workspace.shown(&path));
    let work = Box::new(move |stop: &Stop, room| of_place(&place, room, stop));
    Ok(planned(path, title, REST, work))
}

/// The language of a text: as it is said, as the path beside it says, or as it looks.
fn language(
    arguments: &Arguments,
    named: Option<&str>,
    path: Option<String>,
    text: &str,
) -> Result<Option<Language>, Failure> {
    if text.len() > LONGEST {
        return Err(arguments.fault("content", "is longer than 1 MB; give less of it"));
    }
    let Some(named) = named else {
        return Ok(path.and_then(|path| Language::of(&path, text)).or_else(|| Language::guess(text)));
    };
    Language::named(named).map(Some).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
        let message = format!("there is no grammar for {named:?}; leave `language` out, or say {}", known.join(", "));
        Failure::new(FailureKind::InvalidArguments, message)
    })
}

fn of_text(text: &str, language: Option<Language>, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let source = match language {
        Some(language) => read_as(language, text, stop)?,
        None => Source::plain("", text),
    };
    Ok(report("the text", &source, room, String::new()))
}

fn of_place(place: &CodePlace, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let files = place.files(stop)?;
    if !files.one {
        return of_folder(place, files, room, stop);
    }
    if files.paths.is_empty() {
        let told = LinePage::new(room).with(&[files.remark()]);
        return Ok(words::done(told.clone(), "not looked at".into(), told));
    }
    let text = place.text(&place.base)?;
    let source = read(place.base.to_str().unwrap_or_default(), &text, stop)?;
    Ok(report(&place.workspace.shown(&place.base), &source, room, files.remark()))
}

fn report(name: &str, source: &Source<'_>, room: usize, remark: String) -> Outcome {
    let mut page = LinePage::new(room);
    let language = source.language().map_or(String::new(), |language| format!(", {}", language.name()));
    page.line(&format!("{name}{language}: {}", by_kind(source.lines(), source.by_words())));
    let worst = source.worst();
    if !worst.is_empty() && !source.by_words() {
        page.line(&format!("{}, worst first:", words::count(worst.len() as u64, "function")));
        for symbol in worst.iter().take(WORST) {
            page.line(&measured("", symbol));
        }
    }
    let summary = words::count(source.lines().all() as u64, "line");
    let told = page.with(&[above_bounds(&worst), caveat(source), remark]);
    words::done(told.clone(), summary, told)
}

/// `120 lines: 90 code, 20 comment, 10 blank`.
fn by_kind(lines: Lines, by_words: bool) -> String {
    let all = words::count(lines.all() as u64, "line");
    match by_words {
        true => format!("{all}: {} code or comment, {} blank", lines.code, lines.blank),
        false => format!("{all}: {} code, {} comment, {} blank", lines.code, lines.comment, lines.blank),
    }
}

/// A function with its measures; `file` is put before its lines.
fn measured(file: &str, symbol: &Symbol) -> String {
    let owner = symbol.owner.as_ref().map_or(String::new(), |owner| format!("{owner}."));
    let colon = if file.is_empty() { "" } else { ":" };
    let parameters = match symbol.parameters {
        Some(many) if many > 5 => format!(", {many} parameters"),
        Some(_) | None => String::new(),
    };
    format!(
        "{file}{colon}{} {} {owner}{}: {}, {} deep, {}{parameters}",
        lines(symbol.first, symbol.last),
        symbol.kind.name(),
        symbol.name,
        words::count(symbol.lines() as u64, "line"),
        symbol.nesting,
        words::count(symbol.branches as u64, "path"),
    )
}

/// How many functions are long or deep; empty where none is.
fn above_bounds(functions: &[&Symbol]) -> String {
    let long = functions.iter().filter(|symbol| is_long(symbol)).count() as u64;
    let deep = functions.iter().filter(|symbol| is_deep(symbol)).count() as u64;
    said_above_bounds(long, deep)
}

fn is_long(symbol: &Symbol) -> bool {
    symbol.lines() > LONG
}

fn is_deep(symbol: &Symbol) -> bool {
    symbol.nesting > DEEP
}

fn said_above_bounds(long: u64, deep: u64) -> String {
    let said = [(long, format!("over {LONG} lines")), (deep, format!("nested over {DEEP} deep"))];
    let said: Vec<String> = said
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .map(|(many, what)| format!("{} {what}", words::count(many, "function")))
        .collect();
    said.join(", ")
}

fn of_folder(place: &CodePlace, mut files: Files, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
    let all = files.paths.len();
    files.paths.retain(|path| may_be_code(path));
    let others = all - files.paths.len();
    let more = files.paths.len().saturating_sub(MOST_FILES);
    files.paths.truncate(MOST_FILES);
    let (measured_files, late) = place.each(&files.paths, until(), stop, |path| {
        let text = match place.text(path) {
            Ok(text) => text,
            Err(failure) => return no_binary(path, &failure).map(Err),
        };
        let source = read(path.to_str().unwrap_or_default(), &text, stop).ok()?;
        Totals::of(path, &source).map(Ok)
    });
    stop.check()?;
    let mut totals = Totals::default();
    let mut unread = Vec::new();
    for (_, one) in measured_files {
        match one {
            Ok(one) => totals.add(one),
            Err(path) => unread.push(path),
        }
    }
    let mut page = LinePage::new(room);
    totals.fill(&mut page, &place.workspace);
    let mut remarks = vec![totals.above_bounds()];
    if page.is_empty() {
        remarks.push("no code found; hidden and git-ignored files are not looked at".into());
    }
    if others > 0 {
        remarks.push(format!("{} by name no code, not counted", words::count(others as u64, "file")));
    }
    if more > 0 {
        remarks.push(format!("{} beyond the first {MOST_FILES} not read; {REST}", words::count(more as u64, "file")));
    }
    if late > 0 {
        remarks.push(format!("there was no time for {}; {REST}", words::count(late as u64, "file")));
    }
    remarks.push(place.unread(&unread));
    remarks.push(files.remark());
    let told = page.with(&remarks);
    Ok(words::done(told.clone(), totals.summary(), told))
}
