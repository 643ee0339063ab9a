//! The answer: finds what may be a call and passes the rest on.

use super::verdict::{BlockVerdict, Looked};
use super::{Mode, Progress, Splitter, first_known};
use crate::Fault;
use crate::dialects::{REASONING_ENDS, TABLE, mark_here};
use crate::index::{INDEX, Opener};
use crate::page::{Ahead, Before, Page, Reading, ahead, blank};
use crate::table::{Dialect, OpenerPlace, Proof};

/// So many bytes of the line that opens a code block are looked through for its end.
const LONGEST_INFO: usize = 256;

/// What begins at a place.
pub(super) enum Candidate {
    /// Nothing but text.
    None,
    /// That depends on what follows.
    Wait,
    Found(&'static Dialect, Reading),
}

/// What a block that only looks like calls begins with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Begun {
    Plain,
    /// One of them, indented like code.
    Indented,
    /// A line of so many marks, `len` bytes long.
    Fence {
        mark: u8,
        run: usize,
        len: usize,
    },
}

/// What may begin at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Everything that counts at the start of a line.
    LineStart,
    /// What counts anywhere.
    Anywhere,
}

impl Splitter {
    pub(super) fn answer(&mut self, over: bool) -> Progress {
        if let Some(begun) = self.begun {
            return self.look(begun, over);
        }
        if self.before == Before::Call && self.line.fence.is_none() && self.line.fresh {
            match self.swallow_tails(over) {
                Some(step) => return step,
                None if self.at >= self.held.len() => return Progress::On,
                None => {}
            }
        }
        if let Some((mark, len)) = self.line.fence {
            return self.fenced(mark, len, over);
        }
        if self.line.fresh { self.line_start(over) } else { self.within_line(over) }
    }

    /// Directly after a call: closing marks and white space mean nothing. `None`: something else comes.
    fn swallow_tails(&mut self, over: bool) -> Option<Progress> {
        let space = blank(self.rest());
        let rest = &self.rest()[space..];
        if rest.is_empty() {
            return if over { self.dropped_all() } else { Some(Progress::Wait) };
        }
        match INDEX.tail(rest) {
            Ahead::Yes(len) => {
                self.dropped(space + len);
                Some(Progress::On)
            }
            Ahead::Maybe if !over => Some(Progress::Wait),
            // A closing mark that was cut off.
            Ahead::Maybe => self.dropped_all(),
            Ahead::No => None,
        }
    }

    fn dropped_all(&mut self) -> Option<Progress> {
        self.at = self.held.len();
        Some(Progress::On)
    }

    fn line_start(&mut self, over: bool) -> Progress {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\u{feff}']).len();
        if space > 0 {
            return self.pass(space);
        }
        let first = rest.as_bytes()[0];
        match first {
            b'\n' => self.pass(1),
            b'>' if self.is_quote(over) => self.quote(),
            b'`' | b'~' => self.fence_or_code(over),
            _ => self.candidate(Wanted::LineStart, over),
        }
    }

    /// A block quote, and no `>>>name` of a dialect.
    fn is_quote(&self, over: bool) -> bool {
        matches!(find(self.page(over), Wanted::LineStart), Candidate::None)
    }

    fn quote(&mut self) -> Progress {
        self.line.quoted = true;
        self.pass(1)
    }

    fn within_line(&mut self, over: bool) -> Progress {
        let plain = self.plain_run();
        if plain > 0 {
            return self.pass(plain);
        }
        match self.rest().as_bytes()[0] {
            b'\n' => self.pass(1),
            b'`' => self.backticks(over),
            _ if self.line.in_quotes() => self.pass_char(),
            _ if self.line.quoted => self.quoted(over),
            _ => self.candidate(Wanted::Anywhere, over),
        }
    }

    /// In a block quote all is text; but where a call came before, a mark that ends reasoning counts.
    fn quoted(&mut self, over: bool) -> Progress {
        if self.line.code.is_some() || !self.has_calls() {
            return self.pass_char();
        }
        match mark_here(self.rest()) {
            Ahead::Yes(len) => self.think_end(len, false, over),
            Ahead::Maybe if !over => Progress::Wait,
            Ahead::Maybe | Ahead::No => self.pass_char(),
        }
    }

    /// Bytes from here on that begin nothing.
    fn plain_run(&self) -> usize {
        let rest = self.rest();
        let mut at = 0;
        while let Some(next) = rest.as_bytes()[at..].iter().position(|byte| INDEX.stops[usize::from(*byte)]) {
            at += next;
            if matches!(rest.as_bytes()[at], b'\n' | b'`') || INDEX.may_begin(&rest[at..]) {
                return at;
            }
            at += 1;
        }
        rest.len()
    }

    /// A run of backticks opens or closes inline code.
    fn backticks(&mut self, over: bool) -> Progress {
        let rest = self.rest();
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run == rest.len() && !over {
            return Progress::Wait;
        }
        let code = match self.line.code {
            None => Some(run),
            Some(open) if open == run => None,
            open => open,
        };
        let step = self.pass(run);
        self.line.code = code;
        step
    }

