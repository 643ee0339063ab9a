//! One unit of markdown as rows: goes through the parser's events once, with the margins of what encloses them.

use super::fence::language;
use super::inline::Inline;
use super::table::{self, Table};
use super::{PROSE, split};
use crate::clean::clean_line;
use crate::palette::{Palette, on_ground};
use crate::text::code::code_rows;
use crate::text::ink::Inks;
use crate::text::width::spans_width;
use crate::text::wrap::{Break, wrap_spans};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns that content has at least, however deep it stands.
const LEAST_ROOM: usize = 12;

/// Signs of list items, by depth.
const BULLETS: [&str; 3] = ["•", "◦", "▪"];

pub(super) struct Rendered {
    pub(super) rows: Vec<Line<'static>>,
    /// The code in it, in order.
    pub(super) codes: Vec<CodeText>,
}

/// Code that could be coloured.
pub(super) struct CodeText {
    /// What its fence names; empty where it names nothing.
    pub(super) language: String,
    /// Its clean lines, each with a line break.
    pub(super) text: String,
}

/// Lays out `source` for `width` columns; `inks` colour its code blocks, in order, as far as they are known.
pub(super) fn render(source: &str, width: usize, palette: Palette, inks: &[&Inks]) -> Rendered {
    let mut room = Room {
        width,
        palette,
        inks,
        rows: Vec::new(),
        codes: Vec::new(),
        margins: Vec::new(),
        lists: Vec::new(),
        inline: Inline::new(palette),
        code: None,
        table: None,
        begun: false,
    };
    let mut events = Parser::new_ext(source, split::OPTIONS).peekable();
    while let Some(event) = events.next() {
        let loose = matches!(events.peek(), Some(Event::Start(Tag::Paragraph)));
        room.take(event, if loose { Spacing::Loose } else { Spacing::Tight });
    }
    room.end_words();
    Rendered { rows: room.rows, codes: room.codes }
}

/// Whether blank lines stand between blocks.
#[derive(Clone, Copy, PartialEq)]
enum Spacing {
    Loose,
    Tight,
}

/// What stands to the left of everything inside a quote or a list item.
struct Margin {
    /// On the first row, until that is drawn.
    first: Option<Span<'static>>,
    rest: Span<'static>,
    spacing: Spacing,
}

struct Room<'a> {
    width: usize,
    palette: Palette,
    inks: &'a [&'a Inks],
    rows: Vec<Line<'static>>,
    codes: Vec<CodeText>,
    margins: Vec<Margin>,
    /// The next number of each open list; `None`: bullets.
    lists: Vec<Option<u64>>,
    inline: Inline,
    code: Option<CodeText>,
    table: Option<Table>,
    /// Has something been drawn in the innermost enclosure?
    begun: bool,
}

