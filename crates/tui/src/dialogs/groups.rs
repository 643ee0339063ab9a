//! The choice of what the model is offered: groups of tools, on or off, with what they take of every prompt.
//!
//! What holds is what the house says: a key only asks for it, and the list changes with the answer.

use super::frame::{Parts, choice, choices, paragraph};
use super::list::mark;
use super::tools::{TITLE, described, estimate, facts, share, tool_names};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Words};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::Lines;
use crate::text::width::{shorten, width};
use crate::text::wrap::wrap;
use agent_frontend::Session;
use agent_protocol::sanitize::figures::{grouped, plural};
use agent_protocol::{CallOp, ContextEvent, Event, Op, ToolGroup};
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Rows of a group that are seen below its name when the user comes to it.
const LEAST_SEEN: usize = 3;

const PRICE: &str = "another choice changes the beginning of the prompt: the server reads all of it again";

/// Columns that names of groups share, at most, and those of tools: the servers that give long ones tell them apart at
/// their ends.
const LONGEST_NAME: usize = 24;
const LONGEST_TOOL: usize = 40;

/// Columns that a name has in any case.
const LEAST_NAME: usize = 8;

/// Columns before the name of a group, or of a tool.
const INDENT: usize = 6;

/// Columns with less than which a figure is told shorter, and descriptions are left out.
const ROOMY: usize = 60;

#[derive(Debug)]
pub(crate) struct Groups {
    groups: Vec<Group>,
    chosen: usize,
    /// What there is to say below them: a word and a text, clean.
    facts: Vec<(String, String)>,
    /// Tokens of the window; 0 while unknown.
    window: u64,
    scroll: Scroll,
    /// How the user came to the chosen one; it is kept in view until they scroll.
    came: Option<CameFrom>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CameFrom {
    Up,
    Down,
}

#[derive(Debug)]
struct Group {
    group: ToolGroup,
    tools: Vec<Tool>,
}

#[derive(Debug)]
struct Tool {
    name: String,
    /// Tokens, as far as they are known.
    cost: Option<u64>,
    /// What it does, in a sentence; empty while nobody has told.
    words: String,
}

impl Groups {
    /// The groups of this session; `None` where none are known.
    pub(crate) fn of(session: &Session) -> Option<Self> {
        let mut list = Groups {
            groups: Vec::new(),
            chosen: 0,
            facts: Vec::new(),
            window: 0,
            came: None,
            scroll: Scroll::default(),
        };
        list.take(session);
        (!list.groups.is_empty()).then_some(list)
    }

    /// What holds now.
    pub(crate) fn take(&mut self, session: &Session) {
        let groups = session.offered.iter().flat_map(|offered| &offered.groups);
        let tool = |name: &String| Tool {
            name: clean_line(name).into_owned(),
            cost: session.cost(name),
            words: described(session, name),
        };
        self.groups =
            groups.map(|group| Group { tools: group.tools.iter().map(tool).collect(), group: group.clone() }).collect();
        self.chosen = self.chosen.min(self.groups.len().saturating_sub(1));
        self.facts = facts(session);
        self.window = session.window;
    }

    fn go(&mut self, to: usize, came: CameFrom) {
        (self.chosen, self.came) = (to, Some(came));
    }

    /// Asks for the chosen group as well, or no more.
    fn switch(&self) -> Reply {
        let wanted =
            |(at, group): (usize, &Group)| (group.group.on != (at == self.chosen)).then(|| group.group.name.clone());
        let groups = self.groups.iter().enumerate().filter_map(wanted).collect();
        Reply::stay_and(Op::Call(CallOp::SetGroups { groups }))
    }

    /// `› [x] core   7 tools  ≈ 1,240 tokens  2,870 characters`
    fn heading(&self, Group { group, tools }: &Group, chosen: bool, columns: u16, palette: Palette) -> Lines {
        let (mark, style) = mark(chosen, palette);
        let on = if group.on { "[x] " } else { "[ ] " };
        let noun = plural(tools.len(), "tool");
        let digits =
            |figure: fn(&Group) -> u64| self.groups.iter().map(|group| grouped(figure(group)).len()).max().unwrap_or(0);
        let most = digits(|group| group.tools.len() as u64);
        let tokens = digits(|group| group.group.tokens);
        let mut figures = format!("{:>most$} {noun:<5}  ≈ {:>tokens$} tokens", tools.len(), grouped(group.tokens));
        if usize::from(columns) >= ROOMY {
            let most = digits(|group| group.group.characters);
            figures.push_str(&format!("  {:>most$} characters", grouped(group.characters)));
        }
        let room = usize::from(columns).saturating_sub(INDENT + 2 + width(&figures)).max(LEAST_NAME);
        let names = self.groups.iter().map(|group| width(&clean_line(&group.group.name)));
        let column = names.max().unwrap_or(0).min(LONGEST_NAME).min(room);
        let name = padded(&clean_line(&group.name), column);
        let name = Span::styled(format!("{mark}{on}{name}"), style);
        wrap(&Line::from(vec![name, Span::styled(format!("  {figures}"), palette.dim())]), columns, 6)
    }