    fn candidate(&mut self, wanted: Wanted, over: bool) -> Progress {
        if self.line.code.is_some() {
            match self.code_closes(over) {
                None => {
                    self.holds_a_call = true;
                    return Progress::Wait;
                }
                // Directly after a backtick it is an example, even if that is closed on a later line, or never.
                Some(closes) if closes || self.line.last == Some('`') => return self.pass_char(),
                Some(_) => self.line.code = None,
            }
        }
        match find(self.page(over), wanted) {
            Candidate::None if over && wanted == Wanted::LineStart => self.by_looks(over),
            Candidate::None => {
                self.note_opener();
                self.pass_char()
            }
            Candidate::Wait => Progress::Wait,
            Candidate::Found(dialect, reading) => self.take(dialect, reading, over),
        }
    }

    pub(super) fn page(&self, over: bool) -> Page<'_> {
        Page { text: self.rest(), opener: 0, tools: &self.tools, tails: &INDEX.tails, over, before: self.before }
    }

    /// Does the open run of backticks close on this line? `None`: not known yet.
    fn code_closes(&self, over: bool) -> Option<bool> {
        let open = self.line.code?;
        let line = self.rest().split('\n').next().unwrap_or_default();
        let whole = line.len() < self.rest().len() || over;
        // A run at the very end may still grow.
        let known = if whole { line } else { line.trim_end_matches('`') };
        let closed = known.split(|c| c != '`').any(|run| run.len() == open);
        match (closed, whole) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    fn take(&mut self, dialect: &'static Dialect, reading: Reading, over: bool) -> Progress {
        let ends_calls = matches!(reading, Reading::ThinkEnd { .. }) && self.has_calls();
        if self.line.is_indented_code() && !matches!(reading, Reading::Open) && !ends_calls {
            return self.look(Begun::Indented, over);
        }
        if dialect.proof == Proof::Looks {
            return self.by_looks(over);
        }
        match reading {
            Reading::No => return self.pass_char(),
            Reading::Open if over => {
                if let Some(len) = self.before_think_end() {
                    return self.pass(len);
                }
                let len = self.rest().len();
                self.lost(Fault::CutOff, None, dialect.name, len);
            }
            Reading::Open => {
                self.holds_a_call = true;
                self.ends_by = dialect.tails;
                return Progress::Wait;
            }
            Reading::Calls { calls, len } => self.found(calls, dialect.name, len),
            Reading::Broken { name, len } => match self.talks_on(len, over) {
                None => {
                    self.holds_a_call = true;
                    return Progress::Wait;
                }
                Some(true) => return self.pass_char(),
                Some(false) => self.lost(Fault::Unreadable, name, dialect.name, len),
            },
            Reading::Think { len, ends } => {
                (self.unopened.headed, self.unopened.reasoned) = (true, true);
                self.dropped(len);
                self.mode = Mode::Thinking { ends };
            }
            Reading::ThinkEnd { len, of_any: true } if self.unopened.headed => self.dropped(len),
            Reading::ThinkEnd { len, of_any } => return self.think_end(len, of_any, over),
            Reading::Drop { len } => {
                self.unopened.headed |= self.before == Before::Nothing;
                self.unopened.reasoned |= matches!(ahead(self.rest(), REASONING_ENDS), Ahead::Yes(_));
                self.dropped(len);
            }
            Reading::Invented => self.mode = Mode::Invented,
        }
        Progress::On
    }

    /// Does the sentence around the next `len` bytes go on after them? Then they are an example of what calls look like.
    fn talks_on(&self, len: usize, over: bool) -> Option<bool> {
        let rest = &self.rest()[len..];
        let after = rest.trim_start_matches([' ', '\t']);
        match after.chars().next() {
            None if !over && !self.line.fresh => None,
            Some(next) => Some(!self.line.fresh && !matches!(next, '\n' | '\r' | '<' | '[')),
            None => Some(false),
        }
    }

    /// A block that only looks like calls: they count if nothing but their like follows.
    pub(super) fn by_looks(&mut self, over: bool) -> Progress {
        self.look(Begun::Plain, over)
    }

    /// Reads a block, and on where it was left off: once its first call is read, nothing else can become of that.
    fn look(&mut self, begun: Begun, over: bool) -> Progress {
        let verdict = self.block(over);
        self.begun = None;
        match (verdict, begun) {
            (BlockVerdict::Wait, _) => {
                self.holds_a_call = true;
                if self.looked.as_ref().is_some_and(Looked::has_calls) {
                    self.begun = Some(begun);
                } else {
                    self.looked = None;
                }
                Progress::Wait
            }
            (BlockVerdict::Text(0) | BlockVerdict::TooLong(_), Begun::Fence { mark, run, len }) => {
                self.open_fence(mark, run, len)
            }
            (verdict, Begun::Indented) => {
                // If it is code, then to the end of its line.
                self.line.quoted = matches!(verdict, BlockVerdict::Text(_));
                self.settle(verdict)
            }
            (verdict, Begun::Plain | Begun::Fence { .. }) => self.settle(verdict),
        }
    }

    fn settle(&mut self, verdict: BlockVerdict) -> Progress {
        match verdict {
            BlockVerdict::BrokeOff => self.broke_off(),
            BlockVerdict::Wait => Progress::Wait,
            BlockVerdict::Text(0) => self.pass_char(),
            BlockVerdict::Text(len) | BlockVerdict::TooLong(len) => self.pass(len),
            BlockVerdict::Calls(parts, rest) => {
                for part in parts {
                    self.at += part.skip;
                    self.found(part.calls, part.dialect, part.len);
                }
                self.at += rest;
                Progress::On
            }
        }
    }

    /// The reply ends in the middle of what would have been calls by their looks: nothing within counts.
    fn broke_off(&mut self) -> Progress {
        let (rest, len) = (self.rest(), self.rest().len());
        let begun = |name: &str| rest.split_once(name).is_some_and(|(_, after)| after.contains(['{', '(', '<', ':']));
        if !first_known(rest, &self.tools).is_some_and(begun) {
            return self.pass(len);
        }
        let dialect = match find(self.page(false), Wanted::LineStart) {
            Candidate::Found(dialect, _) => dialect.name,
            Candidate::None | Candidate::Wait => "fenced",
        };
        self.lost(Fault::CutOff, None, dialect, len);
        Progress::On
    }

    fn fence_or_code(&mut self, over: bool) -> Progress {
        let rest = self.rest();
        let mark = rest.as_bytes()[0];
        let run = rest.len() - rest.trim_start_matches(char::from(mark)).len();
        if run == rest.len() && !over {
            return Progress::Wait;
        }
        if run < 3 {
            return if mark == b'`' { self.backticks(over) } else { self.pass(run) };
        }
        if let Candidate::Found(dialect, Reading::Invented) = find(self.page(over), Wanted::LineStart) {
            return self.take(dialect, Reading::Invented, over);
        }
        let head = &rest[..rest.floor_char_boundary(LONGEST_INFO)];
        let ends = |byte: u8| byte == b'\n' || (byte == mark && mark == b'`');
        let line = match head.bytes().skip(run).position(ends) {
            Some(at) if head.as_bytes()[run + at] == b'\n' => run + at,
            Some(_) => return self.backticks(over),
            None if rest.len() >= LONGEST_INFO || over => return self.open_fence(mark, run, head.len()),
            None => {
                self.holds_a_call = true;
                return Progress::Wait;
            }
        };
        self.look(Begun::Fence { mark, run, len: line + 1 }, over)
    }

    fn open_fence(&mut self, mark: u8, run: usize, len: usize) -> Progress {
        let step = self.pass(len);
        self.line.fence = Some((mark, run));
        self.unopened.fence = self.unopened.text.len();
        step
    }

    /// Inside a code block: all is text up to the line that closes it.
    fn fenced(&mut self, mark: u8, len: usize, over: bool) -> Progress {
        let rest = self.rest();
        if self.line.fresh {
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            let inner = line.trim_start_matches([' ', '\t']).trim_end_matches(['\n', '\r', ' ', '\t']);
            let only_marks = inner.bytes().all(|byte| byte == mark);
            if only_marks && !line.ends_with('\n') && !over {
                return Progress::Wait;
            }
            if only_marks && inner.len() >= len {
                let step = self.pass(line.len());
                self.line.fence = None;
                return step;
            }
        }
        let to = rest.find('\n').map_or(rest.len(), |at| at + 1);
        self.pass(to)
    }

    pub(super) fn pass_char(&mut self) -> Progress {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        self.pass(len)
    }

    pub(super) fn pass(&mut self, len: usize) -> Progress {
        let at = self.at;
        self.text(len);
        self.line.pass(&self.held[at..at + len]);
        Progress::On
    }
}

pub(super) fn find(page: Page<'_>, wanted: Wanted) -> Candidate {
    if page.text.is_empty() {
        return Candidate::Wait;
    }
    for opener in INDEX.openers(page.text, wanted == Wanted::LineStart) {
        match opener {
            Opener::Is { place, len } => match (TABLE[place].parse_page)(&Page { opener: len, ..page }) {
                Reading::No => {}
                reading => return Candidate::Found(TABLE[place], reading),
            },
            Opener::Perhaps if page.over => {}
            Opener::Perhaps => return Candidate::Wait,
        }
    }
    if wanted == Wanted::LineStart {
        for place in &INDEX.named {
            let dialect = TABLE[*place];
            debug_assert_eq!(dialect.place, OpenerPlace::LineStart);
            match (dialect.parse_page)(&page) {
                Reading::No => {}
                reading => return Candidate::Found(dialect, reading),
            }
        }
    }
    Candidate::None
}
