//! The choice of a model: those installed, filtered by what is typed, and one that could be pulled.
//!
//! Where the list came unbidden, an Enter that ends a word takes nothing: the word may have been meant for the model.

use super::field::{labelled, typed};
use super::frame::{Part, Parts, choice, choices, paragraph};
use super::list::{GAP, figures, mark, stepped};
use super::{Dialog, Heard, Laid, Lock, Pasted, Press, Reply, Scroll, Space, Surroundings, Then};
use crate::clean::clean_line;
use crate::cmd::Cmd;
use crate::composer::Editor;
use crate::palette::Palette;
use crate::settings::{Exit, ServerChoice};
use crate::text::width::{shorten, width};
use crate::text::wrap::wrap;
use agent_protocol::sanitize::figures::{bytes, window};
use agent_protocol::{
    BenchResult, Capability, Event, ModelCard, ModelsReason, NearbyServer, Op, ServerCard, ServerEvent, ServerOp,
    SessionEvent,
};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Names longer than this are cut in the list.
const LONGEST_NAME: usize = 48;
/// Rows that PgUp and PgDn move.
const PAGE: usize = 10;
/// An Enter so soon after a letter ends the word.
const ENDS_A_WORD: Duration = Duration::from_secs(1);
/// A second Enter so soon after the first is the same press.
const SAME_PRESS: Duration = Duration::from_millis(300);

#[derive(Debug)]
pub(crate) struct Picker {
    models: Vec<ModelCard>,
    reason: ModelsReason,
    current: Option<String>,
    /// Servers that the user has names for.
    servers: Vec<NearbyServer>,
    /// What `agent bench` found.
    results: Vec<BenchResult>,
    /// What is to be known of how the model in use is used.
    in_use: Vec<String>,
    pulls: bool,
    filter: Editor,
    /// The chosen row; none where the model that was named is not there: no other is meant before the user says so.
    chosen: Option<usize>,
    /// When the filter was last written on.
    typed: Option<Duration>,
    /// The name that the next Enter takes or pulls, and when it was asked about.
    asked: Option<(String, Duration)>,
    /// Closed at first where the list came unbidden.
    lock: Option<Lock>,
    scroll: Scroll,
}

