//! The table as lines that fit a width. It makes sense without any colour.

use super::{Live, LiveTrial, LiveVariant, Pace};
use crate::report::share;
use crate::trial::STEPS;
use agent_protocol::sanitize::clean_line;
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

const LONGEST_NAME: usize = 28;
/// A bar is that long at most, and where there is no room for the least there is none.
const LONGEST_BAR: usize = 24;
const LEAST_BAR: usize = 6;
const GAP: usize = 2;
/// Warnings shown at once.
const WARNINGS: usize = 3;
/// Lines besides those of arms and warnings.
const OTHERS: usize = 5;

/// What keys do, in full and where room is short.
const KEYS: [&str; 2] = ["[space] pause  [s] skip task  [q] stop, resume later", "[space] pause  [s] skip  [q] stop"];

impl Live {
    /// The table, at most so wide and so high.
    pub fn lines(&self, width: usize, height: usize) -> Vec<String> {
        let mut lines = self.head(width);
        let room = height.saturating_sub(OTHERS + WARNINGS).max(1);
        lines.extend(self.arm_lines(width, room));
        lines.extend(self.now_lines(width));
        lines.extend(self.skipped.iter().map(|words| format!(" {words}")));
        lines.extend(self.arms.iter().flat_map(LiveVariant::warnings).take(WARNINGS).map(|words| format!(" {words}")));
        lines.truncate(height);
        lines.into_iter().map(|line| cut(&line, width)).collect()
    }

    fn head(&self, width: usize) -> Vec<String> {
        if self.pace == Pace::Over {
            return vec![self.title.clone()];
        }
        let keys = KEYS.into_iter().find(|keys| keys.width() < width).unwrap_or(KEYS[1]);
        beside(&self.title, keys, width)
    }

    /// The running arm is always among those that are shown.
    fn arm_lines(&self, width: usize, room: usize) -> Vec<String> {
        let running = |arm: &LiveVariant| self.now.as_ref().is_some_and(|now| now.key.arm == arm.name);
        let at = self.arms.iter().position(running).unwrap_or(0);
        let first = (at + 1).saturating_sub(room);
        let shown = &self.arms[first..self.arms.len().min(first + room)];
        let names: Vec<String> = shown.iter().map(|arm| cut(&clean_line(&arm.name), LONGEST_NAME)).collect();
        let longest = names.iter().map(|name| name.width()).max().unwrap_or(0);
        let columns = Columns::that_fit(shown, width.saturating_sub(2 + longest));
        let line = |(arm, name): (&LiveVariant, &String)| {
            let mark = if running(arm) { '>' } else { ' ' };
            format!("{mark}{}{}", padded(name, longest), columns.cells(arm)).trim_end().to_owned()
        };
        let mut lines: Vec<String> = shown.iter().zip(&names).map(line).collect();
        let hidden = self.arms.len() - shown.len();
        lines.extend((hidden > 0).then(|| format!(" and {hidden} more")));
        lines
    }

    fn now_lines(&self, width: usize) -> Vec<String> {
        let left = match (self.pace, self.left) {
            (Pace::Over, _) => return Vec::new(),
            (Pace::Going | Pace::Paused, Some(left)) => format!("about {} left", roughly(left)),
            (Pace::Going | Pace::Paused, None) => "time left: …".into(),
        };
        let now = match (&self.now, self.pace) {
            (Some(now), _) => now.words(),
            (None, Pace::Paused) => " paused · space goes on".into(),
            (None, Pace::Going | Pace::Over) => " now  …".into(),
        };
        let mut lines = beside(&now, &left, width);
        if self.now.is_some() && self.pace == Pace::Paused {
            lines.push(" paused after this trial · space goes on".into());
        }
        lines
    }
}

impl LiveTrial {
    fn words(&self) -> String {
        let most: u64 = STEPS.parse().unwrap_or(u64::MAX);
        format!(
            " now  {} · trial {} · step {} of {most} · {} · {}",
            clean_line(&self.key.task),
            self.key.trial,
            self.step.min(most),
            clock(self.took),
            clean_line(&self.doing)
        )
    }
}

/// A column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Done,
    Solved,
    Share,
    Minutes,
    Speed,
}

impl Column {
    /// The width that its texts seldom pass: while they grow nothing moves.
    fn usual(self, arm: &LiveVariant) -> usize {
        match self {
            Column::Done => format!("{0}/{0}", arm.done.1).width(),
            Column::Solved => format!("solved {}", arm.done.1).width(),
            Column::Share => "42 % (28–57)".width(),
            Column::Minutes => "2.1 min a task".width(),
            Column::Speed => "44 tok/s".width(),
        }
    }

