//! What there is to do, as the model wrote it down: the panel above the composer, and words for other places.
//!
//! Signs tell how far each thing is; strokes and weight only help.

use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use agent_protocol::{Todo, TodoStatus};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Rows of the panel: less cannot be read, more would hide the conversation.
const LEAST_ROWS: usize = 3;
const MOST_ROWS: usize = 12;

/// The list as it is now.
#[derive(Debug, Default)]
pub(crate) struct Todos {
    items: Vec<Todo>,
    shown: bool,
}

impl Todos {
    /// The whole list is this now. The first one shows itself; one that is done goes out of the way.
    pub(crate) fn take(&mut self, items: Vec<Todo>) {
        let was_open = self.is_open();
        self.items = items;
        match (was_open, self.is_open()) {
            (false, true) => self.shown = true,
            (_, false) => self.shown = false,
            (true, true) => {}
        }
    }

    /// Shows or hides it; says whether there is anything to show.
    pub(crate) fn toggle(&mut self) -> bool {
        self.shown = !self.shown && !self.items.is_empty();
        !self.items.is_empty()
    }

    fn is_open(&self) -> bool {
        self.items.iter().any(|item| item.status != TodoStatus::Completed)
    }

    /// `todo 3/7`, while anything is open.
    pub(crate) fn status(&self) -> Option<String> {
        self.is_open().then(|| format!("todo {}", figures(self.items.iter().map(|item| item.status))))
    }

    /// The panel for a screen of so many rows of which `free` are left for it, where it is shown and has room: a heading,
    /// and what is around the thing being done.
    pub(crate) fn panel(
        &self,
        columns: u16,
        rows: u16,
        free: usize,
        key: &str,
        palette: Palette,
    ) -> Vec<Line<'static>> {
        let most = (usize::from(rows) / 3).clamp(LEAST_ROWS, MOST_ROWS).min(free);
        if !self.shown || most < LEAST_ROWS {
            return Vec::new();
        }
        let columns = usize::from(columns);
        let mut lines = vec![self.heading(columns, key, palette)];
        let (above, shown, below) = self.window(most - 1);
        // What is left out above and below is told in the first and the last row.
        let left_out = |sign: &str, count: usize, words: &str| {
            (count > 0).then(|| Line::styled(format!(" {sign} {count} {words}"), palette.dim()))
        };
        let above_words = if self.items[..above].iter().all(|item| item.status == TodoStatus::Completed) {
            left_out("✓", above, "done")
        } else {
            left_out("↑", above, "more")
        };
        lines.extend(above_words);
        lines.extend(self.items[above..above + shown].iter().map(|item| row(item, 1, columns, palette)));
        lines.extend(left_out("↓", below, "more"));
        lines
    }

    fn heading(&self, columns: usize, key: &str, palette: Palette) -> Line<'static> {
        let title = format!("Todo {}", figures(self.items.iter().map(|item| item.status)));
        let end = format!(" {key} hides ──");
        let taken = width("── ") + width(&title) + 1;
        let end = if taken + 2 + width(&end) <= columns { end } else { String::new() };
        let line = "─".repeat(columns.saturating_sub(taken + width(&end)));
        let (dim, title) = (palette.dim(), Span::styled(title, palette.strong()));
        Line::from(vec![Span::styled("── ", dim), title, Span::styled(format!(" {line}{end}"), dim)])
    }

    /// Which items have room in so many rows: so many are left out above, so many are shown, so many left out below.
    /// What is being done is among those shown, or else what is next.
    fn window(&self, rows: usize) -> (usize, usize, usize) {
        let count = self.items.len();
        if count <= rows {
            return (0, count, 0);
        }
        let at = |status| self.items.iter().position(|item| item.status == status);
        let now = at(TodoStatus::InProgress).or_else(|| at(TodoStatus::Pending)).unwrap_or(0);
        // From the beginning, with a row for what is left out below; else with a row above as well, or only there.
        if now < rows - 1 {
            return (0, rows - 1, count - (rows - 1));
        }
        let room = rows.saturating_sub(2).max(1);
        let above = now.saturating_sub(usize::from(room > 1)).max(1);
        if count - above < rows {
            let above = count - (rows - 1);
            return (above, rows - 1, 0);
        }
        (above, room, if rows > 2 { count - above - room } else { 0 })
    }
}

