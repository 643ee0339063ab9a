//! `grep_search`: lines that match a regular expression.

mod by_file;

use super::read_file::missing;
use super::{PATH, searched};
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Parameter, Unit};
use crate::blocking::Stop;
use crate::open::{Found, open};
use crate::pattern::{Hidden, Pattern};
use crate::read_only_job::{self};
use crate::search::{Case, HitLine, Hits, Search, unread};
use crate::tools::ToolContext;
use crate::walk::{self, Area, by_name, leaves_ignored, walk_each, walk_each_beside};
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, Outcome};
use grep_searcher::Searcher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most lines of context on each side.
const CONTEXT: u64 = 20;
/// Characters kept free for the closing remark.
const REMARK: usize = 120;

pub(super) static FORM: Form = Form {
    tool: "grep_search",
    aliases: "grep rg ripgrep search find search_files search_file search_file_content search_text search_content \
        search_in_files search_for_pattern find_in_files find_text content_search code_search text_search grep_files \
        grep_code grep_content regex_search",
    description: include_str!("grep_search.md"),
    parameters: &[
        Parameter::new("pattern", Kind::Text, "\"fn main\"")
            .also(
                "regex regexp query search text searchterm searchpattern searchstring searchtext searchquery term \
                keyword expression patterns needle q e",
            )
            .required(),
        PATH,
        Parameter::new("file_pattern", Kind::Text, "\"*.rs\"")
            .also("glob include includes filter fileglob includepattern includeglob globpattern filetypes g")
            .optional()
            .says("glob, like *.ts"),
        Parameter::new("case_insensitive", Kind::Flag, "true").also("ignorecase insensitive i nocase").optional(),
        Parameter::new("context_lines", Kind::Number, "2")
            .also("context c a b contextsize surroundinglines linesofcontext contextbefore contextafter")
            .optional(),
        Parameter::new("limit", Kind::Number, "50")
            .also("maxresults maxmatches maxcount headlimit resultlimit numresults maxlines")
            .says("matching lines"),
    ],
    habits: &[("limit", Habit::Limit)],
    // By these names other agents have a tool to which capital letters do not matter.
    implied: &[("grep search find", "case_insensitive", "true")],
    foreign: &[
        Foreign { names: "casesensitive matchcase", unit: Unit::Opposite("case_insensitive") },
        Foreign { names: "isregexp isregex useregex", unit: Unit::Literal("pattern", false) },
        Foreign { names: "fixedstrings fixedstring literal f", unit: Unit::Literal("pattern", true) },
    ],
    ..BLANK
};

pub(super) struct GrepSearch;

impl Tool for GrepSearch {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let path = path(kit, arguments)?;
        let wanted = arguments.word("pattern")?;
        let case = if arguments.flag("case_insensitive")? { Case::Ignored } else { Case::Matters };
        let context = arguments.optional_number("context_lines")?.unwrap_or(0).min(CONTEXT) as usize;
        let files = arguments.optional_text("file_pattern")?;
        let title = title(kit, &wanted, &path, files.as_deref());
        let (search, why) = Search::or_literally(&wanted, case, context)?;
        let remark =
            why.map(|why| format!("[{wanted} is no regular expression ({why}); it was searched for as it stands]\n"));
        let hunt = Hunt {
            search,
            remark: remark.unwrap_or_default(),
            files: files.map(|files| Pattern::new(&files, kit.workspace.root())).transpose()?,
            workspace: kit.workspace.clone(),
            base: path.clone(),
            leave: look.leave(),
            limit: arguments.optional_number("limit")?.filter(|limit| *limit > 0),
            usual: u64::from(kit.levers().search_hits),
        };
        let work = Box::new(move |stop: &Stop, room| hunt.made(room, stop));
        Ok(read_only_job::planned(path, title, "narrow the pattern, path or file_pattern", work))
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    arguments.word("pattern")?;
    searched(kit, arguments)
}

fn title(kit: &ToolContext, wanted: &str, path: &std::path::Path, files: Option<&str>) -> String {
    let shown = kit.workspace.shown(path);
    let place = match (shown.as_str(), files) {
        (".", None) => String::new(),
        (".", Some(files)) => format!(" in {files}"),
        (shown, None) => format!(" in {shown}"),
        (shown, Some(files)) => format!(" in {shown} ({files})"),
    };
    format!("Search \"{wanted}\"{place}")
}

struct Hunt {
    /// What stands above all that was found.
    remark: String,
    workspace: Workspace,
    base: PathBuf,
    search: Search,
    files: Option<Pattern>,
    leave: Leave,
    /// Matching lines that are told.
    limit: Option<u64>,
    /// So many where the model names no number: where there are more, each file is told with its number; 0: as many as fit.
    usual: u64,
}

