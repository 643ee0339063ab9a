//! What a question shows: its title, why it is asked, the thing itself, and the keys.

use super::{Approval, Details, OFFER_KEYS, Stage};
use crate::clean::{clean_line, clean_text};
use crate::composer::{Editor, Rows};
use crate::dialogs::frame::{self, Laid, Part, Parts, choice, choices, paragraph};
use crate::text::wrap::{Break, wrap, wrap_spans};
use crate::transcript::Told;
use crate::words::limit;
use agent_protocol::{Action, PreviewBody, Subject};
use ratatui::text::{Line, Span};

/// With fewer rows than this, what was changed of a call has one of them.
const ROOMY: u16 = 16;

/// Stands before what is written in a field.
const FIELD: &str = "› ";
const FIELD_INDENT: u16 = 2;

/// Where the keys of the offers are.
pub(super) enum Offers {
    /// Below, if there is room.
    Listed,
    /// Below the thing itself, which makes room for the details.
    BehindDetails,
}

pub(super) fn lay_out(approval: &mut Approval, width: u16, most: u16) -> (Laid, Offers) {
    if approval.shows_details() {
        let laid = details(approval, width, most);
        return (laid, if most < ROOMY { Offers::BehindDetails } else { Offers::Listed });
    }
    (thing(approval, width, most), Offers::Listed)
}

/// What there is to know of the call. On a small screen only the first of the keys stand below it.
fn details(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let mut cursor = None;
    let foot = foot(approval, columns, if most < ROOMY { Keys::Few } else { Keys::All }, &mut cursor);
    let (title, palette) = (title(approval), approval.palette);
    approval.details.lay_out(columns, palette);
    let Details { lines, scroll, .. } = &mut approval.details;
    let parts = Parts { title, head: Vec::new(), body: lines, foot, stays: 0, keep: None, cursor };
    frame::fit(parts, scroll, width, most, palette)
}

/// The thing itself, and why it is asked.
fn thing(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let mut cursor = None;
    let foot = foot(approval, columns, Keys::All, &mut cursor);
    let title = title(approval);
    let told = if most < ROOMY { Told::One } else { Told::Three };
    let (head, stays) = head(approval, columns, told);
    let palette = approval.palette;
    let mut keep = None;
    let lines = match (&approval.stage, &approval.question.preview.body) {
        (Stage::Editing(editor), _) => {
            let (lines, row, column) = written(editor, columns, approval);
            (cursor, keep) = (Some((Part::Body, row, column)), Some(row));
            Some(lines)
        }
        (_, PreviewBody::Diff { .. }) => None,
        (_, PreviewBody::Command { command, .. }) => Some(command_lines(command, columns, approval)),
        (_, PreviewBody::Plain) => Some(plain_lines(approval, columns)),
    };
    let body = match (lines, &mut approval.diff) {
        (None, Some(diff)) => diff.lines(columns),
        (lines, _) => {
            approval.lines = lines.unwrap_or_default();
            &approval.lines
        }
    };
    let parts = Parts { title, head, body, foot, stays, keep, cursor };
    frame::fit(parts, &mut approval.scroll, width, most, palette)
}

/// How many of the keys are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    All,
    /// Those for which one need not look at the thing itself again.
    Few,
}

type Cursor = Option<(Part, usize, u16)>;

fn foot(approval: &Approval, columns: u16, keys: Keys, cursor: &mut Cursor) -> Vec<Line<'static>> {
    let mut foot = field(approval, columns, cursor);
    foot.extend(hint(approval, columns));
    foot.extend(choices(&choices_of(approval, keys), columns, approval.palette));
    foot
}

fn title(approval: &Approval) -> Span<'static> {
    let mut text = clean_line(&approval.question.preview.title).into_owned();
    if matches!(approval.question.subject, Subject::Action { .. }) {
        text.push('?');
    }
    if let Some(diff) = &approval.diff {
        let (added, removed) = diff.counts();
        text = format!("{text}  +{added} −{removed}");
    }
    Span::styled(text, approval.palette.warn().patch(approval.palette.strong()))
}

/// What stands above the thing itself, and how many rows of it must not go: where a command runs is part of what it does,
/// and what was changed of a call is part of what is asked. With hardly any room the change that weighs most comes first,
/// as the head is cut from its end.
fn head(approval: &Approval, columns: u16, told: Told) -> (Vec<Line<'static>>, usize) {
    let badge = approval.details.remarks.badge();
    let changes = approval.details.remarks.changes(told, usize::from(columns));
    let remark = |remark: String| wrap(&Line::styled(remark, approval.palette.dim()), columns, 0);
    let badge = badge.into_iter().flat_map(remark);
    let changes = changes.into_iter().flat_map(remark);
    let why = paragraph(&clean_line(&approval.question.why), approval.palette.text(), columns);
    let place = place(approval, columns);
    let gap = if place.is_empty() { None } else { Some(Line::default()) };
    let mut lines: Vec<Line<'static>> = match told {
        Told::One => changes.chain(place).chain(badge).collect(),
        Told::Three => place.into_iter().chain(badge).chain(changes).collect(),
    };
    let stays = lines.len();
    lines.extend(why);
    lines.extend(gap);
    (lines, stays)
}

