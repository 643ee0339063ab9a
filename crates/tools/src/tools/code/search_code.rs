//! `search_code`: lines that match a regular expression, each with what it stands in; definitions come first.

use super::PLACE;
use super::page::{LinePage, lines};
use super::reading::{CodePlace, Files, read, until};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind as Type, Parameter};
use crate::blocking::Stop;
use crate::pattern::Pattern;
use crate::read_only_job::planned;
use crate::search::{Case, HitLine, Hits, KEPT, Search, unread};
use crate::tools::ToolContext;
use crate::{PlannedCall, words};
use agent_protocol::{Failure, Outcome};
use agent_syntax::{Source, Symbol};
use regex::{Regex, RegexBuilder};
use std::path::PathBuf;

/// Files with matches that are read for what stands around these.
const MOST_FILES: usize = 1_000;
const REST: &str = "narrow the pattern or path";

pub(in crate::tools) static FORM: Form = Form {
    tool: "search_code",
    group: Group::Code,
    aliases: "search_symbols symbol_search find_code semantic_search",
    description: include_str!("search_code.md"),
    parameters: &[
        Parameter::new("pattern", Type::Text, "\"parse_\\\\w+\"")
            .also("query regex regexp search text searchterm term keyword expression symbol name q")
            .required(),
        PLACE,
        Parameter::new("kind", Type::One(&["function", "class", "any"]), "\"function\"")
            .also("type symboltype symbolkind what"),
        Parameter::new("file_pattern", Type::Text, "\"*.rs\"")
            .also("glob include includes filter fileglob includepattern"),
        Parameter::new("case_insensitive", Type::Flag, "true").also("ignorecase insensitive i nocase"),
    ],
    ..BLANK
};

pub(super) fn plan(
    kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let wanted = arguments.word("pattern")?;
    let case = if arguments.flag("case_insensitive")? { Case::Ignored } else { Case::Matters };
    let kind = match arguments.one("kind")? {
        Some("function") => Wanted::Functions,
        Some("class") => Wanted::Types,
        Some(_) | None => Wanted::All,
    };
    let files = arguments.optional_text("file_pattern")?;
    let title = format!("Search code for \"{wanted}\"{}", place.inside());
    let path = place.base.clone();
    let hunt = Hunt {
        names: RegexBuilder::new(&wanted).case_insensitive(case == Case::Ignored).size_limit(1 << 24).build().ok(),
        search: Search::new(&wanted, case, 0)?,
        files: files.map(|files| Pattern::new(&files, place.workspace.root())).transpose()?,
        place,
        kind,
        usual: kit.levers().search_hits as usize,
    };
    let work = Box::new(move |stop: &Stop, room| hunt.made(room, stop));
    Ok(planned(path, title, REST, work))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Functions,
    Types,
    All,
}

impl Wanted {
    fn takes(self, symbol: &Symbol) -> bool {
        match self {
            Wanted::Functions => symbol.kind.is_function(),
            Wanted::Types => symbol.kind.is_type(),
            Wanted::All => true,
        }
    }
}

struct Hunt {
    place: CodePlace,
    search: Search,
    /// The same once more, for names.
    names: Option<Regex>,
    files: Option<Pattern>,
    kind: Wanted,
    /// Lines that are no definitions, of which so many are told where there are more matches; 0: as many as fit.
    usual: usize,
}

/// What was found in one file.
struct Found {
    file: String,
    /// `12-40 function …`.
    definitions: Vec<String>,
    /// What they stand in, and the lines.
    others: Vec<(Option<String>, String)>,
    /// Matches that are counted but not kept.
    uncounted: u64,
    /// The file could not be read as code.
    unread: bool,
}

/// What may hold a definition and was not looked at.
struct Missed {
    files: usize,
    remarks: Vec<String>,
}

