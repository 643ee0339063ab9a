//! The choice of a model: those installed, filtered by what is typed, and one that could be pulled.

use super::frame::{self, Part, Parts, choice, choices, paragraph};
use super::{Laid, Lock, Press, Reply, Scroll};
use crate::clean::clean_line;
use crate::composer::{Editor, edit};
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use crate::words::{bytes, window};
use agent_protocol::{ModelCard, ModelsReason, Op};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

/// Names longer than this are cut in the list.
const LONGEST_NAME: usize = 48;

/// The list of models.
#[derive(Debug)]
pub(crate) struct Picker {
    models: Vec<ModelCard>,
    reason: ModelsReason,
    current: Option<String>,
    filter: Editor,
    chosen: usize,
    /// Closed at first where the list came unbidden.
    pub(crate) lock: Option<Lock>,
    pub(crate) scroll: Scroll,
}

/// One row of the list.
#[derive(Debug, PartialEq)]
enum Row<'a> {
    Installed(&'a ModelCard),
    Pull(String),
}

impl Picker {
    pub(crate) fn new(models: Vec<ModelCard>, reason: ModelsReason, current: Option<String>) -> Self {
        let chosen = models.iter().position(|model| Some(&model.name) == current.as_ref()).unwrap_or(0);
        let lock = (reason != ModelsReason::Asked).then(Lock::default);
        Picker { models, reason, current, filter: Editor::default(), chosen, lock, scroll: Scroll::default() }
    }

    pub(crate) fn key(&mut self, press: Press) -> Reply {
        if press.closes() {
            return Reply::close();
        }
        let count = self.rows().len();
        match press.chord.code {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(count.saturating_sub(1)),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
            KeyCode::PageDown => self.chosen = (self.chosen + 10).min(count.saturating_sub(1)),
            KeyCode::Enter => return self.take(),
            _ => {
                let before = self.filter.text().to_owned();
                edit(&mut self.filter, press.chord);
                if self.filter.text() != before {
                    self.chosen = 0;
                }
            }
        }
        Reply::stay()
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.filter.insert(text.trim());
        self.chosen = 0;
    }

    fn take(&mut self) -> Reply {
        match self.rows().into_iter().nth(self.chosen) {
            Some(Row::Installed(model)) => Reply::close_and(Op::SetModel { name: model.name.clone() }),
            Some(Row::Pull(name)) => Reply::close_and(Op::Pull { name }),
            None => Reply::stay(),
        }
    }

    /// What fits the filter; then, where it names no installed model, the offer to pull it.
    fn rows(&self) -> Vec<Row<'_>> {
        let filter = self.filter.text().trim().to_lowercase();
        let fits = |model: &&ModelCard| model.name.to_lowercase().contains(&filter);
        let mut rows: Vec<Row<'_>> = self.models.iter().filter(fits).map(Row::Installed).collect();
        let wanted = match &self.reason {
            ModelsReason::Missing { name } if filter.is_empty() => Some(name.clone()),
            _ => Some(self.filter.text().trim().to_owned()).filter(|name| !name.is_empty()),
        };
        let installed = |name: &String| self.models.iter().any(|model| model.name == *name);
        rows.extend(wanted.filter(|name| !installed(name)).map(Row::Pull));
        rows
    }

    pub(crate) fn lay_out(&mut self, columns: u16, most: u16, palette: Palette) -> Laid {
        let inside = frame::inner(columns);
        let mut head = self.head(inside, palette);
        let label = if self.models.is_empty() { "name: " } else { "filter: " };
        let typed = clean_line(self.filter.text()).into_owned();
        let cursor = width(label) + width(&clean_line(&self.filter.text()[..self.filter.cursor()]));
        head.push(Line::from(vec![Span::styled(label, palette.dim()), Span::raw(typed)]));
        let cursor = Some((Part::Head, head.len() - 1, u16::try_from(cursor).unwrap_or(u16::MAX)));
        let rows = self.rows();
        let chosen = self.chosen.min(rows.len().saturating_sub(1));
        let body = self.list(&rows, chosen, inside, palette);
        let keys = [choice("enter", "take it"), choice("↑ ↓", "choose"), choice("esc", "close")];
        let foot = choices(&keys, inside, palette);
        let title = Span::styled("Choose a model", palette.strong());
        let parts = Parts { title, head, body: &body, foot, keep: Some(chosen), cursor };
        frame::fit(parts, &mut self.scroll, columns, most, palette)
    }

    fn head(&self, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let text = match &self.reason {
            ModelsReason::Missing { name } => {
                format!("{} is not installed: choose another, or pull it", clean_line(name))
            }
            _ if self.models.is_empty() => "no model is installed; type the name of one to pull, like qwen3:8b".into(),
            ModelsReason::NoneChosen => "no model is chosen yet; the choice is remembered".into(),
            ModelsReason::Asked => "type to filter, or the name of a model to pull".to_owned(),
        };
        paragraph(&text, palette.text(), columns)
    }

    fn list(&self, rows: &[Row<'_>], chosen: usize, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        if rows.is_empty() {
            return vec![Line::styled("nothing fits", palette.dim())];
        }
        let longest = self.models.iter().map(|model| width(&clean_line(&model.name))).max().unwrap_or(0);
        let room = longest.min(LONGEST_NAME).min(usize::from(columns) / 2);
        let lines = rows.iter().enumerate().map(|(number, row)| {
            let (mark, style) = if number == chosen {
                ("› ", palette.accent().patch(palette.strong()))
            } else {
                ("  ", palette.text())
            };
            let mut spans = vec![Span::styled(mark, style)];
            match row {
                Row::Pull(name) => spans.push(Span::styled(format!("pull {}", clean_line(name)), style)),
                Row::Installed(model) => {
                    let name = shorten(&clean_line(&model.name), room).into_owned();
                    let gap = " ".repeat(room - width(&name));
                    spans.push(Span::styled(format!("{name}{gap}"), style));
                    spans.push(Span::styled(self.figures(model), palette.dim()));
                }
            }
            Line::from(spans)
        });
        lines.collect()
    }

    /// Size, window, tools: what the choice depends on, most important first, for narrow screens cut at the end.
    fn figures(&self, model: &ModelCard) -> String {
        let current = self.current.as_ref() == Some(&model.name);
        let tools = match model.tools {
            Some(true) => "tools   ",
            Some(false) => "no tools",
            None => "tools ? ",
        };
        let size = model.size_bytes.map_or_else(String::new, bytes);
        let length = model.context_length.map_or_else(String::new, |tokens| format!("{} tokens", window(tokens)));
        let kind = [&model.parameter_size, &model.quantization].into_iter().flatten();
        let kind = kind.map(|word| clean_line(word).into_owned()).collect::<Vec<_>>().join(" ");
        let now = if current { "  · in use" } else { "" };
        format!("  {tools}  {size:>7}  {length:>11}  {kind}{now}").trim_end().to_owned()
    }
}
