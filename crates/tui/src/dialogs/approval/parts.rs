//! What a question shows: its title, what stands above the thing itself (`head`), the thing, what undo covers of it
//! (`cover`), and the keys (`answers`).
//!
//! The thing is laid out once for a width: a command or a diff can be long, and the screen is drawn often.

use super::answers::{Keys, ROOMY, choices_of, offers};
use super::{Approval, ApprovalStage, Details, Matter, command, cover, elsewhere, head, reach, selecting};
use crate::clean::clean_line;
use crate::dialogs::field::written;
use crate::dialogs::frame::{self, Body, Cut, Laid, Part, Parts, choices, choices_with, paragraph};
use crate::palette::Palette;
use crate::text::Lines;
use crate::text::width::width as columns_of;
use crate::text::wrap::wrap;
use crate::transcript::Told;
use agent_protocol::{Action, Finding, PreviewBody, Subject};
use ratatui::text::{Line, Span};

/// Rows of the thing that are seen at least, where the words of the offers could go behind a key.
const LEAST_THING: usize = 2;

/// Columns that the names of what was found share, at most.
const LONGEST_NAME: usize = 28;

/// What is left to whoever wants no rule-based summary.
const OTHER_WAYS: &str =
    "n stops here: then /compact tries again, /clear begins anew, or start with a larger --num-ctx";

type Cursor = Option<(Part, usize, u16)>;

pub(super) fn lay_out(approval: &mut Approval, width: u16, most: u16) -> Laid {
    match (&approval.stage, approval.details.unfolded()) {
        (ApprovalStage::Editing(_), _) => editing(approval, width, most),
        (ApprovalStage::Offering, _) => offering(approval, width, most),
        (_, true) => details(approval, width, most),
        (_, false) => match approval.matter {
            Matter::Inquiry(_) => inquiry(approval, width, most),
            Matter::Words | Matter::Files(_) | Matter::Plan(_) => thing(approval, width, most),
        },
    }
}

/// A question of the model: what it asks, and the answers.
fn inquiry(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let foot = foot(approval, columns, Keys::All, &mut None);
    let (title, palette) = (title(approval), approval.palette);
    let Matter::Inquiry(inquiry) = &mut approval.matter else { return Laid::default() };
    let drawn = inquiry.draw(columns, palette);
    let cursor = drawn.cursor.map(|(row, column)| (Part::Body, row, column));
    let parts = Parts { keep: inquiry.keep(&drawn), cursor, ..Parts::new(title, &drawn.lines, foot) };
    let laid = frame::fit(parts, &mut approval.scroll, width, most, palette);
    inquiry.shown(&drawn, &approval.scroll);
    laid
}

/// What there is to know of the call. On a small screen only the first of the keys stand below it.
fn details(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let mut cursor = None;
    let keys = if most < ROOMY { Keys::Few } else { approval.keys };
    let foot = foot(approval, columns, keys, &mut cursor);
    let head = head::warnings(approval, columns);
    let (title, palette) = (title(approval), approval.palette);
    approval.details.lay_out(columns, palette);
    let Details { lines, scroll, .. } = &mut approval.details;
    let stays = head.len();
    let parts = Parts { head, stays, cut: Cut::Scrolled, cursor, ..Parts::new(title, &*lines, foot) };
    frame::fit(parts, scroll, width, most, palette)
}

fn editing(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let ApprovalStage::Editing(editor) = &approval.stage else { return Laid::default() };
    let (body, row, column) = written(editor, columns, approval.palette);
    let (head, stays) = head::lines(approval, columns, told(most));
    let foot = foot(approval, columns, Keys::All, &mut None);
    let (title, palette) = (title(approval), approval.palette);
    let cursor = Some((Part::Body, row, column));
    let parts = Parts { head, stays, keep: Some(row), cursor, ..Parts::new(title, &body, foot) };
    frame::fit(parts, &mut approval.aside, width, most, palette)
}

/// The offers, where they have no room beside the thing itself.
fn offering(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    let (title, palette) = (title(approval), approval.palette);
    let body = choices(&offers(approval), columns, palette);
    let foot = foot(approval, columns, Keys::All, &mut None);
    frame::fit(Parts::new(title, &body, foot), &mut approval.aside, width, most, palette)
}

