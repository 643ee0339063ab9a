//! Markdown that is still being written: what is settled is never parsed or laid out again.
//!
//! The text is cut into units: blocks, and the items of lists that stand at the margin. A unit is settled when the next
//! one has begun with a whole line. Only what follows the last settled unit is parsed again with each frame; an open
//! code fence there is not even that, its lines are taken one by one (see `fence`).
//!
//! **Invariant.** The rows are the same however the text was cut into pieces.

mod fence;
mod inline;
mod render;
mod split;
mod table;

use crate::clean::clean_copy;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter, Ticket};
use crate::text::ink::Inks;
use fence::{OpenFence, Progress};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use ratatui::text::Line;
use split::{UnitSpan, split};
use std::ops::Range;

/// Columns beyond which prose is hard to read; code and tables may use more.
const PROSE: usize = 100;

/// A text in markdown, growing, laid out for one width.
pub(crate) struct Markdown {
    /// As the model wrote it. Cleaned where it becomes rows: entities are only decoded there.
    source: String,
    palette: Palette,
    highlighter: Highlighter,
    width: usize,
    settled: Vec<Unit>,
    tail: Tail,
    /// Where the tail begins.
    tail_start: usize,
    growth: Growth,
    blank: Line<'static>,
    #[cfg(test)]
    renders: usize,
}

/// What follows the last settled unit.
enum Tail {
    Units(Vec<Unit>),
    Fence(Box<OpenFence>),
}

/// A whole text laid out for `width`; its code keeps one colour.
pub(crate) fn rows_of(text: &str, width: usize, palette: Palette) -> Vec<Line<'static>> {
    let mut markdown = Markdown::new(palette, Highlighter::off());
    markdown.push(text);
    markdown.end();
    markdown.all_rows(width)
}

#[derive(Clone, Copy, PartialEq)]
enum Growth {
    /// Text has come since the last layout.
    Grown,
    /// Everything there is has been laid out.
    Shown,
    /// No more will come, but the last of it is not laid out yet.
    Ended,
    /// No more will come and all is laid out.
    Complete,
}

/// A piece of the text that is laid out as one.
struct Unit {
    piece: UnitSpan,
    /// Its rows; none where nobody looks.
    rows: Vec<Line<'static>>,
    /// How many rows it has, there or not.
    height: usize,
    /// The first of its rows within the whole, after the gap.
    start: usize,
    codes: Vec<Code>,
    /// Whether `height` and the rows that are there are right for the present width and colours.
    fresh: bool,
}

/// Colours of a code block within a unit.
struct Code {
    ticket: Option<Ticket>,
    inks: Inks,
}

impl Markdown {
    /// An empty text.
    pub(crate) fn new(palette: Palette, highlighter: Highlighter) -> Self {
        Markdown {
            source: String::new(),
            palette,
            highlighter,
            width: 0,
            settled: Vec::new(),
            tail: Tail::Units(Vec::new()),
            tail_start: 0,
            growth: Growth::Shown,
            blank: Line::default(),
            #[cfg(test)]
            renders: 0,
        }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.source.push_str(text);
        self.growth = Growth::Grown;
    }

    /// No more will come.
    pub(crate) fn end(&mut self) {
        if self.growth != Growth::Complete {
            self.source.shrink_to_fit();
            self.growth = Growth::Ended;
        }
    }

    /// Is there nothing but white space?
    pub(crate) fn is_blank(&self) -> bool {
        self.source.trim().is_empty()
    }

    /// The whole text, safe to hand to another program.
    pub(crate) fn copy(&self) -> String {
        clean_copy(self.source.trim()).into_owned()
    }

