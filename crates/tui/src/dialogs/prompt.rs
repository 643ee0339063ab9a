//! What the model would be sent next: as it reads it, and as it is sent. Both can be very long.

use super::frame::{Parts, choice, choices, paragraph};
use super::press::Step;
use super::{Dialog, Laid, Press, Reply, Scroll, Space};
use crate::palette::Palette;
use crate::text::long::LongText;
use agent_protocol::ServerError;
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// With so many rows, one is left blank before the keys; the frame does so too.
const ROOMY: usize = 14;

/// The two pages; the first is missing where the server does not tell.
#[derive(Debug)]
pub(crate) struct PromptView {
    rendered: Option<LongText>,
    request: LongText,
    page: Page,
    /// Why the first is missing.
    why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Rendered,
    Request,
}

impl Page {
    fn words(self) -> &'static str {
        match self {
            Page::Rendered => "as the model reads it",
            Page::Request => "as it is sent",
        }
    }

    fn other(self) -> Self {
        match self {
            Page::Rendered => Page::Request,
            Page::Request => Page::Rendered,
        }
    }
}

impl PromptView {
    /// A request, and the text that the server makes of it, or why that is not known.
    pub(crate) fn new(request: String, rendered: Option<String>, trouble: Option<&ServerError>) -> Self {
        let page = if rendered.is_some() { Page::Rendered } else { Page::Request };
        let why = match (trouble, page) {
            (_, Page::Rendered) => String::new(),
            (Some(trouble), Page::Request) => format!("how the model reads it is not known: {trouble}"),
            (None, Page::Request) => "how the model reads it is not known: this server does not tell".to_owned(),
        };
        PromptView { rendered: rendered.map(LongText::new), request: LongText::new(request), page, why }
    }

    fn text(&mut self) -> &mut LongText {
        match (self.page, &mut self.rendered) {
            (Page::Rendered, Some(rendered)) => rendered,
            (Page::Rendered | Page::Request, _) => &mut self.request,
        }
    }
}

impl Dialog for PromptView {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        if press.closes() || press.chord.is(KeyCode::Enter) {
            return Reply::close();
        }
        if press.chord.is(KeyCode::Tab) && self.rendered.is_some() {
            self.page = self.page.other();
            return Reply::stay();
        }
        if press.chord.letter().is_some() {
            // Nobody asked for an answer: whoever types here begins a message.
            return Reply::make_room();
        }
        let text = self.text();
        match press.step(text.page()) {
            Some(Step::By(lines)) => text.by(lines),
            Some(Step::ToStart) => text.go_to_start(),
            Some(Step::ToEnd) => text.go_to_end(),
            None => {}
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let mut keys = Vec::new();
        if self.rendered.is_some() {
            keys.push(choice("Tab", self.page.other().words()));
        }
        keys.extend([choice("↑ ↓", "scroll"), choice("Esc", "close")]);
        let foot = choices(&keys, inside, palette);
        let head = paragraph(&self.why, palette.warn(), inside);
        let rows = usize::from(space.most).saturating_sub(1);
        let gap = usize::from(rows >= ROOMY);
        let room = rows.saturating_sub(head.len() + foot.len() + gap);
        let (text, inside) = (self.text(), usize::from(inside));
        let whole = text.fits(inside, room);
        let (mut body, above, below) = text.lay_out(inside, if whole { room } else { room.saturating_sub(1) });
        if !whole {
            body.push(place(above, below, palette));
        }
        let title = Span::styled(format!("The prompt, {}", self.page.words()), palette.strong());
        let stays = head.len();
        space.fit(Parts { head, stays, ..Parts::new(title, &body, foot) }, &mut Scroll::default())
    }

    fn scroll_by(&mut self, lines: i32) {
        self.text().by(lines);
    }

    fn wants_room(&self) -> bool {
        true
    }
}

/// How much there is above and below.
fn place(above: u64, below: u64, palette: Palette) -> Line<'static> {
    let text = match (above, below) {
        (0, below) => format!("↓ {below} % more · PgDn"),
        (above, 0) => format!("↑ {above} % more · PgUp"),
        (above, below) => format!("↑ {above} % and ↓ {below} % more · PgUp PgDn"),
    };
    Line::styled(text, palette.warn())
}