/// One row of the list.
#[derive(Debug, PartialEq)]
enum ModelRow<'a> {
    Installed(&'a ModelCard),
    Pull(String),
    /// Another server, which the session goes on with.
    Server(&'a NearbyServer),
}

impl Picker {
    /// The models of `server`, of which `current` is in use.
    pub(crate) fn new(
        models: Vec<ModelCard>,
        reason: ModelsReason,
        current: Option<String>,
        server: Option<&ServerCard>,
        servers: Vec<NearbyServer>,
    ) -> Self {
        let lock = (reason != ModelsReason::Asked).then(Lock::default);
        let picker = Picker {
            models,
            reason,
            current,
            servers,
            results: Vec::new(),
            in_use: Vec::new(),
            pulls: server.is_some_and(|server| server.can(Capability::Pull)),
            filter: Editor::default(),
            chosen: None,
            typed: None,
            asked: None,
            lock,
            scroll: Scroll::default(),
        };
        Picker { chosen: picker.first_choice(), ..picker }
    }

    /// The row that Enter takes before anything was typed or moved: the model in use, else one that runs where the server is.
    fn first_choice(&self) -> Option<usize> {
        match &self.reason {
            ModelsReason::Missing { .. } | ModelsReason::NotUsed { .. } => None,
            ModelsReason::Asked | ModelsReason::NoneChosen => {
                let at = |fits: &dyn Fn(&ModelCard) -> bool| self.models.iter().position(fits);
                let in_use = at(&|model| Some(&model.name) == self.current.as_ref());
                in_use.or_else(|| at(&|model| model.remote_host.is_none())).or(Some(0))
            }
        }
    }

    /// The same with how the model in use works.
    pub(crate) fn working(self, in_use: Vec<String>) -> Self {
        Picker { in_use, ..self }
    }

    /// With what `agent bench` found. Models of which it found something come first, the best of them at the top.
    pub(crate) fn with_results(mut self, results: &[BenchResult]) -> Self {
        let share = |model: &ModelCard| {
            let fresh = results.iter().find(|result| result.is_of(model) && !result.is_stale(model));
            fresh.map_or(-1.0, |result| result.solved.0)
        };
        self.models.sort_by(|one, other| share(other).total_cmp(&share(one)));
        self.chosen = self.first_choice();
        self.results = results.to_vec();
        self
    }

    fn take(&mut self, now: Duration) -> Reply {
        let chosen = self.chosen.and_then(|chosen| self.rows().into_iter().nth(chosen));
        let (name, reply, sure) = match chosen {
            Some(ModelRow::Installed(model)) => (
                model.name.clone(),
                Reply::close_and(Op::Server(ServerOp::SetModel { name: model.name.clone() })),
                true,
            ),
            // A download is long and large: a name that may be a slip, or words meant for the model, is asked about first.
            Some(ModelRow::Pull(name)) => (
                name.clone(),
                Reply::close_and(Op::Server(ServerOp::Pull { name: name.clone() })),
                self.is_missing(&name),
            ),
            Some(ModelRow::Server(server)) => {
                let choice = ServerChoice::Named(server.name.clone());
                let leave = Reply { cmds: vec![Cmd::Leave(Exit::Server(choice))], then: Then::Close };
                (server.name.clone(), leave, true)
            }
            None => return Reply::stay(),
        };
        match &self.asked {
            _ if sure && !self.ends_a_word(now) => reply,
            Some((asked, at)) if *asked == name && now >= *at + SAME_PRESS => reply,
            Some((asked, _)) if *asked == name => Reply::stay(),
            _ => {
                self.asked = Some((name, now));
                Reply::stay()
            }
        }
    }

    /// Would Enter end a word that may have been meant for the model?
    fn ends_a_word(&self, now: Duration) -> bool {
        self.lock.is_some() && self.typed.is_some_and(|typed| now < typed + ENDS_A_WORD)
    }

    /// Is it the model that was chosen and is not here?
    fn is_missing(&self, wanted: &str) -> bool {
        matches!(&self.reason, ModelsReason::Missing { name } if name == wanted)
    }

    /// What fits the filter, of models and servers; then, where it names no installed model and the server can pull it, the offer of that.
    fn rows(&self) -> Vec<ModelRow<'_>> {
        let filter = self.filter.text().trim().to_lowercase();
        let fits = |model: &&ModelCard| model.name.to_lowercase().contains(&filter);
        let mut rows: Vec<ModelRow<'_>> = self.models.iter().filter(fits).map(ModelRow::Installed).collect();
        rows.extend(self.servers.iter().filter(|server| server.name.contains(&filter)).map(ModelRow::Server));
        let wanted = match &self.reason {
            ModelsReason::Missing { name } if filter.is_empty() => Some(name.clone()),
            _ => Some(self.filter.text().trim().to_owned()).filter(|name| could_be_a_model(name)),
        };
        let installed = |name: &String| self.models.iter().any(|model| model.name == *name);
        rows.extend(wanted.filter(|name| self.pulls && !installed(name)).map(ModelRow::Pull));
        rows
    }

    fn head(&self, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let text = match &self.reason {
            ModelsReason::Missing { name } => {
                let pull = if self.pulls { ", or pull it" } else { "" };
                format!("{} is not installed: choose another{pull}", clean_line(name))
            }
            ModelsReason::NotUsed { name } => format!("{} is not used: choose another", clean_line(name)),
            _ if self.models.is_empty() && self.pulls => {
                "no model is installed; type the name of one to pull, like qwen3:8b".into()
            }
            _ if self.models.is_empty() => "the server has no model".into(),
            ModelsReason::NoneChosen => "no model is chosen yet; the choice is remembered".into(),
            ModelsReason::Asked if self.pulls => "type to filter, or the name of a model to pull".to_owned(),
            ModelsReason::Asked => "type to filter".to_owned(),
        };
        paragraph(&text, palette.text(), columns)
    }

    fn list(&self, rows: &[ModelRow<'_>], chosen: Option<usize>, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        if rows.is_empty() {
            return vec![Line::styled("nothing fits", palette.dim())];
        }
        let longest = self.models.iter().map(|model| width(&clean_line(&model.name))).max().unwrap_or(0);
        let room = longest.min(LONGEST_NAME).min(usize::from(columns) / 2);
        let widest =
            |figure: ModelFigure| self.models.iter().map(|model| width(&figure.text(self, model))).max().unwrap_or(0);
        let figures = figures(BY_WEIGHT, usize::from(columns).saturating_sub(2 + room), widest);
        let lines = rows.iter().enumerate().flat_map(|(number, row)| {
            let (mark, style) = mark(Some(number) == chosen, palette);
            match row {
                ModelRow::Pull(name) => wrap(&Line::styled(format!("{mark}{}", self.offer(name)), style), columns, 2),
                ModelRow::Server(server) => {
                    let words = format!("{mark}server {} · {}", clean_line(&server.name), clean_line(&server.host));
                    vec![Line::styled(shorten(&words, usize::from(columns)).into_owned(), style)]
                }
                ModelRow::Installed(model) => {
                    let name = shorten(&clean_line(&model.name), room).into_owned();
                    let gap = " ".repeat(room - width(&name));
                    let name = Span::styled(format!("{mark}{name}{gap}"), style);
                    let figures: String = match (self.asks_about(&model.name), model.cloud_mark()) {
                        (true, _) => "  Enter again takes it".to_owned(),
                        (false, Some(mark)) => format!("  {mark}"),
                        (false, None) => {
                            figures.iter().map(|(figure, columns)| figure.in_columns(*columns, self, model)).collect()
                        }
                    };
                    let style = if model.remote_host.is_some() { palette.warn() } else { palette.dim() };
                    let figures =
                        shorten(figures.trim_end(), usize::from(columns).saturating_sub(2 + room)).into_owned();
                    vec![Line::from(vec![name, Span::styled(figures, style)])]
                }
            }
        });
        lines.collect()
    }

    fn offer(&self, name: &str) -> String {
        let shown = clean_line(name);
        match self.asks_about(name) {
            true => format!("pull {shown} from the library? Enter again pulls it"),
            false => format!("pull {shown}"),
        }
    }

    fn asks_about(&self, name: &str) -> bool {
        self.asked.as_ref().is_some_and(|(asked, _)| asked == name)
    }
}

