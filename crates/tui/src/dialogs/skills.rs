//! The list of skills: what each is for and where it lies. Choosing one begins a message with it.

use super::frame::{Parts, choice, choices, paragraph};
use super::list::{lines, mark, moved};
use super::{Dialog, Laid, Press, Reply, Scroll, Space, Then};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use crate::text::wrap::wrap;
use agent_protocol::SkillCard;
use crossterm::event::KeyCode;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Columns that names share, at most.
const LONGEST_NAME: usize = 24;
/// Said where the model cannot use them.
const OFF: &str = "the model has no tool for them now: turn the group agent on with /tools";

/// The list. Everything in it is clean.
#[derive(Debug)]
pub(crate) struct Skills {
    skills: Vec<Skill>,
    chosen: usize,
    usable: bool,
    scroll: Scroll,
}

#[derive(Debug)]
struct Skill {
    name: String,
    words: String,
    path: String,
}

impl Skills {
    /// These; `usable`: the model has the tool for them, as far as that is known.
    pub(crate) fn new(skills: &[SkillCard], usable: bool) -> Self {
        let skill = |card: &SkillCard| Skill {
            name: clean_line(&card.name).into_owned(),
            words: clean_line(&card.description).into_owned(),
            path: clean_line(&card.path.display().to_string()).into_owned(),
        };
        Skills { skills: skills.iter().map(skill).collect(), chosen: 0, usable, scroll: Scroll::default() }
    }

    /// Begins a message that is to be worked on with the chosen one.
    fn begin(&self) -> Reply {
        let words = self.skills.get(self.chosen).map(|skill| format!("use the skill {}: ", skill.name));
        Reply { cmds: Vec::new(), then: words.map_or(Then::Close, Then::Begin) }
    }

    /// The name and what it is for; of the chosen one also where it lies.
    fn row(&self, skill: &Skill, chosen: bool, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let (mark, style) = mark(chosen, palette);
        let column = self.skills.iter().map(|skill| width(&skill.name)).max().unwrap_or(0).min(LONGEST_NAME);
        let name = shorten(&skill.name, column).into_owned();
        let gap = " ".repeat(column - width(&name) + 2);
        let hanging = u16::try_from(column + 4).unwrap_or(4);
        let line = Line::from(vec![
            Span::styled(format!("{mark}{name}{gap}"), style),
            Span::styled(skill.words.clone(), palette.dim()),
        ]);
        let mut lines = wrap(&line, columns, hanging);
        if chosen {
            let indent = " ".repeat(column + 4);
            lines.extend(wrap(&Line::styled(format!("{indent}{}", skill.path), palette.dim()), columns, hanging));
        }
        lines
    }
}

impl Dialog for Skills {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        match press.chord.code {
            _ if press.closes() => return Reply::close(),
            KeyCode::Enter if press.chord.held.is_empty() => return self.begin(),
            // Whoever types here begins a message.
            _ if press.chord.letter().is_some() => return Reply::make_room(),
            _ => self.chosen = moved(press, self.chosen, self.skills.len()).unwrap_or(self.chosen),
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let (body, keep) = lines(&self.skills, self.chosen, |skill, chosen| self.row(skill, chosen, inside, palette));
        let mut foot = Vec::new();
        if !self.usable {
            foot.extend(paragraph(OFF, palette.warn(), inside));
        }
        let keys = [choice("Enter", "begin a message with it"), choice("↑ ↓", "choose"), choice("Esc", "close")];
        foot.extend(choices(&keys, inside, palette));
        let title = Span::styled("Skills", palette.strong());
        space.fit(Parts { keep, ..Parts::new(title, &body, foot) }, &mut self.scroll)
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }
}