impl Hunt {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let mut files = self.place.files(stop)?;
        if let Some(pattern) = &self.files {
            let (base, root) = (&self.place.base, self.place.workspace.root());
            files.paths.retain(|path| pattern.matches(path, base, root));
        }
        let hits = self.search.files(&self.place.workspace, &files.paths, stop);
        stop.check()?;
        let paths: Vec<PathBuf> = hits.iter().take(MOST_FILES).map(|hits| hits.path.clone()).collect();
        let (read, late) = self.place.each(&paths, until(), stop, |path| {
            let hits = &hits[paths.binary_search_by(|known| known.as_path().cmp(path)).ok()?];
            Some(self.found(hits, stop))
        });
        stop.check()?;
        // Where there was no time to read the code, the lines are told as they are.
        let mut read = read.into_iter().peekable();
        let found = hits.iter().enumerate().map(|(at, hits)| match read.next_if(|(read, _)| *read == at) {
            Some((_, found)) => found,
            None => self.told_apart(hits, None),
        });
        let found: Vec<Found> = found.collect();
        let missed = self.missed(&found, hits.len().saturating_sub(MOST_FILES) + late);
        Ok(self.report(&found, &files, missed, room))
    }

    fn found(&self, hits: &Hits, stop: &Stop) -> Found {
        let text = self.place.text(&hits.path);
        let text = text.as_deref().ok();
        let source = text.and_then(|text| read(hits.path.to_str().unwrap_or_default(), text, stop).ok());
        Found { unread: source.is_none(), ..self.told_apart(hits, source.as_ref()) }
    }

    /// What a definition of the kind that is wanted may stand in; `late`: files for which there was no room or time.
    fn missed(&self, found: &[Found], late: usize) -> Missed {
        let mut remarks = vec![unread(self.search.unread())];
        if self.kind == Wanted::All {
            // Each line is told, if not always as what it is.
            return Missed { files: 0, remarks };
        }
        if late > 0 {
            remarks.push(format!("{} more with such lines not read; {REST}", words::count(late as u64, "file")));
        }
        let failed: Vec<&str> = found.iter().filter(|found| found.unread).map(|found| found.file.as_str()).collect();
        if let Some(first) = failed.first() {
            let rest = if failed.len() > 1 { format!(" and {} more", failed.len() - 1) } else { String::new() };
            remarks
                .push(format!("{first}{rest} could not be read, or is larger than 1 MB; grep_search shows its lines"));
        }
        let beyond: u64 = found.iter().filter(|found| !found.unread).map(|found| found.uncounted).sum();
        if beyond > 0 {
            let lines = words::count(beyond, "matching line");
            remarks.push(format!("{lines} beyond the first {KEPT} of a file not looked at; {REST}"));
        }
        Missed { files: failed.len() + late, remarks }
    }

    /// Tells definitions from other lines, with the help of `source`.
    fn told_apart(&self, hits: &Hits, source: Option<&Source<'_>>) -> Found {
        let file = self.place.workspace.shown(&hits.path);
        let mut found = Found { file, definitions: Vec::new(), others: Vec::new(), uncounted: 0, unread: false };
        let mut kept = 0;
        for line in &hits.lines {
            let HitLine::Match(number, text) = line else { continue };
            kept += 1;
            let symbols = source.map_or(&[][..], Source::symbols);
            let mut defined = symbols.iter().filter(|symbol| symbol.name_line as u64 == *number);
            match defined.find(|symbol| self.is_about(symbol, text)) {
                Some(symbol) if self.kind.takes(symbol) => found.definitions.push(described(symbol)),
                Some(_) | None if self.kind != Wanted::All => {}
                Some(_) | None => {
                    let around = source.filter(|source| !source.by_words());
                    let around = around.and_then(|source| source.around(*number as usize));
                    found.others.push((around.map(standing_in), format!("{number}: {}", text.trim())));
                }
            }
        }
        found.uncounted = hits.matches.saturating_sub(kept);
        found
    }

    /// Does a match in `line`, which names `symbol`, touch the name?
    fn is_about(&self, symbol: &Symbol, line: &str) -> bool {
        let Some(start) = line.find(&symbol.name) else { return false };
        let end = start + symbol.name.len();
        let touches = |found: regex::Match<'_>| found.start() < end && start < found.end();
        self.names.as_ref().is_some_and(|names| names.find_iter(line).any(touches))
    }

    fn report(&self, found: &[Found], files: &Files, mut missed: Missed, room: usize) -> Outcome {
        let count = |of: fn(&Found) -> u64| found.iter().map(of).sum::<u64>();
        let definitions = count(|found| found.definitions.len() as u64);
        let uncounted = if self.kind == Wanted::All { count(|found| found.uncounted) } else { 0 };
        let total = definitions + count(|found| found.others.len() as u64) + uncounted;
        if total == 0 {
            let what = match self.kind {
                Wanted::All => "match",
                Wanted::Functions => "function of such a name",
                Wanted::Types => "type of such a name",
            };
            let looked = (files.paths.len() - missed.files) as u64;
            let looked = words::count(looked.saturating_sub(self.search.unread()), "file");
            missed
                .remarks
                .insert(0, format!("no {what} in {looked}; hidden, git-ignored and binary files are not searched"));
            missed.remarks.push(files.remark());
            let told = LinePage::new(room).with(&missed.remarks);
            return words::done(told, "no match".into(), String::new());
        }
        let mut page = LinePage::new(room);
        let most = if self.usual > 0 && total > self.usual as u64 { self.usual } else { usize::MAX };
        let left = total - fill(&mut page, found, most);
        let rest = match left {
            0 => String::new(),
            left => format!("{}; {REST}", words::count(left, "more matching line")),
        };
        let holding = found.iter().filter(|found| !found.definitions.is_empty() || !found.others.is_empty()).count();
        let summary = format!(
            "{} in {}, {}",
            words::count(total, "match"),
            words::count(holding as u64, "file"),
            words::count(definitions, "definition")
        );
        missed.remarks.insert(0, rest);
        missed.remarks.push(files.remark());
        let told = page.with(&missed.remarks);
        words::done(told.clone(), summary, told)
    }
}