impl Room<'_> {
    /// `spacing` tells what an item that begins here would have.
    fn take(&mut self, event: Event<'_>, spacing: Spacing) {
        if let (Some(code), Event::Text(text)) = (&mut self.code, &event) {
            return code.text.push_str(text);
        }
        match self.inline.take_event(event) {
            None => {}
            Some(Event::Start(tag)) => self.start(tag, spacing),
            Some(Event::End(tag)) => self.end(tag),
            Some(Event::Rule) => {
                let line = "─".repeat(self.room().min(PROSE));
                self.block(vec![vec![Span::styled(line, self.palette.dim())]]);
            }
            Some(Event::Html(html)) => {
                let line = Span::styled(clean_line(html.trim_end()).into_owned(), self.palette.dim());
                let room = self.room();
                self.draw(wrap_spans(vec![line], room, room, Break::Words));
            }
            // Mathematics and footnotes are not asked for.
            Some(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, spacing: Spacing) {
        if self.table.is_none() {
            self.end_words();
        }
        match tag {
            Tag::Heading { level, .. } => {
                self.gap();
                self.inline.push(heading(level));
            }
            Tag::BlockQuote(_) => {
                self.gap();
                let bar = Span::styled("│ ", self.palette.dim());
                self.enter(Margin { first: None, rest: bar, spacing: Spacing::Loose });
            }
            Tag::List(first) => {
                self.gap();
                self.lists.push(first);
                self.begun = false;
            }
            Tag::Item => self.start_item(spacing),
            Tag::CodeBlock(kind) => {
                let info =
                    if let CodeBlockKind::Fenced(info) = kind { language(&info).to_owned() } else { String::new() };
                self.code = Some(CodeText { language: info, text: String::new() });
            }
            Tag::Table(alignments) => self.table = Some(Table::new(alignments)),
            Tag::Paragraph | Tag::HtmlBlock => self.gap(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.inline.pop();
                self.end_words();
            }
            TagEnd::BlockQuote(_) => self.leave(),
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::Item => self.end_item(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => self.table.iter_mut().for_each(|table| table.cell(self.inline.take())),
            TagEnd::TableHead | TagEnd::TableRow => self.table.iter_mut().for_each(Table::end_row),
            TagEnd::Table => self.end_table(),
            _ => self.end_words(),
        }
    }

    fn start_item(&mut self, spacing: Spacing) {
        if spacing == Spacing::Loose {
            self.gap();
        }
        let depth = self.lists.len().saturating_sub(1);
        let sign = match self.lists.last_mut() {
            Some(Some(number)) => {
                let sign = format!("{number}. ");
                *number = number.saturating_add(1);
                sign
            }
            _ => format!("{} ", BULLETS[depth % BULLETS.len()]),
        };
        let rest = Span::raw(" ".repeat(sign.chars().count()));
        self.enter(Margin { first: Some(Span::styled(sign, self.palette.dim())), rest, spacing });
    }

    fn end_item(&mut self) {
        self.end_words();
        if self.margins.last().is_some_and(|margin| margin.first.is_some()) {
            self.draw(vec![Vec::new()]);
        }
        self.leave();
    }

    fn end_code(&mut self) {
        let Some(mut code) = self.code.take() else { return };
        code.text = code.text.lines().map(|line| clean_line(line).into_owned() + "\n").collect();
        let inks = self.inks.get(self.codes.len());
        let (room, palette) = (self.room(), self.palette);
        let rows = code.text.lines().enumerate().flat_map(|(number, line)| {
            let runs = inks.map(|inks| inks.line(number)).unwrap_or_default();
            code_rows(line, runs, room, palette)
        });
        let grounded = |row| on_ground(Line::from(row), palette.quiet(), room).spans;
        let rows = rows.map(grounded).collect();
        self.codes.push(code);
        self.block(rows);
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            let rows = table::lay_out(table, self.room(), self.palette);
            self.block(rows);
        }
    }

    /// Draws the words so far, if there are any.
    fn end_words(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let prose = PROSE.saturating_sub(self.width.saturating_sub(self.room()));
        let room = self.room().min(prose.max(LEAST_ROOM));
        let rows = self.inline.take().into_iter().flat_map(|row| wrap_spans(row, room, room, Break::Words)).collect();
        self.draw(rows);
    }

    fn block(&mut self, rows: Vec<Vec<Span<'static>>>) {
        self.gap();
        self.draw(rows);
    }

    fn draw(&mut self, rows: Vec<Vec<Span<'static>>>) {
        for row in rows {
            let mut spans = self.margin();
            spans.extend(row);
            self.rows.push(Line::from(spans));
            self.begun = true;
        }
    }

    /// A blank line, where something stands above and the enclosure wants one.
    fn gap(&mut self) {
        let tight = self.margins.last().is_some_and(|margin| margin.spacing == Spacing::Tight);
        if self.begun && !tight {
            let margin = self.margin();
            let bars = margin.iter().rposition(|span| !span.content.trim().is_empty()).map_or(0, |last| last + 1);
            self.rows.push(Line::from(margin[..bars].to_vec()));
        }
    }

    fn enter(&mut self, margin: Margin) {
        self.margins.push(margin);
        self.begun = false;
    }

    fn leave(&mut self) {
        self.end_words();
        self.margins.pop();
        self.begun = true;
    }

    /// What stands to the left of the next row.
    fn margin(&mut self) -> Vec<Span<'static>> {
        let skipped = self.skipped_margins();
        let signs = self.margins.iter_mut().map(|margin| margin.first.take().unwrap_or_else(|| margin.rest.clone()));
        signs.skip(skipped).collect()
    }

    /// Columns to the right of the margins.
    fn room(&self) -> usize {
        let shown: usize = self.margins[self.skipped_margins()..].iter().map(Margin::width).sum();
        self.width.saturating_sub(shown).max(1)
    }

    /// Outer margins that are left out because too little room would remain.
    fn skipped_margins(&self) -> usize {
        let mut used = 0;
        let fits = |margin: &&Margin| {
            used += margin.width();
            used + LEAST_ROOM <= self.width
        };
        self.margins.len() - self.margins.iter().rev().take_while(fits).count()
    }
}

impl Margin {
    fn width(&self) -> usize {
        spans_width(std::slice::from_ref(&self.rest))
    }
}

/// How headings look: weight alone, so that they do without colour.
fn heading(level: HeadingLevel) -> Style {
    match level {
        HeadingLevel::H1 => Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        HeadingLevel::H2 => Style::new().add_modifier(Modifier::BOLD),
        _ => Style::new().add_modifier(Modifier::BOLD | Modifier::ITALIC),
    }
}
