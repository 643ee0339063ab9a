//! Reads files out of a reply that calls no tools: blocks of text with the name of a file become calls that write it.
//!
//! For models that cannot call tools but can show the whole file that they have in mind. Talk streams through; a block is
//! held until it ends, and calls come when the reply is over, for only then is it known which text of a file counts. Reads
//! no reasoning and no calls: the splitter has taken both off before. Opens no file: what exists, it is told.
//!
//! **Invariant.** The reading depends on the text alone, never on the pieces in which it arrives: what a line is, is
//! decided by the whole line and those before it, and its beginning is passed on only once it can be nothing but talk
//! ([`line::may_matter`]).

mod block;
mod defines;
mod diff;
mod endings;
mod fence;
mod gathered;
mod hunks;
mod inside;
mod judge;
mod known;
mod lead;
mod line;
mod shell;

use crate::piece::{Fault, Piece, Repair};
use block::{Block, Taken};
use fence::Fence;
use gathered::{Gathered, call};
use judge::{Above, Judged, judge};
use known::{Named, Names};
use serde_json::Value;

/// What a reader of file blocks has to know beforehand. Paths are relative to the project, with `/` between their parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilesKnown {
    /// Files whose text the model has before it.
    pub shown: Vec<String>,
    /// Others that exist; may be empty.
    pub project: Vec<String>,
    /// Never a target unless they are shown: those of the worked example.
    pub barred: Vec<String>,
    pub wants: Wants,
}

/// What the user wants of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// Something done: blocks become files and commands.
    Work,
    /// An answer: all is text.
    Words,
}

/// So often text that was taken for the end of a block is read again, so that time stays linear.
const TRIES: usize = 8;

/// So many files a reply can ask for.
const MOST_NEEDS: usize = 64;

/// Did the reply end by itself?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Cut,
}

#[derive(Debug)]
pub struct FileReader {
    names: Names,
    wants: Wants,
    /// The line that has arrived in part.
    line: String,
    /// Bytes of it that were passed on.
    passed: usize,
    /// The block that is open.
    block: Option<Block>,
    /// The file that it is going to be, as far as that is known.
    writes: Option<String>,
    above: Above,
    /// What is held back above a block: the name of a file, a command that may be the last thing, blank lines.
    waiting: String,
    /// The command that is held back.
    command: Option<String>,
    needs: Needs,
    gathered: Gathered,
    out: Vec<Piece>,
}

/// The files that a reply asks for.
#[derive(Debug, Default)]
struct Needs {
    /// Each with the line that names it.
    paths: Vec<(String, String)>,
    /// All of those lines.
    raw: String,
    /// More may stand on the next line.
    go_on: bool,
}

impl FileReader {
    /// For a reply to someone who knows this.
    pub fn new(known: FilesKnown) -> Self {
        FileReader::from_start(Names::new(known.shown, &known.project, known.barred), known.wants)
    }

    /// The same reader before a text that begins: what it has read was none of the answer.
    #[must_use]
    pub fn forget(self) -> Self {
        FileReader::from_start(self.names, self.wants)
    }

    fn from_start(names: Names, wants: Wants) -> Self {
        FileReader {
            names,
            wants,
            line: String::new(),
            passed: 0,
            block: None,
            writes: None,
            above: Above::default(),
            waiting: String::new(),
            command: None,
            needs: Needs::default(),
            gathered: Gathered::default(),
            out: Vec::new(),
        }
    }

