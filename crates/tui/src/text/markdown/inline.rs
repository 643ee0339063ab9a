//! The words of a block with their styles, until the block is complete. Here foreign text becomes clean text.

use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::wrap::append;
use pulldown_cmark::{Event, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

/// Words on their way to rows.
pub(super) struct Inline {
    palette: Palette,
    /// One entry for each line that the text itself breaks.
    rows: Vec<Vec<Span<'static>>>,
    styles: Vec<Style>,
    links: Vec<Link>,
}

/// A link being read.
struct Link {
    url: String,
    text: String,
}

impl Inline {
    pub(super) fn new(palette: Palette) -> Self {
        Inline { palette, rows: vec![Vec::new()], styles: Vec::new(), links: Vec::new() }
    }

    /// The rows so far; begins anew.
    pub(super) fn take(&mut self) -> Vec<Vec<Span<'static>>> {
        std::mem::replace(&mut self.rows, vec![Vec::new()])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(Vec::is_empty)
    }

    /// Everything from here to [`Inline::pop`] has this style too.
    pub(super) fn push(&mut self, style: Style) {
        self.styles.push(style);
    }

    /// Ends the last style.
    pub(super) fn pop(&mut self) {
        self.styles.pop();
    }

    /// Takes an event of running text; hands back what is none.
    pub(super) fn take_event<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match event {
            Event::Text(text) => self.text(&text, Style::new()),
            Event::Code(code) => self.code(&code),
            Event::SoftBreak => self.text(" ", Style::new()),
            Event::HardBreak => self.line_break(),
            Event::InlineHtml(html) if is_break(&html) => self.line_break(),
            Event::InlineHtml(html) => self.text(&html, self.palette.dim()),
            Event::TaskListMarker(done) => self.text(if done { "[x] " } else { "[ ] " }, self.palette.accent()),
            Event::Start(Tag::Emphasis) => self.push(Style::new().add_modifier(Modifier::ITALIC)),
            Event::Start(Tag::Strong) => self.push(self.palette.strong()),
            Event::Start(Tag::Strikethrough) => self.push(Style::new().add_modifier(Modifier::CROSSED_OUT)),
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => self.pop(),
            Event::Start(Tag::Link { dest_url, .. }) => self.link(&dest_url),
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.text("[image: ", self.palette.dim());
                self.link(&dest_url);
            }
            Event::End(TagEnd::Link) => self.end_link(""),
            Event::End(TagEnd::Image) => self.end_link("]"),
            other => return Some(other),
        }
        None
    }

    fn text(&mut self, text: &str, style: Style) {
        let style = self.styles.iter().fold(Style::new(), |sum, style| sum.patch(*style)).patch(style);
        let text = clean_line(text);
        for link in &mut self.links {
            link.text.push_str(&text);
        }
        match self.rows.last_mut() {
            Some(row) => append(row, &text, style),
            None => self.rows.push(vec![Span::styled(text.into_owned(), style)]),
        }
    }

    fn code(&mut self, code: &str) {
        if self.palette.is_coloured() {
            return self.text(code, self.palette.accent());
        }
        // Without colour the signs have to stay, or nothing would tell code from words.
        self.text(&format!("`{code}`"), Style::new());
    }

    fn line_break(&mut self) {
        self.rows.push(Vec::new());
    }

    fn link(&mut self, url: &str) {
        self.links.push(Link { url: url.to_owned(), text: String::new() });
        self.push(Style::new().add_modifier(Modifier::UNDERLINED));
    }

    fn end_link(&mut self, close: &str) {
        self.pop();
        self.text(close, self.palette.dim());
        let Some(Link { url, text }) = self.links.pop() else { return };
        let said = url.is_empty() || text == url || url.strip_prefix("mailto:") == Some(&text);
        if !said {
            self.text(&format!(" ({url})"), self.palette.dim());
        }
    }
}

/// Is it `<br>` in one of its forms?
fn is_break(html: &str) -> bool {
    let inside = html.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    inside.eq_ignore_ascii_case("br")
}