impl Dialog for Picker {
    fn key(&mut self, press: Press, now: Duration) -> Reply {
        if press.closes() {
            return Reply::close();
        }
        if press.chord.is(KeyCode::Enter) {
            return self.take(now);
        }
        self.asked = None;
        if let Some(chosen) = stepped(press, self.chosen.unwrap_or(0), self.rows().len(), PAGE) {
            self.chosen = Some(self.chosen.map_or(0, |_| chosen));
        } else if typed(&mut self.filter, press) {
            let choice = if self.filter.text().trim().is_empty() { self.first_choice() } else { Some(0) };
            (self.chosen, self.typed) = (choice, Some(now));
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let mut head = self.head(inside, palette);
        if let (Some(name), false) = (&self.current, self.in_use.is_empty()) {
            head.extend(paragraph(&format!("{name}: {}", self.in_use.join(", ")), palette.dim(), inside));
        }
        let label = if self.models.is_empty() { "name: " } else { "filter: " };
        let (filter, column) = labelled(label, &self.filter, palette);
        let cursor = Some((Part::Head, head.len(), column));
        head.push(filter);
        let rows = self.rows();
        let chosen = self.chosen.map(|chosen| chosen.min(rows.len().saturating_sub(1)));
        let body = self.list(&rows, chosen, inside, palette);
        let keys = [choice("Enter", "take it"), choice("↑ ↓", "choose"), choice("Esc", "close")];
        let foot = choices(&keys, inside, palette);
        let title = Span::styled("Choose a model", palette.strong());
        // The last row may take more than one line.
        let keep = chosen.map(|chosen| if chosen + 1 == rows.len() { body.len() - 1 } else { chosen });
        space.fit(Parts { head, keep, cursor, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn paste(&mut self, text: &str, now: Duration) -> Pasted {
        self.filter.insert(text.trim());
        (self.asked, self.chosen, self.typed) = (None, Some(0), Some(now));
        Pasted::Taken
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn hear(&mut self, event: &Event, _around: &Surroundings<'_>) -> Heard {
        match event {
            Event::Server(ServerEvent::ModelSet { .. }) => Heard::Over,
            // It goes on with the model it had, which is looked for; what is typed meanwhile is no choice of another.
            Event::Session(SessionEvent::Restored { card, .. }) if card.model.is_some() => Heard::Over,
            _ => Heard::No,
        }
    }

    fn lock(&mut self) -> Option<&mut Lock> {
        self.lock.as_mut()
    }

    fn comes_unbidden(&self) -> bool {
        self.lock.is_some()
    }

    fn is_of_the_server(&self) -> bool {
        true
    }
}

/// Something the choice depends on, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ModelFigure {
    Tools,
    Size,
    Length,
    Kind,
    Solved,
    InUse,
}

/// The figures, the weightiest first: where room is short the others are not shown.
const BY_WEIGHT: &[ModelFigure] = &[
    ModelFigure::Tools,
    ModelFigure::Size,
    ModelFigure::InUse,
    ModelFigure::Solved,
    ModelFigure::Length,
    ModelFigure::Kind,
];

impl ModelFigure {
    /// The figure of a model in so many columns: numbers to the right, words to the left.
    fn in_columns(self, columns: usize, picker: &Picker, model: &ModelCard) -> String {
        let text = self.text(picker, model);
        let rest = " ".repeat(columns.saturating_sub(width(&text)));
        let gap = " ".repeat(GAP);
        match self {
            ModelFigure::Size | ModelFigure::Length => format!("{gap}{rest}{text}"),
            ModelFigure::Tools | ModelFigure::Kind | ModelFigure::Solved | ModelFigure::InUse => {
                format!("{gap}{text}{rest}")
            }
        }
    }

    fn text(self, picker: &Picker, model: &ModelCard) -> String {
        match self {
            ModelFigure::Tools => match model.tools {
                Some(true) => "tools".to_owned(),
                Some(false) => "tools by text".to_owned(),
                None => "tools ?".to_owned(),
            },
            ModelFigure::Size => model.size_bytes.map_or_else(String::new, bytes),
            ModelFigure::Length => {
                model.context_length.map_or_else(String::new, |tokens| format!("{} tokens", window(tokens)))
            }
            ModelFigure::Kind => {
                let words = [&model.parameter_size, &model.quantization].into_iter().flatten();
                words.map(|word| clean_line(word).into_owned()).collect::<Vec<_>>().join(" ")
            }
            ModelFigure::Solved => {
                let result = picker.results.iter().find(|result| result.is_of(model));
                result.map_or_else(String::new, |result| clean_line(&result.words(model)).into_owned())
            }
            ModelFigure::InUse if picker.current.as_ref() == Some(&model.name) => "in use".to_owned(),
            ModelFigure::InUse => String::new(),
        }
    }
}

/// Is it written like the name of a model? Sentences and paths are not.
fn could_be_a_model(name: &str) -> bool {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "._:/-".contains(letter);
    !name.starts_with('/') && name.chars().all(allowed) && name.contains(|letter: char| letter.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_sentences_and_paths() {
        for name in ["qwen3:8b", "hf.co/bartowski/Llama-3.2:Q4_K_M", "m"] {
            assert!(could_be_a_model(name), "{name}");
        }
        for text in ["", "/clear", "fix the bug", "why?", "...", "naïve", "a\tb"] {
            assert!(!could_be_a_model(text), "{text}");
        }
    }
}
