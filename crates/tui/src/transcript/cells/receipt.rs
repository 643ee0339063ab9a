//! What a turn really did: one calm line, and when unfolded one line for each file and command. What the answer claims
//! and did not happen stands below it, whether folded or not.

use super::files::{Item, LONGEST_NAME};
use super::{Cell, CellRows, Fold, INDENT, Place, Room, signed};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::spans_width;
use agent_protocol::Receipt as Facts;
use agent_protocol::sanitize::figures::counted;
use ratatui::text::{Line, Span};

/// Things on one line at most, so that a thousand files are no work.
const MOST: usize = 24;

type Spans = Vec<Span<'static>>;

pub(in crate::transcript) struct Receipt {
    palette: Palette,
    changed: Vec<Item>,
    built: Vec<Item>,
    ran: Vec<Item>,
    reached: Vec<Item>,
    doubts: Vec<String>,
    /// What else a person has to know: that nothing was changed, or that a check fails.
    warnings: Vec<String>,
    /// Why nothing checked the change.
    not_run: Option<String>,
    told: TellAll,
}

/// How much of it stands on the line, at the width it was laid out for.
#[derive(Clone, Copy, PartialEq)]
enum TellAll {
    All,
    /// Some of it is only counted.
    Some,
}

/// One part of the line.
struct Half<'a> {
    verb: &'static str,
    noun: &'static str,
    items: &'a [Item],
}

impl Receipt {
    /// `None` where there is nothing to tell.
    pub(in crate::transcript) fn new(facts: &Facts, palette: Palette) -> Option<Self> {
        let changed: Vec<Item> = facts.files.iter().map(|file| Item::of_file(file, palette)).collect();
        let ran: Vec<Item> = facts.commands.iter().map(|ran| Item::of_command(ran, palette)).collect();
        let doubts: Vec<String> = facts.doubts.iter().map(|doubt| clean_line(doubt.trim()).into_owned()).collect();
        let built: Vec<Item> = facts.folders.iter().map(Item::of_folder).collect();
        let reached: Vec<Item> = facts.hosts.iter().map(Item::of_host).collect();
        let lists = [&changed, &built, &ran, &reached];
        let unchanged = facts.unchanged.then(|| "nothing was changed".to_owned());
        let failing = facts.failing.as_ref().map(|how| format!("the check still fails: {}", clean_line(how.trim())));
        let warnings: Vec<String> = unchanged.into_iter().chain(failing).collect();
        let not_run = facts.not_run.as_ref().map(|why| clean_line(why.trim()).into_owned());
        let is_empty = lists.iter().all(|list| list.is_empty()) && doubts.is_empty() && warnings.is_empty();
        let is_empty = is_empty && not_run.is_none();
        let told = TellAll::All;
        (!is_empty).then_some(Receipt { palette, changed, built, ran, reached, doubts, warnings, not_run, told })
    }

    /// The sign before the first line, the others below it.
    fn hung(&self, sign: &'static str, lines: Vec<Spans>, width: usize) -> Vec<Line<'static>> {
        let sign = |number| Span::styled(if number == 0 { sign } else { "  " }, self.palette.dim());
        lines.into_iter().enumerate().flat_map(|(number, line)| signed(sign(number), line, width)).collect()
    }

    /// On one line where that can be, else files and commands each on a line of their own; and whether that is all.
    fn line(&self, width: usize) -> (Vec<Spans>, TellAll) {
        let room = width.saturating_sub(INDENT);
        let halves = self.halves();
        let short = halves.iter().flat_map(|half| half.items).all(Item::is_short);
        let all: Vec<usize> = halves.iter().map(|half| half.items.len()).collect();
        let mut counts: Vec<usize> = all.iter().map(|count| (*count).min(MOST)).collect();
        while let Some(most) = counts.iter().copied().max() {
            let line = self.joined(&halves, &counts);
            if spans_width(&line) <= room {
                let told = if counts == all && short { TellAll::All } else { TellAll::Some };
                return (vec![line], told);
            }
            if most <= 1 {
                break;
            }
            // Commands are fewer and tell more: files go first.
            counts.iter_mut().find(|count| **count == most).into_iter().for_each(|count| *count -= 1);
        }
        let lines: Vec<(Spans, TellAll)> = halves.iter().map(|half| self.alone(half, room)).collect();
        let told = if lines.iter().all(|(_, told)| *told == TellAll::All) { TellAll::All } else { TellAll::Some };
        (lines.into_iter().map(|(line, _)| line).collect(), told)
    }

    fn halves(&self) -> Vec<Half<'_>> {
        let halves = [
            Half { verb: "changed ", noun: "file", items: &self.changed },
            Half { verb: "built ", noun: "folder", items: &self.built },
            Half { verb: "ran ", noun: "command", items: &self.ran },
            Half { verb: "reached ", noun: "host", items: &self.reached },
        ];
        halves.into_iter().filter(|half| !half.items.is_empty()).collect()
    }