/// Sign and style of a thing to do.
fn look(status: TodoStatus, palette: Palette) -> (&'static str, Style, Style) {
    match status {
        TodoStatus::Pending => ("○", palette.dim(), palette.text()),
        TodoStatus::InProgress => ("●", palette.accent(), palette.strong()),
        TodoStatus::Completed => ("✓", palette.good(), palette.dim().add_modifier(Modifier::CROSSED_OUT)),
    }
}

/// One thing to do in one row, so many columns from the edge.
pub(crate) fn row(item: &Todo, indent: usize, columns: usize, palette: Palette) -> Line<'static> {
    let (sign, sign_style, style) = look(item.status, palette);
    let words = clean_line(item.content.trim());
    let words = shorten(&words, columns.saturating_sub(indent + 2)).into_owned();
    let margin = Span::raw(" ".repeat(indent));
    Line::from(vec![margin, Span::styled(format!("{sign} "), sign_style), Span::styled(words, style)])
}

/// `Todo 3/7: Write tests`: what a call that writes the list is called.
pub(crate) fn title(items: &[Todo]) -> String {
    let figures = figures(items.iter().map(|item| item.status));
    let now = items.iter().find(|item| item.status == TodoStatus::InProgress);
    match now.map(|item| clean_line(item.content.trim()).into_owned()) {
        _ if items.is_empty() => "Todo: nothing".to_owned(),
        Some(words) => format!("Todo {figures}: {words}"),
        None => format!("Todo {figures}"),
    }
}

/// How many are done, of how many.
fn figures(all: impl Iterator<Item = TodoStatus> + Clone) -> String {
    let done = all.clone().filter(|status| *status == TodoStatus::Completed).count();
    format!("{done}/{}", all.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(signs: &str) -> Vec<Todo> {
        let item = |(number, sign): (usize, char)| Todo {
            id: number.to_string(),
            content: format!("thing {number}"),
            status: match sign {
                'x' => TodoStatus::Completed,
                '>' => TodoStatus::InProgress,
                _ => TodoStatus::Pending,
            },
        };
        signs.chars().enumerate().map(item).collect()
    }

    fn of(signs: &str) -> Todos {
        let mut todos = Todos::default();
        todos.take(list(signs));
        todos
    }

    #[test]
    fn what_is_being_done_is_always_in_view_and_nothing_is_left_out_unsaid() {
        for length in 1..30 {
            for now in 0..length {
                let signs: String =
                    (0..length).map(|at| [">", "x", "."][usize::from(at < now) + 2 * usize::from(at > now)]).collect();
                for rows in 2..12 {
                    let (above, shown, below) = of(&signs).window(rows);
                    assert!((above..above + shown).contains(&now), "{signs} in {rows}: {above} {shown} {below}");
                    assert!(above + shown + below == length || rows == 2, "{signs} in {rows}");
                    let told = usize::from(above > 0) + usize::from(below > 0);
                    assert!(shown + told <= rows, "{signs} in {rows}: {above} {shown} {below}");
                }
            }
        }
    }

    #[test]
    fn a_list_shows_itself_when_it_comes_and_goes_when_it_is_done() {
        let mut todos = of(">..");
        assert!(todos.shown);
        todos.toggle();
        todos.take(list("x>."));
        assert!(!todos.shown, "who hides it does not want it back with each step");
        todos.take(list("xxx"));
        assert_eq!((todos.shown, todos.status()), (false, None));
        todos.take(list(">."));
        assert!(todos.shown, "another list is another matter");
    }

    #[test]
    fn the_title_tells_how_far_it_is_and_what_is_being_done() {
        assert_eq!(title(&list("xx>.")), "Todo 2/4: thing 2");
        assert_eq!([title(&list("xx")), title(&[])], ["Todo 2/2", "Todo: nothing"]);
    }
}