impl Hunt {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let (hits, searched) = match open(&self.workspace, &self.base)? {
            Found::Missing => return Err(missing(&self.workspace, &self.base)),
            // The user said that the model may look at this very file.
            Found::File(..) if self.leave != Leave::Person && self.workspace.is_secret(&self.base) => {
                (Vec::new(), Searched { files: 0, passed_over: 1, unread: 0 })
            }
            Found::File(..) => {
                let hits = self.search.files(&self.workspace, std::slice::from_ref(&self.base), stop);
                (hits, self.searched(1, 0))
            }
            Found::Folder => self.below(stop),
        };
        let room = room.saturating_sub(REMARK + self.remark.len() + searched.remark().len());
        let total: u64 = hits.iter().map(|hits| hits.matches).sum();
        if total == 0 {
            return Ok(self.nothing(searched));
        }
        let is_much = self.limit.is_none() && self.usual > 0 && total > self.usual;
        let outcome = if is_much && hits.len() > 1 {
            let remark = searched.remark();
            by_file::report(&hits, total, &remark, (&self.workspace, &self.base), (room, self.usual))
        } else {
            let limit = if is_much { Some(self.usual) } else { self.limit };
            report(&hits, searched, &self.workspace, (room, limit))
        };
        let above = |text: String| if text.is_empty() { text } else { format!("{}{text}", self.remark) };
        Ok(Outcome { told: above(outcome.told), detail: above(outcome.detail), ..outcome })
    }

    /// There is no match.
    fn nothing(&self, searched: Searched) -> Outcome {
        let area = Area { root: self.workspace.root(), base: &self.base };
        let left = if leaves_ignored(area) { "hidden, git-ignored and binary" } else { "hidden and binary" };
        let files = words::count(searched.files, "file");
        let told = format!("{}[no match in {files}; {left} files are not searched]{}", self.remark, searched.remark());
        words::done(told, "no match".into(), String::new())
    }

    fn searched(&self, files: u64, passed_over: u64) -> Searched {
        let unread = self.search.unread();
        Searched { files: files.saturating_sub(unread), passed_over, unread }
    }

    /// What is in the files below the folder, searched while others are still found. Those with secrets, hidden ones too,
    /// are only counted.
    fn below(&self, stop: &Stop) -> (Vec<Hits>, Searched) {
        let (files, passed_over) = (AtomicU64::new(0), AtomicU64::new(0));
        let take = |searcher: &mut Searcher, entry: walk::Entry| {
            if entry.kind != walk::EntryKind::File || !self.wants(&entry.path) {
                return None;
            }
            if self.workspace.is_secret(&entry.path) {
                passed_over.fetch_add(1, Ordering::Relaxed);
                return None;
            }
            files.fetch_add(1, Ordering::Relaxed);
            self.search.file(searcher, &self.workspace, &entry.path, stop)
        };
        let new = || self.search.searcher();
        let area = Area { root: self.workspace.root(), base: &self.base };
        let mut hits = match self.files.as_ref().map_or(Hidden::Left, Pattern::hidden) {
            Hidden::Shown => walk_each(area, Hidden::Shown, stop, new, take),
            Hidden::Left => {
                let workspace = self.workspace.clone();
                walk_each_beside(area, Arc::new(move |path| workspace.is_secret(path)), stop, new, take)
            }
        };
        hits.sort_unstable_by(|one, other| by_name(&one.path, &other.path));
        (hits, self.searched(files.into_inner(), passed_over.into_inner()))
    }

    fn wants(&self, path: &Path) -> bool {
        self.files.as_ref().is_none_or(|pattern| pattern.matches(path, &self.base, self.workspace.root()))
    }
}

/// How many files were looked at, and how many not.
#[derive(Debug, Clone, Copy)]
struct Searched {
    files: u64,
    passed_over: u64,
    unread: u64,
}

impl Searched {
    fn remark(self) -> String {
        let secret = match self.passed_over {
            0 => String::new(),
            1 => "\n[1 file whose name says that it holds secrets was not searched]".into(),
            many => format!("\n[{many} files whose names say that they hold secrets were not searched]"),
        };
        match unread(self.unread) {
            none if none.is_empty() => secret,
            unread => format!("{secret}\n[{unread}]"),
        }
    }
}

/// The hits by file, as many as fit into the room and are wanted.
fn report(hits: &[Hits], searched: Searched, workspace: &Workspace, (room, limit): (usize, Option<u64>)) -> Outcome {
    let total: u64 = hits.iter().map(|hits| hits.matches).sum();
    let mut page = Page { text: String::new(), room, matches: 0, limit, full: false };
    for hits in hits {
        page.add(&workspace.shown(&hits.path), &hits.lines);
    }
    let mut told = page.text;
    if page.matches < total {
        let more = words::count(total - page.matches, "more matching line");
        let raise = if limit == Some(page.matches) { "raise the limit, or " } else { "" };
        told.push_str(&format!("[… {more}; {raise}narrow the pattern, path or file_pattern]\n"));
    }
    told.push_str(searched.remark().trim_start());
    let summary = format!("{} in {}", words::count(total, "match"), words::count(hits.len() as u64, "file"));
    words::done(told.clone(), summary, told)
}

struct Page {
    text: String,
    /// Characters left.
    room: usize,
    /// Matching lines shown.
    matches: u64,
    /// No more of them are shown.
    limit: Option<u64>,
    full: bool,
}

impl Page {
    fn add(&mut self, file: &str, lines: &[HitLine]) {
        let mut heading = format!("{file}\n");
        for line in lines {
            let text = match line {
                HitLine::Match(number, text) => format!("{heading}{number}:{text}\n"),
                HitLine::Context(number, text) => format!("{heading}{number}-{text}\n"),
                HitLine::Gap => format!("{heading}--\n"),
            };
            let length = text.len();
            let enough = matches!(line, HitLine::Match(..)) && self.limit.is_some_and(|limit| self.matches >= limit);
            self.full = self.full || enough || length > self.room;
            if self.full {
                return;
            }
            self.room -= length;
            self.matches += u64::from(matches!(line, HitLine::Match(..)));
            self.text.push_str(&text);
            heading.clear();
        }
    }
}