    /// The code blocks, safe to hand to another program.
    pub(crate) fn code_blocks(&self) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut open: Option<String> = None;
        for event in Parser::new_ext(&self.source, split::OPTIONS) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => open = Some(String::new()),
                Event::Text(text) => open.iter_mut().for_each(|block| block.push_str(&text)),
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take().map(|code| clean_copy(&code).into_owned())),
                _ => {}
            }
        }
        blocks
    }

    /// Lays out what is new, or everything at a new width. Returns how many rows there are.
    pub(crate) fn lay_out(&mut self, width: usize) -> usize {
        if width != self.width {
            self.width = width;
            self.forget_rows();
        }
        if matches!(self.growth, Growth::Grown | Growth::Ended) {
            self.advance();
            self.growth = if self.growth == Growth::Ended { Growth::Complete } else { Growth::Shown };
        }
        self.freshen();
        self.height()
    }

    /// Has the rows of `near` there, counted from 0, and lets others go, as far as nothing is added to them. Comes
    /// after a layout and changes nothing of it.
    pub(crate) fn hold(&mut self, near: &Range<usize>) {
        let tail = match (&mut self.tail, self.growth) {
            (Tail::Units(units), Growth::Complete) => units.as_mut_slice(),
            (Tail::Units(_) | Tail::Fence(_), _) => &mut [],
        };
        for unit in self.settled.iter_mut().chain(tail) {
            if unit.start >= near.end || unit.start + unit.height <= near.start {
                unit.rows = Vec::new();
            } else if unit.is_gone() {
                let inks: Vec<&Inks> = unit.codes.iter().map(|code| &code.inks).collect();
                let rendered = render::render(&self.source[unit.piece.range.clone()], self.width, self.palette, &inks);
                unit.take(rendered.rows);
            }
        }
    }

    /// A row, counted from 0, of the last layout.
    pub(crate) fn row(&self, row: usize) -> &Line<'static> {
        let in_units = |units: &'_ [Unit]| -> Option<(usize, usize)> {
            let unit = units.partition_point(|unit| unit.start <= row).checked_sub(1)?;
            Some((unit, row - units[unit].start))
        };
        let tail: &[Unit] = match &self.tail {
            Tail::Units(units) => units,
            Tail::Fence(fence) if row >= fence.start => return fence.row(row - fence.start).unwrap_or(&self.blank),
            Tail::Fence(_) => &[],
        };
        let found = in_units(tail).map(|(unit, row)| tail[unit].rows.get(row));
        let found = found.or_else(|| in_units(&self.settled).map(|(unit, row)| self.settled[unit].rows.get(row)));
        found.flatten().unwrap_or(&self.blank)
    }

    /// Everything, laid out for `width`, for one who keeps it.
    pub(crate) fn all_rows(&mut self, width: usize) -> Vec<Line<'static>> {
        let height = self.lay_out(width);
        self.hold(&(0..height));
        (0..height).map(|row| self.row(row).clone()).collect()
    }

    /// All its rows as they look without colour: signs say there what colours say elsewhere.
    pub(crate) fn plain_rows(&self, width: usize) -> Vec<Line<'static>> {
        rows_of(&self.source, width, Palette::plain())
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: &Highlighted) -> bool {
        if let Tail::Fence(fence) = &mut self.tail
            && fence.highlighted(&self.source, done, self.width, self.palette)
        {
            return true;
        }
        for unit in self.settled.iter_mut().rev() {
            let waiting = unit.codes.iter_mut().find(|code| code.ticket == Some(done.ticket));
            if let Some(code) = waiting.filter(|code| code.inks.lines() == done.first) {
                code.inks.append(&done.inks);
                // Colours do not change how many rows there are.
                unit.fresh = unit.is_gone();
                return true;
            }
        }
        false
    }

    /// Is this row there to be drawn, or a gap?
    #[cfg(test)]
    pub(crate) fn has_row(&self, row: usize) -> bool {
        let tail: &[Unit] = match &self.tail {
            Tail::Units(units) => units,
            Tail::Fence(_) => &[],
        };
        let holds = |unit: &&Unit| (unit.start..unit.start + unit.height).contains(&row);
        self.settled.iter().chain(tail).find(holds).is_none_or(|unit| !unit.is_gone())
    }

    /// How often a unit was parsed and laid out.
    #[cfg(test)]
    pub(crate) fn renders(&self) -> usize {
        self.renders
    }

    fn forget_rows(&mut self) {
        self.settled.iter_mut().for_each(|unit| unit.fresh = false);
        match &mut self.tail {
            Tail::Units(units) => units.iter_mut().for_each(|unit| unit.fresh = false),
            Tail::Fence(fence) => fence.lay_out_anew(&self.source, self.width, self.palette),
        }
    }

    /// Settles what can be settled and cuts the rest anew.
    fn advance(&mut self) {
        loop {
            match &mut self.tail {
                Tail::Fence(fence) => match fence.advance(&self.source, self.width, self.palette) {
                    Progress::Closed(end) => self.close_fence(end),
                    Progress::Open if self.growth == Growth::Ended => {
                        fence.end(&self.source, self.width, self.palette);
                        self.close_fence(self.source.len());
                        // Whether blanks at the very end are code is for the parser to say.
                        self.settled.iter_mut().last().into_iter().for_each(|unit| unit.fresh = false);
                    }
                    Progress::Open => return,
                },
                Tail::Units(_) => {
                    if !self.cut_tail() {
                        return;
                    }
                }
            }
        }
    }

    fn close_fence(&mut self, end: usize) {
        let Tail::Fence(fence) = std::mem::replace(&mut self.tail, Tail::Units(Vec::new())) else { return };
        self.tail_start = end;
        self.settled.push(fence.settle(end));
    }

    /// Settles the closed units of the tail. Returns whether it begins with an open fence now.
    fn cut_tail(&mut self) -> bool {
        let (start, ended) = (self.tail_start, self.growth == Growth::Ended);
        let text = &self.source[start..];
        let text = if ended { text } else { &text[..split::shown(text)] };
        let mut pieces = split(text);
        let open = if ended { pieces.len() } else { split::first_open(text, &pieces) };
        let previous = |units: &[Unit]| units.last().map(|unit| unit.piece.clone());
        for piece in &mut pieces {
            piece.range = piece.range.start + start..piece.range.end + start;
        }
        let rest = pieces.split_off(open);
        for piece in pieces {
            self.tail_start = piece.range.end;
            let piece = piece.after(previous(&self.settled).as_ref(), &self.source);
            self.settled.push(Unit::new(piece));
        }
        let mut tail: Vec<Unit> = Vec::new();
        for piece in rest {
            let before = tail.last().map(|unit| unit.piece.clone()).or_else(|| previous(&self.settled));
            tail.push(Unit::new(piece.after(before.as_ref(), &self.source)));
        }
        if let (Some(first), false) = (tail.first(), ended)
            && let Some(fence) = OpenFence::begin(&self.source, &first.piece, &self.highlighter)
        {
            self.tail = Tail::Fence(Box::new(fence));
            return true;
        }
        self.tail = Tail::Units(tail);
        false
    }

    /// Lays out every unit that is not right as it is, and counts the rows.
    fn freshen(&mut self) {
        let mut rows = 0;
        let settled = self.settled.len();
        let tail = match &mut self.tail {
            Tail::Units(units) => units.as_mut_slice(),
            Tail::Fence(_) => &mut [],
        };
        for (number, unit) in self.settled.iter_mut().chain(tail).enumerate() {
            if !unit.fresh {
                let inks: Vec<&Inks> = unit.codes.iter().map(|code| &code.inks).collect();
                let rendered = render::render(&self.source[unit.piece.range.clone()], self.width, self.palette, &inks);
                unit.take(rendered.rows);
                if unit.codes.is_empty() && number < settled {
                    unit.codes = rendered.codes.into_iter().map(|code| Code::ask(code, &self.highlighter)).collect();
                }
                #[cfg(test)]
                {
                    self.renders += 1;
                }
            }
            let gap = unit.piece.gap && rows > 0 && unit.height > 0;
            unit.start = rows + usize::from(gap);
            rows = unit.start + unit.height;
        }
        if let Tail::Fence(fence) = &mut self.tail {
            fence.start = rows + usize::from(rows > 0);
        }
    }

    fn height(&self) -> usize {
        match &self.tail {
            Tail::Fence(fence) => fence.start + fence.height(),
            Tail::Units(units) => units.last().or(self.settled.last()).map_or(0, |unit| unit.start + unit.height),
        }
    }
}

impl Unit {
    fn new(piece: UnitSpan) -> Self {
        Unit { piece, rows: Vec::new(), height: 0, start: 0, codes: Vec::new(), fresh: false }
    }

    fn take(&mut self, rows: Vec<Line<'static>>) {
        self.height = rows.len();
        self.rows = rows;
        self.fresh = true;
    }

    fn is_gone(&self) -> bool {
        self.fresh && self.rows.len() < self.height
    }
}

impl Code {
    fn ask(code: render::CodeText, highlighter: &Highlighter) -> Self {
        let lines = code.text.lines().count();
        let ticket = match code.language.is_empty() || !highlighter.is_on() {
            true => None,
            false => highlighter.pick(&code.language, code.text, (0..lines).collect()),
        };
        Code { ticket, inks: Inks::default() }
    }
}

#[cfg(test)]
mod tests;