/// The thing itself, and why it is asked.
fn thing(approval: &mut Approval, width: u16, most: u16) -> Laid {
    let columns = frame::inner(width);
    (approval.width, approval.most) = (columns, most);
    let (head, stays) = head::lines(approval, columns, told(most));
    lay_out_thing(approval, columns, told(most));
    if let Matter::Files(files) = &mut approval.matter {
        files.diff.lay_out(columns);
        files.follow(&approval.scroll);
    }
    approval.keys = keys_beside(approval, columns, most, (head.len(), stays));
    let mut cursor = None;
    let mut foot = foot(approval, columns, approval.keys, &mut cursor);
    // A command comes first; how far it reaches stands right above the keys, where nothing scrolls it away.
    let (head, stays) = if is_command_first(approval, most, head.len() + foot.len()) {
        cursor = cursor.map(|(part, row, column)| (part, row + head.len(), column));
        foot.splice(0..0, head);
        (Vec::new(), 0)
    } else {
        (head, stays)
    };
    let (title, palette) = (title(approval), approval.palette);
    let body = match &mut approval.matter {
        Matter::Files(files) if files.above == 0 => Body::Diff(&files.diff),
        Matter::Plan(plan) => plan.lines(columns).into(),
        Matter::Words | Matter::Files(_) | Matter::Inquiry(_) => Body::Lines(&approval.lines),
    };
    let parts = Parts { head, stays, cut: Cut::Scrolled, cursor, ..Parts::new(title, body, foot) };
    let laid = frame::fit(parts, &mut approval.scroll, width, most, palette);
    if let Matter::Files(files) = &mut approval.matter {
        files.shown(&approval.scroll);
    }
    laid
}

/// Does the command stand above what there is to say of it? It does where that leaves room to read it.
fn is_command_first(approval: &Approval, most: u16, below: usize) -> bool {
    let is_command = matches!(approval.question.preview.body, PreviewBody::Command { .. });
    is_command && told(most) == Told::Three && below * 3 <= usize::from(most) * 2
}

fn told(most: u16) -> Told {
    if most < ROOMY { Told::One } else { Told::Three }
}

/// The offers keep their words beside the thing itself as long as enough of that can be seen.
fn keys_beside(approval: &Approval, columns: u16, most: u16, (head, stays): (usize, usize)) -> Keys {
    let keys = choices(&choices_of(approval, Keys::All), columns, approval.palette).len();
    let thing = approval.lines.len().max(1);
    // Where not everything has room, a row says so.
    let cut = usize::from(keys + head + thing >= usize::from(most));
    let least = keys + stays + cut + thing.min(LEAST_THING);
    if least < usize::from(most) { Keys::All } else { Keys::OffersFolded }
}

/// Lays out what does not keep its own lines, if that has not been done for this width.
fn lay_out_thing(approval: &mut Approval, columns: u16, told: Told) {
    if approval.laid_for == Some((columns, told)) {
        return;
    }
    approval.laid_for = Some((columns, told));
    let palette = approval.palette;
    approval.lines = match &approval.question.preview.body {
        PreviewBody::Command { command, note, .. } => {
            let mut lines = command::lines(command, &approval.question, columns, palette);
            lines.extend(
                command::input_of(&approval.question).iter().flat_map(|input| command::input(input, columns, palette)),
            );
            lines.extend(note.iter().flat_map(|note| remark(note, columns, palette)));
            lines
        }
        PreviewBody::Plain => plain_lines(approval, columns),
        PreviewBody::Fetch { .. } | PreviewBody::Call { .. } | PreviewBody::Task { .. } => {
            elsewhere::lines(&approval.question.preview.body, columns, palette)
        }
        PreviewBody::Diff { .. } | PreviewBody::Plan { .. } | PreviewBody::Choices { .. } => return,
    };
    // Where there is hardly room it stands among the details.
    if let Some(cover) = cover::of(&approval.question).filter(|_| told == Told::Three) {
        approval.lines.extend(cover::lines(cover, columns, palette));
    }
    // What a command acts on is looked at with it.
    if let Matter::Files(files) = &mut approval.matter {
        approval.lines.push(Line::default());
        files.above = approval.lines.len();
        approval.lines.extend(files.diff.lines(columns));
    }
}

/// Something to know of a command, under its words.
fn remark(note: &str, columns: u16, palette: Palette) -> Lines {
    let note = clean_line(note).into_owned();
    wrap(&Line::from(vec![Span::raw("  "), Span::styled(note, palette.dim())]), columns, 2)
}

