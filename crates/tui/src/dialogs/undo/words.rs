//! What stands around a plan: its title, what must not be overlooked, its keys. The same for an undo and for a rewind.

use super::file::sign;
use super::one_line;
use super::plan::{Effect, PlanView};
use crate::dialogs::frame::{Body, Parts, choice, paragraph};
use crate::dialogs::{Laid, Space};
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{ConflictChoice, UndoDirection};
use ratatui::text::{Line, Span};

/// With fewer columns than this, the words that were said are left to the list below.
const LEAST_QUOTE: usize = 10;
/// Columns that the rule takes around a title.
const RULE: usize = 6;
/// With fewer rows the name of a file with a choice stands only in the list of files.
const ROOMY: u16 = 14;

/// `back to before “fix it”: 3 files, +4 −12`, as much of it as has room.
pub(crate) fn titled(words: &str, said: &str, effect: Option<Effect>, columns: u16, palette: Palette) -> Span<'static> {
    let told = effect.map(|effect| match effect.files {
        0 => "nothing changes".to_owned(),
        count => format!("{}, +{} −{}", counted(count, "file"), effect.added, effect.removed),
    });
    let room = usize::from(columns).saturating_sub(RULE);
    let told_width = told.as_ref().map_or(0, |told| width(told) + 2);
    let quote = room.saturating_sub(width(words) + told_width + 3);
    let mut title = words.to_owned();
    if quote >= LEAST_QUOTE {
        title = format!("{title} “{}”", shorten(&one_line(said), quote));
    } else if let Some(told) = told {
        // The list below says which.
        return Span::styled(told, palette.strong());
    }
    if let Some(told) = told {
        title = format!("{title}: {told}");
    }
    Span::styled(title, palette.strong())
}

/// What must not be overlooked of a plan; in few words where there are few rows.
pub(crate) fn notes(view: &PlanView, columns: u16, most: u16, palette: Palette) -> Vec<Line<'static>> {
    let Effect { left, impossible, .. } = view.effect();
    let again = match view.direction {
        UndoDirection::Undo => "cannot be brought back",
        UndoDirection::Redo => "cannot be made again",
    };
    let stays =
        if left == 1 { "was changed since and stays as it is" } else { "were changed since and stay as they are" };
    let (stays, again) = if most < ROOMY { ("changed since", "not covered") } else { (stays, again) };
    let left = (left > 0).then(|| format!("{} {stays}", counted(left, "file")));
    let impossible = (impossible > 0).then(|| format!("{} {again}", counted(impossible, "file")));
    let text = left.into_iter().chain(impossible).collect::<Vec<_>>().join("; ");
    paragraph(&text, palette.warn(), columns)
}

/// The choice of the file at hand, and the keys of a plan.
pub(crate) fn plan_foot(
    view: &PlanView,
    columns: u16,
    most: u16,
    palette: Palette,
) -> (Vec<Line<'static>>, Vec<(String, String)>) {
    let mut lines = Vec::new();
    if let Some(choosing) = view.choosing() {
        let mut spans = Vec::new();
        let offered = [(ConflictChoice::Leave, 'l', "leave"), (ConflictChoice::Restore, 'r', "restore")];
        let merge = choosing.can_merge.then_some((ConflictChoice::Merge, 'm', "merge"));
        for (choice, key, words) in offered.into_iter().chain(merge) {
            let chosen = choice == choosing.choice;
            let style = if chosen { palette.strong() } else { palette.text() };
            spans.push(Span::styled(format!("{} ", sign(chosen)), style));
            spans.push(Span::styled(key.to_string(), palette.accent().patch(palette.strong())));
            spans.push(Span::styled(format!(" {words}  "), style));
        }
        if most >= ROOMY {
            let taken: usize = spans.iter().map(|span| width(&span.content)).sum();
            let room = usize::from(columns).saturating_sub(taken + 2);
            spans.insert(0, Span::raw(format!("{}  ", shorten(&choosing.name, room))));
        }
        lines.push(Line::from(spans));
    }
    let next = view.has_several().then(|| choice("Tab", "next file"));
    (lines, next.into_iter().collect())
}

/// Lays a plan out as the body of `parts`.
pub(crate) fn plan_lines(view: &mut PlanView, parts: Parts<'_>, space: Space) -> Laid {
    let (inside, palette) = (space.inside(), space.palette);
    if view.is_empty() {
        let body = paragraph("no file would change: all are as they were", palette.dim(), inside);
        return space.fit(Parts { body: Body::Lines(&body), ..parts }, &mut view.scroll);
    }
    let (body, scroll) = view.shown(inside);
    space.fit(Parts { body: Body::Lines(body), ..parts }, scroll)
}