    /// The next piece of the answer.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        if self.wants == Wants::Words {
            self.text(text);
            return std::mem::take(&mut self.out);
        }
        for part in text.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') {
                self.end_line();
            }
        }
        self.pass_on();
        std::mem::take(&mut self.out)
    }

    /// The reply is over. A block that is not closed ends with it.
    pub fn finish(&mut self) -> Vec<Piece> {
        self.end(End::Whole)
    }

    /// The reply was cut off by a limit: a block that is not closed is not what the model had in mind.
    pub fn finish_cut(&mut self) -> Vec<Piece> {
        self.end(End::Cut)
    }

    /// How many bytes have arrived and are not passed on.
    pub fn held(&self) -> usize {
        let block = self.block.as_ref().map_or(0, |block| block.raw.len());
        block + self.waiting.len() + self.needs.raw.len() + self.line.len() - self.passed
    }

    /// The file that is being written, as soon as its name is there.
    pub fn held_name(&self) -> Option<&str> {
        self.writes.as_deref()
    }

    fn end(&mut self, end: End) -> Vec<Piece> {
        for _ in 0..TRIES {
            if !self.line.is_empty() {
                self.end_line();
            }
            let Some(mut block) = self.block.take() else { break };
            let rest = block.end();
            let is_cut = end == End::Cut && rest.is_empty() && block.is_unclosed;
            self.close(block, if is_cut { End::Cut } else { End::Whole });
            for line in rest.split_inclusive('\n') {
                self.line.push_str(line);
                self.end_line();
            }
        }
        if let Some(block) = self.block.take() {
            self.close(block, End::Whole);
        }
        self.last();
        std::mem::take(&mut self.out)
    }

    /// What only the end decides.
    fn last(&mut self) {
        match self.command.take() {
            Some(command) if self.gathered.is_empty() => {
                let raw = std::mem::take(&mut self.waiting);
                self.out.push(call("run_command", [("command", Value::from(command))], raw, Vec::new()));
            }
            Some(_) | None => self.let_go(),
        }
        if self.gathered.is_empty() {
            for (path, raw) in std::mem::take(&mut self.needs).paths {
                self.out.push(call("read_file", [("path", Value::from(path))], raw, Vec::new()));
            }
        }
        self.out.extend(self.gathered.pieces());
    }

    fn text(&mut self, text: &str) {
        match self.out.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.out.push(Piece::Text(text.to_owned())),
        }
    }

    /// What was held back above a block turns out to be talk.
    fn let_go(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.text(&waiting);
        self.command = None;
        if self.above.name.is_some() {
            self.above.section = self.above.name.take();
        }
    }

    /// Passes on what has come of a line, if it can be nothing but talk.
    fn pass_on(&mut self) {
        if self.block.is_some() || self.line.is_empty() || (self.passed == 0 && line::may_matter(&self.line)) {
            return;
        }
        self.let_go();
        self.needs.go_on = false;
        let new = self.line[self.passed..].to_owned();
        self.text(&new);
        self.passed = self.line.len();
    }

    /// A line is complete.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let passed = std::mem::take(&mut self.passed);
        if let Some(mut block) = self.block.take() {
            match block.take(&line) {
                Taken::Inside => {
                    if self.writes.is_none() && block.lines.len() <= 3 {
                        self.writes = judge::held_name(&block, &self.above, &self.names);
                    }
                    self.block = Some(block);
                    return;
                }
                Taken::Last => return self.close(block, End::Whole),
                Taken::After => self.close(block, End::Whole),
            }
        }
        if passed == 0 && line::may_matter(line.trim_end_matches(['\n', '\r'])) {
            return self.matter(line);
        }
        self.talk(&line, passed);
    }

    fn talk(&mut self, line: &str, passed: usize) {
        self.let_go();
        self.needs.go_on = false;
        self.text(&line[passed..]);
        self.above.prose = line.trim().to_owned();
    }

    /// A line that may be more than talk.
    fn matter(&mut self, line: String) {
        if let Some(fence) = Fence::opened_by(&line) {
            return self.open(Some(fence), line);
        }
        if hunks::is_search(&line) {
            self.open(None, String::new());
            self.line = line;
            return self.end_line();
        }
        if line.trim().is_empty() {
            return self.blank(&line);
        }
        if self.ask(&line) {
            return;
        }
        match line::pure(&line, &self.names) {
            Some(named) => {
                self.let_go();
                self.above.name = Some(named);
                self.waiting = line;
            }
            None => self.talk(&line, 0),
        }
    }

    fn blank(&mut self, line: &str) {
        if self.waiting.is_empty() { self.text(line) } else { self.waiting.push_str(line) }
    }

    /// Is the line one that asks for files, or one of the list below it?
    fn ask(&mut self, line: &str) -> bool {
        let inner = line::after_bullet(line.trim());
        let listed = self.needs.go_on && inner.len() < line.trim().len();
        let found = match line::pure(line, &self.names) {
            Some(Named::Known(path) | Named::New(path)) if listed => Some(vec![path]),
            Some(_) | None => line::needs(line, &self.names),
        };
        self.needs.go_on = false;
        let Some(found) = found.filter(|_| self.gathered.is_empty()) else { return false };
        self.let_go();
        self.needs.go_on = true;
        self.needs.raw.push_str(line);
        // Some models ask for a file that is not there, and then write it.
        self.above.section = match found.as_slice() {
            [path] => self.names.resolve(path).filter(|named| matches!(named, Named::New(_))),
            _ => None,
        };
        for path in found {
            if self.needs.paths.len() < MOST_NEEDS && self.needs.paths.iter().all(|(known, _)| *known != path) {
                self.needs.paths.push((path, line.to_owned()));
            }
        }
        true
    }

    fn open(&mut self, fence: Option<Fence>, line: String) {
        if self.command.is_some() {
            self.let_go();
        }
        self.needs.go_on = false;
        let raw = std::mem::take(&mut self.waiting) + &line;
        let mut block = Block::new(fence, raw, false);
        self.writes = judge::held_name(&block, &self.above, &self.names);
        let language = block.fence.as_ref().map(Fence::language).unwrap_or_default();
        let is_markdown = self.writes.as_deref().is_some_and(endings::is_markdown);
        block.holds_fences = is_markdown || matches!(language.as_str(), "markdown" | "md" | "mdx");
        self.block = Some(block);
    }

    fn close(&mut self, block: Block, end: End) {
        self.writes = None;
        let judged = judge(&block, &self.above, self.gathered.paths(), &self.names);
        let section = self.above.section.take();
        let name = self.above.name.take();
        let repairs = if block.is_unclosed { vec![Repair::MissingEnd] } else { Vec::new() };
        match judged {
            Judged::Changes(_) if end == End::Cut => self.lose(Fault::CutOff, block.raw),
            Judged::Lost if end == End::Cut || (block.fence.is_none() && block.is_unclosed) => {
                self.lose(Fault::CutOff, block.raw)
            }
            Judged::Changes(changes) => {
                // Replacements one after another name their file once.
                if block.fence.is_none() {
                    self.above.section = changes.last().map(|change| Named::Known(change.path().to_owned()));
                }
                self.wanted_first();
                self.gathered.add(changes, &block.raw, &repairs);
            }
            Judged::Lost => self.lose(Fault::Unreadable, block.raw),
            Judged::Name(named) => {
                self.above.name = Some(named);
                self.waiting = block.raw;
            }
            Judged::Command(command) if self.gathered.is_empty() && end == End::Whole => {
                self.command = Some(command);
                self.waiting = block.raw;
            }
            Judged::Command(_) | Judged::Talk => {
                self.above.section = name.or(section);
                self.text(&block.raw);
            }
        }
        self.above.prose.clear();
    }

    fn lose(&mut self, why: Fault, raw: String) {
        self.wanted_first();
        self.gathered.lose(why, raw);
    }

    /// What was asked for is talk when the reply goes on to write files all the same.
    fn wanted_first(&mut self) {
        let raw = std::mem::take(&mut self.needs).raw;
        self.text(&raw);
    }
}