/// What a question without a preview is about, where the title does not say it in full.
fn plain_lines(approval: &Approval, columns: u16) -> Lines {
    let style = approval.palette.strong();
    let texts: Vec<String> = match &approval.question.subject {
        Subject::Trust { found, .. } => return findings(found, approval, columns),
        Subject::Action { action: Action::Run { command, .. } } => {
            return command::lines(command, &approval.question, columns, approval.palette);
        }
        // What names no path has a preview of its own, or the title says it.
        Subject::Action { action } => action.paths().map(|path| path.display().to_string()).collect(),
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => Vec::new(),
        Subject::Again { files, .. } => files.clone(),
        Subject::Shorten { .. } => return paragraph(OTHER_WAYS, approval.palette.text(), columns),
        Subject::Folder { .. } | Subject::Cloud { .. } => Vec::new(),
        Subject::Reach { .. } => return reach::lines(&approval.question, columns, approval.palette),
    };
    texts.iter().flat_map(|text| paragraph(&clean_line(text), style, columns)).collect()
}

/// What was found in a folder: names in a column of their own, and what each would do.
fn findings(found: &[Finding], approval: &Approval, columns: u16) -> Lines {
    let name = |finding: &Finding| clean_line(&finding.name).into_owned();
    let most = LONGEST_NAME.min(usize::from(columns) / 3);
    let column = found.iter().map(|finding| columns_of(&name(finding))).filter(|width| *width <= most).max();
    let column = column.unwrap_or(0);
    let line = |finding: &Finding| {
        let name = name(finding);
        let (gap, hanging) = match column.checked_sub(columns_of(&name)) {
            Some(gap) => (" ".repeat(gap + 2), u16::try_from(column + 2).unwrap_or(2)),
            None => ("  ".to_owned(), 2),
        };
        let what = clean_line(&finding.what).into_owned();
        let name = Span::styled(name, approval.palette.strong());
        wrap(&Line::from(vec![name, Span::raw(gap), Span::styled(what, approval.palette.dim())]), columns, hanging)
    };
    found.iter().flat_map(line).collect()
}

fn foot(approval: &Approval, columns: u16, keys: Keys, cursor: &mut Cursor) -> Lines {
    let mut foot = field(approval, columns, cursor);
    foot.extend(hint(approval, columns));
    let (choices, selected) = selecting::with_digits(approval, choices_of(approval, keys));
    foot.extend(choices_with(&choices, selected, columns, approval.palette));
    foot
}

fn title(approval: &Approval) -> Span<'static> {
    let palette = approval.palette;
    let mut text = match command::title(&approval.question.preview) {
        Some(title) => title.to_owned(),
        None => clean_line(&approval.question.preview.title).into_owned(),
    };
    if matches!(approval.question.subject, Subject::Action { .. } | Subject::Reach { .. }) {
        text.push('?');
    }
    let style = match &approval.matter {
        Matter::Words => palette.warn(),
        Matter::Files(files) => {
            let (added, removed) = files.diff.counts();
            let count = format!("{} files", files.count());
            let count = if files.count() > 1 && !text.contains(&count) { count + " " } else { String::new() };
            text = format!("{text}  {count}+{added} −{removed}");
            palette.warn()
        }
        Matter::Plan(_) => {
            "The model's plan".clone_into(&mut text);
            palette.calm()
        }
        Matter::Inquiry(_) => {
            "The model asks".clone_into(&mut text);
            palette.accent()
        }
    };
    Span::styled(text, style.patch(palette.strong()))
}

/// What is being written: the word to the model (also as it will be sent), or the words of a rule.
fn field(approval: &Approval, columns: u16, cursor: &mut Cursor) -> Lines {
    let (label, editor) = match (&approval.stage, &approval.word) {
        (ApprovalStage::Wording(editor), _) => ("your word to the model:", editor),
        (ApprovalStage::Returning(editor), _) => ("what should be different:", editor),
        (ApprovalStage::Ruling(rule), _) => ("always run, in this project, commands that begin with:", &rule.editor),
        (ApprovalStage::Choosing, Some(word)) => {
            return paragraph(&format!("your word: {}", clean_line(word)), approval.palette.accent(), columns);
        }
        (ApprovalStage::Choosing | ApprovalStage::Editing(_) | ApprovalStage::Offering, _) => return Vec::new(),
    };
    let mut lines = paragraph(label, approval.palette.text(), columns);
    let (written, row, column) = written(editor, columns, approval.palette);
    *cursor = Some((Part::Foot, lines.len() + row, column));
    lines.extend(written);
    lines
}

fn hint(approval: &Approval, columns: u16) -> Lines {
    approval.hint.as_ref().map_or(Vec::new(), |hint| paragraph(hint, approval.palette.warn(), columns))
}