    fn joined(&self, halves: &[Half<'_>], counts: &[usize]) -> Spans {
        let mut line = Vec::new();
        for (half, count) in halves.iter().zip(counts) {
            if !line.is_empty() {
                line.push(self.dim(" · "));
            }
            line.extend(self.half(half, *count, LONGEST_NAME));
        }
        line
    }

    /// `changed a.rs +1, b.rs −2 and 3 more`.
    fn half(&self, half: &Half<'_>, count: usize, name: usize) -> Spans {
        let mut line = vec![self.dim(half.verb)];
        for (number, item) in half.items.iter().take(count).enumerate() {
            if number > 0 {
                line.push(self.dim(", "));
            }
            line.extend(item.words(name));
        }
        line.extend(self.more(&half.items[count.min(half.items.len())..]));
        line
    }

    /// That there are more of them, and that some of those failed.
    fn more(&self, hidden: &[Item]) -> Option<Span<'static>> {
        let failed = hidden.iter().filter(|item| item.failed).count();
        match (hidden.len(), failed) {
            (0, _) => None,
            (more, 0) => Some(self.dim(&format!(" and {more} more"))),
            (more, failed) => Some(Span::styled(format!(" and {more} more, {failed} ✗"), self.palette.bad())),
        }
    }

    /// A half with a line to itself: as many as have room, the first in any case.
    fn alone(&self, half: &Half<'_>, room: usize) -> (Spans, TellAll) {
        let all = half.items.len();
        let short = half.items.iter().all(Item::is_short);
        for count in (1..=all.min(MOST)).rev() {
            let line = self.half(half, count, LONGEST_NAME);
            if spans_width(&line) <= room {
                let told = if count == all && short { TellAll::All } else { TellAll::Some };
                return (line, told);
            }
        }
        let more = self.more(&half.items[1..]);
        let taken = half.verb.len() + more.as_ref().map_or(0, Span::width);
        let first = half.items.first().map(|item| item.words_within(room.saturating_sub(taken))).unwrap_or_default();
        (std::iter::once(self.dim(half.verb)).chain(first).chain(more).collect(), TellAll::Some)
    }

    fn everything(&self, width: usize) -> Vec<Line<'static>> {
        let nouns =
            self.halves().into_iter().map(|half| format!("{}{}", half.verb, counted(half.items.len(), half.noun)));
        let head = nouns.collect::<Vec<_>>().join(" · ");
        let mut rows = signed(self.dim("▾ "), vec![self.dim(&head)], width);
        let files = self.changed.iter().map(|file| (self.dim("  │ "), file));
        let folders = self.built.iter().map(|folder| (self.dim("  │ "), folder));
        let commands = self.ran.iter().map(|command| (self.dim("  $ "), command));
        let hosts = self.reached.iter().map(|host| (self.dim("  → "), host));
        for (sign, item) in files.chain(folders).chain(commands).chain(hosts) {
            rows.extend(super::beside(
                &sign,
                &Span::raw("    "),
                item.words(usize::MAX),
                width,
                super::Break::Anywhere,
            ));
        }
        rows
    }

    fn dim(&self, words: &str) -> Span<'static> {
        Span::styled(words.to_owned(), self.palette.dim())
    }
}

impl Cell for Receipt {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (lines, told) = self.line(width);
        let mut rows = match (told, fold) {
            (TellAll::All, _) => self.hung("· ", lines, width),
            (TellAll::Some, Fold::Folded) => self.hung("▸ ", lines, width),
            (TellAll::Some, Fold::Unfolded) => self.everything(width),
        };
        let doubts = self.doubts.iter().map(|doubt| format!("not so: {doubt}"));
        for words in doubts.chain(self.warnings.iter().cloned()) {
            let style = self.palette.warn();
            rows.extend(signed(Span::styled("! ", style), vec![Span::styled(words, style)], width));
        }
        if let Some(why) = &self.not_run {
            rows.extend(signed(self.dim("– "), vec![self.dim(&format!("not checked: {why}"))], width));
        }
        rows
    }

    fn lay_out(&mut self, room: Room<'_>, laid: &mut CellRows) -> usize {
        if !laid.is_for(room) {
            self.told = self.line(room.width).1;
        }
        laid.fit(room, || self.rows(room))
    }

    fn place(&self, _height: usize) -> Place {
        Place::Receipt
    }

    fn folds(&self) -> bool {
        self.told == TellAll::Some
    }
}