    /// What all that is on takes of the prompt.
    fn sum(&self, columns: u16, palette: Palette) -> Lines {
        let on = || self.groups.iter().map(|group| &group.group).filter(|group| group.on);
        let tokens: u64 = on().map(|group| group.tokens).sum();
        let characters: u64 = on().map(|group| group.characters).sum();
        let tools: usize = on().map(|group| group.tools.len()).sum();
        let noun = plural(tools, "tool");
        let words = match tools {
            0 => "nothing is on: the model can only talk".to_owned(),
            _ => {
                let (cost, share) = (cost(tokens, characters, columns), share(tokens, self.window));
                format!("in every prompt: {tools} {noun}, {cost}{share}")
            }
        };
        wrap(&Line::styled(words, palette.strong()), columns, 0)
    }

    /// What a choice costs, how they are offered, and how calls came.
    fn about(&self, columns: u16, palette: Palette) -> Lines {
        let mut lines = paragraph(PRICE, palette.dim(), columns);
        for (word, text) in &self.facts {
            let line = vec![Span::styled(format!("{word}: "), palette.dim()), Span::raw(text.clone())];
            lines.extend(wrap(&Line::from(line), columns, 2));
        }
        lines
    }
}

impl Dialog for Groups {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        let last = self.groups.len().saturating_sub(1);
        match press.chord.code {
            _ if press.closes() => return Reply::close(),
            KeyCode::Enter | KeyCode::Char(' ') if press.chord.held.is_empty() => return self.switch(),
            // Past the ends there is more to read.
            KeyCode::Up if self.chosen == 0 => self.scroll_by(-1),
            KeyCode::Down if self.chosen == last => self.scroll_by(1),
            KeyCode::Up => self.go(self.chosen - 1, CameFrom::Up),
            KeyCode::Down => self.go(self.chosen + 1, CameFrom::Down),
            KeyCode::Home => self.go(0, CameFrom::Up),
            KeyCode::End => self.go(last, CameFrom::Down),
            KeyCode::PageUp | KeyCode::PageDown => {
                self.came = None;
                self.scroll.key(press);
            }
            // Whoever types here begins a message.
            _ if press.chord.letter().is_some() => return Reply::make_room(),
            _ => {}
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (mut body, mut keep) = (Vec::new(), None);
        for (at, group) in self.groups.iter().enumerate() {
            let (chosen, first) = (at == self.chosen, body.len());
            body.extend(self.heading(group, chosen, inside, palette));
            body.extend(tools(group, inside, palette));
            keep = keep.or(self.came.filter(|_| chosen).map(|came| match came {
                CameFrom::Up => first,
                CameFrom::Down => (body.len() - 1).min(first + LEAST_SEEN),
            }));
        }
        body.push(Line::default());
        body.extend(self.about(inside, palette));
        let word =
            if self.groups.get(self.chosen).is_some_and(|group| group.group.on) { "turn off" } else { "turn on" };
        let keys = [choice("Space", word), choice("↑ ↓", "choose"), choice("Esc", "close")];
        let mut foot = self.sum(inside, palette);
        foot.extend(choices(&keys, inside, palette));
        let title = Span::styled(TITLE, palette.strong());
        space.fit(Parts { keep, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn scroll_by(&mut self, lines: i32) {
        self.came = None;
        self.scroll.by(lines);
    }

    fn answers(&self) -> Option<Answers> {
        Some(Answers::new(" ", Words::Instead))
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        let Event::Context(ContextEvent::Offered { .. }) = event else { return Heard::No };
        self.take(around.session);
        Heard::Shown
    }
}

/// `≈ 1,240 tokens, 2,870 characters`; without the characters where there is hardly room.
fn cost(tokens: u64, characters: u64, columns: u16) -> String {
    match usize::from(columns) < ROOMY {
        true => format!("{} tokens", estimate(tokens)),
        false => format!("{} tokens, {} characters", estimate(tokens), grouped(characters)),
    }
}

/// The tools of a group: one below the other with their costs where it is on, else their names.
fn tools(Group { group, tools }: &Group, columns: u16, palette: Palette) -> Lines {
    let (indent, room) = (Span::raw(" ".repeat(INDENT)), usize::from(columns).saturating_sub(INDENT));
    if !group.on {
        // A comma follows.
        let names: Vec<_> = tools.iter().map(|tool| shorten(&tool.name, room.saturating_sub(1))).collect();
        let names = Span::styled(tool_names(names.iter().map(AsRef::as_ref)), palette.dim());
        return wrap(&Line::from(vec![indent, names]), columns, 6);
    }
    let figure = |tool: &Tool| tool.cost.map(estimate).unwrap_or_default();
    let figures = tools.iter().map(|tool| width(&figure(tool))).max().unwrap_or(0);
    let room = room.saturating_sub(2 + figures);
    let longest = tools.iter().map(|tool| width(&tool.name)).max().unwrap_or(0);
    let column = longest.min(LONGEST_TOOL).min(room.max(LEAST_NAME));
    let line = |tool: &Tool| {
        let (name, figure) = (padded(&tool.name, column), figure(tool));
        let gap = " ".repeat(2 + figures - width(&figure));
        let mut spans = vec![indent.clone(), Span::raw(name), Span::styled(format!("{gap}{figure}"), palette.dim())];
        if usize::from(columns) >= ROOMY {
            let words = shorten(&tool.words, room.saturating_sub(column + 2));
            spans.push(Span::styled(format!("  {words}"), palette.dim()));
        }
        Line::from(spans)
    };
    tools.iter().map(line).collect()
}

/// A name in a column so wide.
fn padded(name: &str, column: usize) -> String {
    let name = shorten(name, column).into_owned();
    let gap = column.saturating_sub(width(&name));
    name + &" ".repeat(gap)
}
