//! How a call looks: sign, title, figures, state; below it what is worth seeing at once, or everything.

use super::{Call, State, Subject};
use crate::diff::draw::counts;
use crate::text::Lines;
use crate::text::markdown::rows_of;
use crate::text::width::{shorten, spans_width, width as columns};
use crate::text::wrap::Break;
use crate::todos;
use crate::transcript::cells::{Fold, INDENT, Room, beside, more, signed};
use agent_protocol::sanitize::figures::{counted, seconds};
use agent_protocol::{FailureKind, Status};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Changed lines shown of a diff that is folded.
const DIFF_LINES: usize = 8;

/// Lines shown of a plan that is folded.
const PLAN_LINES: usize = 8;

/// Lines of output shown while a command runs, and after it failed.
const OUTPUT_LINES: usize = 5;

/// Lines of output shown after a command that went well.
const DONE_LINES: usize = 3;

/// Rows one of these lines may take.
const LINE_ROWS: usize = 2;

/// Lines of unfolded output shown from its beginning and from its end. Thousands would bury everything else.
const FIRST_LINES: usize = 100;
const LAST_LINES: usize = 300;

/// Rows title and state may take when folded.
const TITLE_ROWS: usize = 2;

/// Columns of those rows that belong to neither: figures, separators, and what is lost where lines are broken.
const BETWEEN: usize = 14;

/// Columns of the separator before the state.
const SEPARATOR: usize = 3;

impl Call {
    pub(in crate::transcript::cells) fn lines(&self, room: Room<'_>) -> Lines {
        let Room { width, fold, .. } = room;
        let mut lines = self.headline(width, fold);
        if fold == Fold::Folded {
            let change = |change| Line::from(vec![Span::raw("  "), Span::styled(change, self.palette.dim())]);
            lines.extend(self.changes(width).into_iter().map(change));
        }
        lines.extend(self.word_line(width));
        lines.extend(self.fence.lines(width, self.palette));
        if !matches!(self.subject, Subject::Diff(_)) {
            lines.extend(self.changed.line(width, self.palette));
        }
        lines.extend(self.changed.doubt(width, self.palette));
        match fold {
            Fold::Folded => self.glance(room, &mut lines),
            Fold::Unfolded => self.everything(width, &mut lines),
        }
        lines
    }

    fn headline(&self, width: usize, fold: Fold) -> Lines {
        let (sign, state, style) = self.state_words();
        let figures = self.figures();
        let room = width.saturating_sub(INDENT);
        let (title, badge, state) = match fold {
            Fold::Folded => {
                // A list is told in one row: it is told often.
                let listed = matches!(self.subject, Subject::Todos(_));
                let (rows, between) = if listed { (room, 0) } else { (room * TITLE_ROWS, BETWEEN) };
                let taken = columns(&self.title) + spans_width(&figures) + columns(&state) + SEPARATOR;
                let badge = self.recognised.badge_beside(taken, room, rows.saturating_sub(between)).unwrap_or_default();
                // The state has to stay in sight however long the title is.
                let beside =
                    |other: &str| rows.saturating_sub(columns(other) + columns(&badge) + between).max(room / 2);
                let title = shorten(&self.title, beside(&state)).into_owned();
                let state = shorten(&state, beside(&title)).into_owned();
                (title, badge, state)
            }
            Fold::Unfolded => (self.title.clone(), self.recognised.badge().unwrap_or_default(), state),
        };
        let mut words = vec![Span::raw(title)];
        if !badge.is_empty() {
            words.push(Span::styled(format!(" ({badge})"), self.palette.dim()));
        }
        words.extend(figures);
        if self.hooks > 0 {
            words.push(Span::styled(format!(" · {}", counted(self.hooks, "hook")), self.palette.dim()));
        }
        if !state.is_empty() {
            words.push(Span::styled(" · ", self.palette.dim()));
            words.push(Span::styled(state, style));
        }
        let sign_style =
            if matches!(self.state, State::Ended { status: Status::Done, .. }) { self.palette.good() } else { style };
        signed(Span::styled(format!("{sign} "), sign_style), words, width)
    }