/// Where a command would run, and for how long.
fn place(approval: &Approval, columns: u16) -> Vec<Line<'static>> {
    let PreviewBody::Command { cwd, timeout_secs, .. } = &approval.question.preview.body else { return Vec::new() };
    let folder = cwd.display().to_string();
    let place = format!("runs in {}, for {} at most", clean_line(&folder), limit(*timeout_secs));
    paragraph(&place, approval.palette.dim(), columns)
}

/// The command to the last character: what cannot be seen is made visible, lines are broken but nothing is dropped.
fn command_lines(command: &str, columns: u16, approval: &Approval) -> Vec<Line<'static>> {
    let clean = clean_text(command).into_owned();
    let mut lines = Vec::new();
    for (number, line) in clean.split('\n').enumerate() {
        let room = usize::from(columns.saturating_sub(FIELD_INDENT).max(1));
        let spans = vec![Span::styled(line.to_owned(), approval.palette.strong())];
        for (row, spans) in wrap_spans(spans, room, room, Break::Anywhere).into_iter().enumerate() {
            let mark = if (number, row) == (0, 0) { "$ " } else { "  " };
            let mark = Span::styled(mark, approval.palette.dim());
            lines.push(Line::from_iter(std::iter::once(mark).chain(spans)));
        }
    }
    lines
}

/// What a question without a preview is about, where the title does not say it in full.
fn plain_lines(approval: &Approval, columns: u16) -> Vec<Line<'static>> {
    let Subject::Action { action } = &approval.question.subject else { return Vec::new() };
    let style = approval.palette.strong();
    let texts: Vec<String> = match action {
        Action::Read { paths } => paths.iter().map(|path| path.display().to_string()).collect(),
        Action::Write { changes } => changes.0.iter().map(|change| change.path.display().to_string()).collect(),
        Action::Run { command, .. } => return command_lines(command, columns, approval),
    };
    texts.iter().flat_map(|text| paragraph(&clean_line(text), style, columns)).collect()
}

/// The text in a field, with row and column of the cursor.
fn written(editor: &Editor, columns: u16, approval: &Approval) -> (Vec<Line<'static>>, usize, u16) {
    let rows = Rows::of(editor, columns.saturating_sub(FIELD_INDENT));
    let (row, column) = rows.cursor();
    let mut lines = rows.lines(editor, approval.palette);
    for (number, line) in lines.iter_mut().enumerate() {
        let mark = if number == 0 { FIELD } else { "  " };
        line.spans.insert(0, Span::styled(mark, approval.palette.accent()));
    }
    (lines, row, column + FIELD_INDENT)
}

/// The word to the model: being written, or as it will be sent.
fn field(approval: &Approval, columns: u16, cursor: &mut Cursor) -> Vec<Line<'static>> {
    match (&approval.stage, &approval.word) {
        (Stage::Wording(editor), _) => {
            let mut lines = paragraph("your word to the model:", approval.palette.text(), columns);
            let (written, row, column) = written(editor, columns, approval);
            *cursor = Some((Part::Foot, lines.len() + row, column));
            lines.extend(written);
            lines
        }
        (Stage::Choosing, Some(word)) => {
            paragraph(&format!("your word: {}", clean_line(word)), approval.palette.accent(), columns)
        }
        (Stage::Choosing | Stage::Editing(_), _) => Vec::new(),
    }
}

fn hint(approval: &Approval, columns: u16) -> Vec<Line<'static>> {
    approval.hint.map_or(Vec::new(), |hint| paragraph(hint, approval.palette.warn(), columns))
}

fn choices_of(approval: &Approval, keys: Keys) -> Vec<(String, String)> {
    match &approval.stage {
        Stage::Wording(_) => vec![choice("enter", "keeps it; then answer"), choice("esc", "drops it")],
        Stage::Editing(_) => vec![
            choice("enter", "propose this instead"),
            choice("alt+enter", "new line"),
            choice("esc", "back to the question"),
        ],
        Stage::Choosing => answers(approval, keys),
    }
}

fn answers(approval: &Approval, keys: Keys) -> Vec<(String, String)> {
    let word = choice("tab", if approval.word.is_some() { "change your word" } else { "add a word" });
    match &approval.question.subject {
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => {
            vec![choice("y", "go on"), choice("n", "stop here"), word, choice("esc", "stop here")]
        }
        Subject::Folder { .. } => vec![choice("y", "yes, work here"), choice("n", "no, leave"), choice("esc", "leave")],
        Subject::Action { .. } => {
            let mut all = vec![choice("y", "yes once"), choice("n", "no")];
            if keys == Keys::All && approval.can_edit() {
                all.push(choice("e", "edit first"));
            }
            if keys == Keys::All {
                all.push(word);
            }
            all.extend(ways_out(approval));
            if keys == Keys::All {
                let offers = approval.question.offers.iter().zip(OFFER_KEYS.chars());
                all.extend(offers.map(|(offer, key)| choice(key, format!("yes, and {}", offer.words))));
            }
            all
        }
    }
}

/// To the details, back from them, or out of it all.
fn ways_out(approval: &Approval) -> Vec<(String, String)> {
    let details = &approval.details;
    if details.unfolded() {
        return vec![choice(format!("{}, esc", details.key), "back")];
    }
    let unfold = details.are_there().then(|| choice(&details.key, "details"));
    unfold.into_iter().chain([choice("esc", "no, and stop")]).collect()
}
