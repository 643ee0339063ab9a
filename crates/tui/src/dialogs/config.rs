//! The settings that hold, each with the file or variable it is from: a list to read, filtered by what is typed.

use super::field::{labelled, typed};
use super::frame::{Part, Parts, choice, choices, paragraph};
use super::list::{GAP, lines, mark, rolled, stepped};
use super::{Dialog, Laid, Pasted, Press, Reply, Scroll, Space};
use crate::clean::clean_line;
use crate::composer::Editor;
use crate::palette::Palette;
use crate::settings::ListedSetting;
use crate::text::Lines;
use crate::text::width::{shorten, width};
use crate::text::wrap::wrap;
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Widths that names share, at most.
const LONGEST_NAME: usize = 30;
/// Widths of a value that are worth more than where it is from.
const LEAST_VALUE: usize = 16;
/// Rows of a page.
const PAGE: usize = 10;
/// What this list does not know.
const NOTE: &str = "read at the start, below its flags; changes go into config.toml";

/// The list. Everything in it is clean.
#[derive(Debug)]
pub(crate) struct ConfigList {
    rows: Vec<ListedSetting>,
    filter: Editor,
    chosen: usize,
    scroll: Scroll,
}

impl ConfigList {
    /// These, of which only those are shown first in which every word of `wanted` is found.
    pub(crate) fn new(settings: &[ListedSetting], wanted: &str) -> Self {
        let clean = |text: &str| clean_line(text).into_owned();
        let row = |setting: &ListedSetting| ListedSetting {
            name: clean(&setting.name),
            value: clean(&setting.value),
            from: clean(&setting.from),
        };
        let rows = settings.iter().map(row).collect();
        ConfigList { rows, filter: Editor::holding(wanted), chosen: 0, scroll: Scroll::default() }
    }

    /// The settings in whose name, value or place every word is found that was typed.
    fn fitting(&self) -> Vec<&ListedSetting> {
        let typed = self.filter.text().to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        let fits = |row: &&ListedSetting| {
            let whole = format!("{} = {}\n{}", row.name, row.value, row.from).to_lowercase();
            words.iter().all(|word| whole.contains(word))
        };
        self.rows.iter().filter(fits).collect()
    }

    /// Name, value and place in a line; of the chosen one below it what of these is not shown whole.
    fn row(row: &ListedSetting, chosen: bool, columns: Widths, palette: Palette) -> Lines {
        let Widths { names, values, places, all } = columns;
        let cell = |text: &str, room: usize| {
            let text = shorten(text, room).into_owned();
            let gap = " ".repeat(room.saturating_sub(width(&text)) + GAP);
            text + &gap
        };
        let (mark, style) = mark(chosen, palette);
        let mut line = vec![Span::styled(format!("{mark}{}", cell(&row.name, names)), style)];
        line.push(Span::raw(cell(&row.value, values)));
        line.extend((places > 0).then(|| Span::styled(row.from.clone(), palette.dim())));
        let mut drawn = wrap(&Line::from(line), all, 4);
        if chosen && (width(&row.name) > names || width(&row.value) > values || places == 0) {
            let whole = format!("    {} = {} ({})", row.name, row.value, row.from);
            drawn.extend(wrap(&Line::styled(whole, palette.dim()), all, 4));
        }
        drawn
    }

    fn drawn(&self, columns: u16, palette: Palette) -> (Vec<Line<'static>>, Option<usize>) {
        let fitting = self.fitting();
        if fitting.is_empty() {
            let words = "no setting fits: `agent config --defaults` shows every setting there is";
            return (wrap(&Line::styled(words, palette.dim()), columns, 0), None);
        }
        let columns = Widths::of(&fitting, columns);
        lines(fitting, self.chosen, |row, chosen| ConfigList::row(row, chosen, columns, palette))
    }
}

/// How wide everything is.
#[derive(Debug, Clone, Copy)]
struct Widths {
    names: usize,
    values: usize,
    /// None where there is no room for them beside the values.
    places: usize,
    all: u16,
}

impl Widths {
    fn of(rows: &[&ListedSetting], all: u16) -> Self {
        let widest = |of: fn(&ListedSetting) -> &str| rows.iter().map(|row| width(of(row))).max().unwrap_or(0);
        let names = widest(|row| row.name.as_str()).min(LONGEST_NAME).min(usize::from(all) / 2);
        // Behind the mark and the name.
        let room = usize::from(all).saturating_sub(2 + names + GAP);
        let places = widest(|row| row.from.as_str());
        match room.checked_sub(places + GAP).filter(|values| *values >= LEAST_VALUE) {
            Some(values) => Widths { names, values, places, all },
            None => Widths { names, values: room.saturating_sub(GAP), places: 0, all },
        }
    }
}

impl Dialog for ConfigList {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        if press.closes() || press.chord.is(KeyCode::Enter) {
            return Reply::close();
        }
        if let Some(chosen) = stepped(press, self.chosen, self.fitting().len(), PAGE) {
            self.chosen = chosen;
        } else if typed(&mut self.filter, press) {
            self.chosen = 0;
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (filter, column) = labelled("search: ", &self.filter, palette);
        let (head, cursor) = (vec![filter], Some((Part::Head, 0, column)));
        let (body, keep) = self.drawn(inside, palette);
        let mut foot = paragraph(NOTE, palette.dim(), inside);
        foot.extend(choices(&[choice("↑ ↓", "scroll"), choice("Esc", "close")], inside, palette));
        let title = Span::styled("Settings", palette.strong());
        space.fit(Parts { head, stays: 1, keep, cursor, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    /// The wheel goes through the list.
    fn scroll_by(&mut self, lines: i32) {
        self.chosen = rolled(self.chosen, lines, self.fitting().len());
    }

    fn paste(&mut self, text: &str, _now: Duration) -> Pasted {
        self.filter.insert(text.trim());
        self.chosen = 0;
        Pasted::Taken
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn goes_first(&self) -> bool {
        true
    }
}