    fn figures(&self) -> Vec<Span<'static>> {
        let Subject::Diff(diff) = &self.subject else { return Vec::new() };
        let (added, removed) = diff.view().counts();
        std::iter::once(Span::raw("  ")).chain(counts(added, removed, self.palette)).collect()
    }

    /// Sign, words and their style. The words alone say how it stands.
    pub(super) fn state_words(&self) -> (char, String, Style) {
        let palette = self.palette;
        match &self.state {
            State::Proposed => ('•', "waiting".to_owned(), palette.dim()),
            State::Asking => ('•', "waiting for your answer".to_owned(), palette.warn()),
            State::Answered => ('•', "answered".to_owned(), palette.dim()),
            State::Running { shown_secs: 0, .. } => ('●', "running".to_owned(), palette.accent()),
            State::Running { shown_secs, .. } => {
                ('●', format!("running {}", seconds(Duration::from_secs(*shown_secs))), palette.accent())
            }
            State::Ended { status: Status::Done, summary } => {
                // The figures of a diff stand there already; what is said behind them does not.
                let figures = matches!(self.subject, Subject::Diff(_));
                let words = if matches!(self.subject, Subject::Todos(_)) {
                    String::new()
                } else if figures {
                    summary.split_once("; ").map_or("done".to_owned(), |(_, more)| format!("done; {more}"))
                } else if summary.is_empty() {
                    "done".to_owned()
                } else {
                    summary.clone()
                };
                ('✓', words, palette.dim())
            }
            State::Ended { status: Status::Exited { code }, summary } => {
                let exit = code.map_or("ended by a signal".to_owned(), |code| format!("exit {code}"));
                ('✗', if summary.is_empty() { exit } else { summary.clone() }, palette.bad())
            }
            State::Ended { status: Status::Failed { kind: FailureKind::Denied }, summary } => {
                ('✗', word_and("refused", summary), palette.bad())
            }
            State::Ended { status: Status::Failed { kind: FailureKind::CannotRun }, summary } => {
                ('–', word_and("not run", summary), palette.dim())
            }
            State::Ended { status: Status::Failed { .. }, summary } => {
                ('✗', word_and("failed", summary), palette.bad())
            }
            State::Ended { status: Status::Unknown, summary } => {
                ('?', word_and("may have run", summary), palette.warn())
            }
            State::Ended { status: Status::Refused, summary } => ('–', word_and("refused", summary), palette.warn()),
            State::Ended { status: Status::Stopped, summary } => ('–', word_and("stopped", summary), palette.warn()),
        }
    }

    /// What the user said along with a yes. After a no it stands in the summary.
    fn word_line(&self, width: usize) -> Lines {
        let refused = matches!(self.state, State::Ended { status: Status::Refused, .. });
        let Some(word) = self.word.as_ref().filter(|_| !refused) else { return Vec::new() };
        let said = Span::styled("you said: ", self.palette.dim());
        signed(Span::raw("  "), vec![said, Span::raw(word.clone())], width)
    }

    /// What is shown while folded.
    fn glance(&self, room: Room<'_>, lines: &mut Lines) {
        let width = room.width;
        let done = matches!(self.state, State::Running { .. } | State::Ended { status: Status::Done, .. });
        match (&self.subject, &self.state) {
            (Subject::Diff(diff), _) if done => {
                let head = diff.view().head(narrow(width), DIFF_LINES);
                lines.extend(head.lines.into_iter().map(indented));
                if head.more > 0 {
                    lines.push(more(head.more, Span::raw("     "), self.palette.dim(), room));
                }
            }
            (Subject::Plan(text), _) if done => {
                let rows = rows_of(text, usize::from(narrow(width)), self.palette);
                let hidden = rows.len().saturating_sub(PLAN_LINES);
                lines.extend(rows.into_iter().take(PLAN_LINES).map(indented));
                if hidden > 0 {
                    lines.push(more(hidden, Span::raw("  "), self.palette.dim(), room));
                }
            }
            (_, State::Running { .. }) => {
                lines.extend(self.subagent.at_a_glance(width, self.palette));
                for line in self.live.last(OUTPUT_LINES) {
                    let room = width.saturating_sub(4);
                    let line = Span::styled(shorten(&line, room).into_owned(), self.palette.dim());
                    lines.push(Line::from(vec![self.bar(), line]));
                }
            }
            (Subject::Command { .. }, State::Ended { status: Status::Done, .. }) => {
                self.last_words(DONE_LINES, room, lines);
            }
            (Subject::Command { .. }, State::Ended { .. })
            | (_, State::Ended { status: Status::Exited { .. }, .. }) => {
                self.last_words(OUTPUT_LINES, room, lines);
            }
            (_, State::Proposed | State::Asking | State::Answered | State::Ended { .. }) => {}
        }
    }

    /// The end of what a command put out: that is where it says what came of it.
    fn last_words(&self, most: usize, room: Room<'_>, lines: &mut Lines) {
        let all = self.detail.lines();
        let hidden = all.len().saturating_sub(most);
        if hidden > 0 {
            lines.push(more(hidden, self.bar(), self.palette.dim(), room));
        }
        let most = room.width.saturating_sub(self.bar().width()) * LINE_ROWS;
        all[hidden..].iter().for_each(|line| lines.extend(self.output_line(&shorten(line, most), room.width)));
    }

    /// What is shown while unfolded.
    fn everything(&self, width: usize, lines: &mut Lines) {
        match &self.subject {
            Subject::Diff(diff) => lines.extend(diff.view().drawn(narrow(width)).into_iter().map(indented)),
            Subject::Command { command, cwd, span, files } => {
                let (dim, first, rest) =
                    (self.palette.dim(), Span::styled("  $ ", self.palette.dim()), Span::raw("    "));
                for (number, line) in command.lines().enumerate() {
                    let first = if number == 0 { &first } else { &rest };
                    lines.extend(beside(first, &rest, vec![Span::raw(line.to_owned())], width, Break::Anywhere));
                }
                let place = Span::styled(format!("in {cwd}, {span}"), dim);
                lines.extend(beside(&rest, &rest, vec![place], width, Break::Words));
                let files = files.iter().flat_map(|files| files.view().drawn(narrow(width)));
                lines.extend(files.map(indented));
            }
            Subject::Todos(items) => {
                lines.extend(items.iter().map(|item| todos::row(item, INDENT, width, self.palette)));
            }
            Subject::Plan(text) => {
                lines.extend(rows_of(text, usize::from(narrow(width)), self.palette).into_iter().map(indented));
            }
            Subject::Inquiry { question, choices } => {
                let (margin, rest) = (Span::raw("  "), Span::raw("     "));
                for line in question.lines() {
                    lines.extend(beside(&margin, &margin, vec![Span::raw(line.to_owned())], width, Break::Words));
                }
                for (number, words) in choices.iter().enumerate() {
                    let first = Span::styled(format!("  {}  ", number + 1), self.palette.dim());
                    lines.extend(beside(&first, &rest, vec![Span::raw(words.clone())], width, Break::Words));
                }
            }
            Subject::Arguments(arguments) => {
                for (name, value) in &**arguments.pairs {
                    lines.extend(told(name, value, Break::Anywhere, INDENT, width, self.palette.dim()));
                }
            }
        }
        lines.extend(self.subagent.lines(width, self.palette));
        lines.extend(self.changed.details(width, self.palette));
        lines.extend(self.recognised.lines(INDENT, width, self.palette.dim()));
        match &self.state {
            State::Running { .. } => self.both_ends(&self.live.last(usize::MAX), &self.bar(), width, lines),
            _ => self.both_ends(&self.detail.lines(), &self.bar(), width, lines),
        }
    }

    /// All lines of an output, or its two ends.
    fn both_ends(&self, output: &[impl AsRef<str>], margin: &Span<'static>, width: usize, lines: &mut Lines) {
        let line = |line: &str| beside(margin, margin, vec![Span::raw(line.to_owned())], width, Break::Anywhere);
        let (first, rest) = output.split_at(output.len().min(FIRST_LINES));
        let (hidden, last) = rest.split_at(rest.len().saturating_sub(LAST_LINES));
        first.iter().for_each(|text| lines.extend(line(text.as_ref())));
        if !hidden.is_empty() {
            let words = format!("⋯ {} left out here", counted(hidden.len(), "line"));
            let words = Span::styled(words, self.palette.dim());
            lines.extend(beside(margin, margin, vec![words], width, Break::Words));
        }
        last.iter().for_each(|text| lines.extend(line(text.as_ref())));
    }

    fn output_line(&self, line: &str, width: usize) -> Lines {
        beside(&self.bar(), &self.bar(), vec![Span::raw(line.to_owned())], width, Break::Anywhere)
    }

    fn bar(&self) -> Span<'static> {
        Span::styled("  │ ", self.palette.dim())
    }
}

/// `name: value` so many columns from the edge, a value of several lines below its name, to the last character.
pub(super) fn told(name: &str, value: &str, breaks: Break, indent: usize, width: usize, dim: Style) -> Lines {
    let mut lines = Vec::new();
    let (margin, deeper) = (Span::raw(" ".repeat(indent)), Span::raw(" ".repeat(indent + INDENT)));
    let label = Span::styled(format!("{name}: "), dim);
    match value.contains('\n') {
        false => lines.extend(beside(&margin, &deeper, vec![label, Span::raw(value.to_owned())], width, Break::Words)),
        true => {
            lines.extend(beside(&margin, &deeper, vec![label], width, Break::Words));
            for line in value.lines() {
                lines.extend(beside(&deeper, &deeper, vec![Span::raw(line.to_owned())], width, breaks));
            }
        }
    }
    lines
}

/// `refused: use tabs`, or the word alone where there is no more to say.
fn word_and(word: &str, summary: &str) -> String {
    if summary.is_empty() || summary == word { word.to_owned() } else { format!("{word}: {summary}") }
}

fn narrow(width: usize) -> u16 {
    u16::try_from(width.saturating_sub(INDENT)).unwrap_or(u16::MAX)
}

pub(super) fn indented(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw("  "));
    line
}