/// Puts definitions, then at most `most` of the other matches, by file and by what they stand in, so that each file has its
/// share of them; how many there was room for.
fn fill(page: &mut LinePage, found: &[Found], most: usize) -> u64 {
    let mut put = 0;
    for found in found {
        for definition in &found.definitions {
            put += u64::from(page.line(&format!("{}:{definition}", found.file)));
        }
    }
    let holding: Vec<&Found> = found.iter().filter(|found| !found.others.is_empty()).collect();
    let share = most / holding.len().max(1);
    for found in holding.into_iter().take(most) {
        let shown = found.others.len().min(share.max(1));
        let told = fill_file(page, found, shown);
        put += told as u64;
        let left = found.others.len() as u64 + found.uncounted - told as u64;
        if told < shown || (left > 0 && !page.line(&format!("  … {left} more in this file"))) {
            return put;
        }
    }
    put
}

/// Puts the first `most` of the lines of a file that are no definitions; how many there was room for.
fn fill_file(page: &mut LinePage, found: &Found, most: usize) -> usize {
    let mut file = Some(found.file.clone());
    let mut last = &None;
    for (nth, (around, line)) in found.others.iter().take(most).enumerate() {
        let mut heading = match (around, around == last) {
            (Some(around), false) => Some(format!("  in {around}")),
            // Nothing says that what came before is over, unless a word does.
            (None, false) => Some("  outside of definitions".to_owned()),
            (Some(_) | None, true) => None,
        };
        if let Some(file) = &file {
            heading = Some(heading.map_or(file.clone(), |heading| format!("{file}\n{heading}")));
        }
        if !page.below(&mut heading, line) {
            return nth;
        }
        file = None;
        last = around;
    }
    found.others.len().min(most)
}

fn described(symbol: &Symbol) -> String {
    format!("{} {} {}", lines(symbol.first, symbol.last), symbol.kind.name(), symbol.signature)
}

/// `function run, lines 12-40`.
fn standing_in(symbol: &Symbol) -> String {
    let owner = symbol.owner.as_ref().map_or(String::new(), |owner| format!("{owner}."));
    let (word, lines) = (if symbol.lines() == 1 { "line" } else { "lines" }, lines(symbol.first, symbol.last));
    format!("{} {owner}{}, {word} {lines}", symbol.kind.name(), symbol.name)
}
