//! The settings that hold, each with the file or variable it is from: a list, filtered by what is typed, of which Enter changes
//! one in the user's file.

use super::field::{labelled, typed, written};
use super::frame::{Part, Parts, choice, choices, paragraph};
use super::list::{GAP, lines, mark, rolled, stepped};
use super::{Dialog, Laid, Pasted, Press, Reply, Scroll, Space, Then};
use crate::clean::clean_line;
use crate::cmd::Cmd;
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
const PAGE: usize = 10;
/// What is to be known of all of them.
const NOTE: &str = "read at the start; what you change goes into your config.toml, and counts from the next start on";
/// What is to be known of a value that is being written.
const NOTE_OF_VALUE: &str = "empty: it is taken out of your config.toml";

/// The list. Everything in it is clean.
#[derive(Debug)]
pub(crate) struct ConfigList {
    rows: Vec<ListedSetting>,
    filter: Editor,
    chosen: usize,
    scroll: Scroll,
    /// The value of the chosen one, while that is being written.
    value: Option<Value>,
    /// What became of the last one.
    written: Option<String>,
}

/// A value that is being written.
#[derive(Debug)]
struct Value {
    of: ListedSetting,
    editor: Editor,
    /// Why it was not taken.
    fault: Option<String>,
}

impl Value {
    /// As it is set; of what is not set nothing stands there.
    fn of(row: &ListedSetting) -> Self {
        let quoted = row.value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let text = quoted.filter(|text| !text.contains(['"', '\\'])).unwrap_or(&row.value);
        Value { of: row.clone(), editor: Editor::holding(if row.is_set { text } else { "" }), fault: None }
    }
}

impl ConfigList {
    /// These, of which only those are shown first in which every word of `wanted` is found.
    pub(crate) fn new(settings: &[ListedSetting], wanted: &str) -> Self {
        ConfigList {
            rows: cleaned(settings),
            filter: Editor::holding(wanted),
            chosen: 0,
            scroll: Scroll::default(),
            value: None,
            written: None,
        }
    }

    /// The wish to write a value as it was typed; of nothing, to take the setting out.
    pub(crate) fn write(name: &str, typed: &str) -> Cmd {
        let value = Some(typed.trim().to_owned()).filter(|value| !value.is_empty());
        Cmd::WriteSetting { name: name.to_owned(), value }
    }

    /// A key in the list.
    fn key_in_list(&mut self, press: Press) -> Reply {
        if press.closes() {
            return Reply::close();
        }
        if press.chord.is(KeyCode::Enter) {
            let row = self.fitting().get(self.chosen).copied();
            let Some(value) = row.map(Value::of) else { return Reply::close() };
            (self.value, self.written) = (Some(value), None);
        } else if let Some(chosen) = stepped(press, self.chosen, self.fitting().len(), PAGE) {
            self.chosen = chosen;
        } else if typed(&mut self.filter, press) {
            self.chosen = 0;
        }
        Reply::stay()
    }

    fn lay_out_value(value: &Value, space: Space, scroll: &mut Scroll) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (mut head, row, column) = written(&value.editor, inside, palette);
        let stays = head.len();
        head.push(Line::default());
        let mut body = paragraph(&value.of.about, palette.text(), inside);
        let now = format!("now: {} ({})", value.of.value, value.of.from);
        body.extend(paragraph(&now, palette.dim(), inside));
        let mut foot = match &value.fault {
            Some(fault) => paragraph(fault, palette.bad(), inside),
            None => paragraph(NOTE_OF_VALUE, palette.dim(), inside),
        };
        foot.extend(choices(&[choice("Enter", "write it"), choice("Esc", "back")], inside, palette));
        let title = Span::styled(format!("Settings · {}", value.of.name), palette.strong());
        let cursor = Some((Part::Head, row, column));
        space.fit(Parts { head, stays, cursor, ..Parts::new(title, &body, foot) }, scroll)
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
        if chosen && !row.about.is_empty() {
            drawn.extend(wrap(&Line::styled(format!("    {}", row.about), palette.dim()), all, 4));
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

fn cleaned(settings: &[ListedSetting]) -> Vec<ListedSetting> {
    let clean = |text: &str| clean_line(text).into_owned();
    let row = |setting: &ListedSetting| ListedSetting {
        name: clean(&setting.name),
        value: clean(&setting.value),
        from: clean(&setting.from),
        about: clean(&setting.about),
        is_set: setting.is_set,
    };
    settings.iter().map(row).collect()
}

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
        let Some(value) = &mut self.value else { return self.key_in_list(press) };
        if press.closes() {
            self.value = None;
        } else if press.chord.is(KeyCode::Enter) {
            let write = ConfigList::write(&value.of.name, value.editor.text());
            return Reply { cmds: vec![write], then: Then::Stay };
        } else if typed(&mut value.editor, press) {
            value.fault = None;
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        if let Some(value) = &self.value {
            return ConfigList::lay_out_value(value, space, &mut self.scroll);
        }
        let (inside, palette) = (space.inside(), space.palette);
        let (filter, column) = labelled("search: ", &self.filter, palette);
        let (head, cursor) = (vec![filter], Some((Part::Head, 0, column)));
        let (body, keep) = self.drawn(inside, palette);
        let mut foot = match &self.written {
            Some(words) => paragraph(words, palette.strong(), inside),
            None => paragraph(NOTE, palette.dim(), inside),
        };
        let keys = [choice("↑ ↓", "choose"), choice("Enter", "change"), choice("Esc", "close")];
        foot.extend(choices(&keys, inside, palette));
        let title = Span::styled("Settings", palette.strong());
        space.fit(Parts { head, stays: 1, keep, cursor, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    /// The wheel goes through the list.
    fn scroll_by(&mut self, lines: i32) {
        self.chosen = rolled(self.chosen, lines, self.fitting().len());
    }

    fn setting_written(&mut self, name: &str, outcome: &Result<Vec<ListedSetting>, String>) {
        match (outcome, &mut self.value) {
            (Ok(settings), _) => {
                self.rows = cleaned(settings);
                let row = self.rows.iter().find(|row| row.name == name);
                let holds = row.map(|row| format!(": {} = {} ({})", row.name, row.value, row.from));
                self.written = Some(format!("written; from the next start on{}", holds.unwrap_or_default()));
                self.value = None;
            }
            (Err(why), Some(value)) => value.fault = Some(clean_line(why).into_owned()),
            (Err(why), None) => self.written = Some(clean_line(why).into_owned()),
        }
    }

    fn paste(&mut self, text: &str, _now: Duration) -> Pasted {
        match &mut self.value {
            Some(value) => value.editor.insert(text.trim()),
            None => {
                self.filter.insert(text.trim());
                self.chosen = 0;
            }
        }
        Pasted::Taken
    }

    fn step(&self) -> u8 {
        u8::from(self.value.is_some())
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn goes_first(&self) -> bool {
        true
    }
}