    fn text(self, arm: &LiveVariant) -> String {
        let tried = arm.figures.trials > 0;
        match self {
            Column::Done => format!("{}/{}", arm.done.0, arm.done.1),
            Column::Solved => format!("solved {}", arm.figures.solved),
            Column::Share => {
                if tried {
                    share(&arm.figures)
                } else {
                    "– %".into()
                }
            }
            Column::Minutes => arm.minutes.map_or_else(String::new, |minutes| {
                if minutes < 1.0 {
                    format!("{:.0} s a task", minutes * 60.0)
                } else {
                    format!("{minutes:.1} min a task")
                }
            }),
            Column::Speed => arm.figures.speed.map_or_else(String::new, |speed| format!("{speed:.0} tok/s")),
        }
    }
}

/// The columns for which there is room, with their widths, and the bar before them.
struct Columns {
    bar: usize,
    widths: Vec<(Column, usize)>,
}

impl Columns {
    /// All, or fewer where there is no room; the last ones go first, but the share stays as long as it can.
    fn that_fit(arms: &[LiveVariant], room: usize) -> Self {
        use Column::{Done, Minutes, Share, Solved, Speed};
        let choices: [&[Column]; 5] = [
            &[Done, Solved, Share, Minutes, Speed],
            &[Done, Solved, Share, Minutes],
            &[Done, Solved, Share],
            &[Done, Share],
            &[Done],
        ];
        let widths = |columns: &[Column]| -> Vec<(Column, usize)> {
            let widest = |column: Column| {
                arms.iter().map(|arm| column.text(arm).width().max(column.usual(arm))).max().unwrap_or(0)
            };
            columns.iter().map(|column| (*column, widest(*column))).collect()
        };
        let taken = |widths: &[(Column, usize)]| widths.iter().map(|(_, width)| width + GAP).sum::<usize>();
        for least in [LEAST_BAR + GAP, 0] {
            for widths in choices.iter().map(|columns| widths(columns)) {
                let rest = room.saturating_sub(taken(&widths));
                if room >= taken(&widths) + least {
                    let bar = rest.saturating_sub(GAP).min(LONGEST_BAR);
                    return Columns { bar: if bar < LEAST_BAR { 0 } else { bar }, widths };
                }
            }
        }
        Columns { bar: 0, widths: widths(choices[4]) }
    }

    fn cells(&self, arm: &LiveVariant) -> String {
        let mut line = String::new();
        if self.bar > 0 {
            let full = self.bar * arm.done.0 / arm.done.1.max(1);
            line += &format!("{}{}{}", " ".repeat(GAP), "█".repeat(full), "░".repeat(self.bar - full));
        }
        for (column, width) in &self.widths {
            let text = column.text(arm);
            let blanks = " ".repeat(width - text.width());
            let gap = " ".repeat(GAP);
            // Counts stand to the right, so that their units are under one another.
            line += &match column {
                Column::Share => format!("{gap}{text}{blanks}"),
                Column::Done | Column::Solved | Column::Minutes | Column::Speed => format!("{gap}{blanks}{text}"),
            };
        }
        line
    }
}

/// Both on one line, the second at its end; where there is no room, on two.
fn beside(one: &str, other: &str, width: usize) -> Vec<String> {
    let taken = one.width() + other.width();
    if taken + GAP > width {
        return vec![one.to_owned(), format!(" {other}")];
    }
    vec![format!("{one}{}{other}", " ".repeat(width - taken))]
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// As much of it as fits; what is missing is marked.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let (mut line, mut taken) = (String::new(), 1);
    for letter in text.graphemes(true) {
        taken += letter.width();
        if taken > width {
            break;
        }
        line.push_str(letter);
    }
    if width == 0 { line } else { line + "…" }
}

/// `0:41`, `1:02:03`.
pub fn clock(time: Duration) -> String {
    let secs = time.as_secs();
    match secs / 3600 {
        0 => format!("{}:{:02}", secs / 60, secs % 60),
        hours => format!("{hours}:{:02}:{:02}", secs % 3600 / 60, secs % 60),
    }
}

/// `40 s`, `25 min`, `3 h 10 min`.
fn roughly(time: Duration) -> String {
    let secs = time.as_secs();
    match (secs, secs / 3600) {
        (..60, _) => format!("{secs} s"),
        (_, 0) => format!("{} min", (secs + 30) / 60),
        (_, hours) => format!("{hours} h {} min", secs % 3600 / 60),
    }
}
