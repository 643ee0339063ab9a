//! What stands above the thing that is asked about: where it would happen, what holds it in, what is dangerous about it,
//! and why it is asked.

use super::{Approval, command, cover, reach};
use crate::clean::clean_line;
use crate::dialogs::frame::paragraph;
use crate::text::Lines;
use crate::text::wrap::wrap;
use crate::transcript::Told;
use agent_protocol::sanitize::figures::limit;
use agent_protocol::{PreviewBody, Profile, SandboxKind, Subject};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The lines, and how many of them must not go: where a command runs, and how far it may reach, is part of what it does;
/// what was changed of a call is part of what is asked. With hardly any room the change that weighs most comes first.
pub(super) fn lines(approval: &Approval, columns: u16, told: Told) -> (Lines, usize) {
    let badge = approval.details.remarks.badge();
    let changes = approval.details.remarks.changes(told, usize::from(columns));
    let remark = |remark: String| wrap(&Line::styled(remark, approval.palette.dim()), columns, 0);
    let badge: Lines = badge.into_iter().flat_map(remark).collect();
    let changes = changes.into_iter().flat_map(remark);
    let mut place = if told == Told::Three { purpose(approval, columns) } else { Vec::new() };
    place.extend(reaches(approval, columns, told));
    place.extend(reach::beside(approval, columns));
    if told == Told::One
        && let Some(words) = cover::of(&approval.question).and_then(cover::warning)
    {
        place.extend(signed(&words, approval.palette.warn(), columns));
    }
    let warnings = warnings(approval, columns);
    let list = matches!(approval.question.subject, Subject::Trust { .. } | Subject::Shorten { .. });
    let gap = (list || !place.is_empty() || !warnings.is_empty()).then(Line::default);
    let mut lines: Lines = match told {
        Told::One => changes.chain(warnings).chain(place).collect(),
        Told::Three => place.into_iter().chain(badge.iter().cloned()).chain(changes).chain(warnings).collect(),
    };
    let stays = lines.len();
    if told == Told::One {
        lines.extend(badge);
    }
    lines.extend(paragraph(&clean_line(&approval.question.why), approval.palette.text(), columns));
    lines.extend(gap);
    (lines, stays)
}

/// What is dangerous, one thing a line. The sign says so where there is no colour.
pub(super) fn warnings(approval: &Approval, columns: u16) -> Lines {
    let style = approval.palette.bad().patch(approval.palette.strong());
    let warnings = approval.question.warnings.iter().chain(&approval.doubts);
    warnings.flat_map(|warning| signed(warning, style, columns)).collect()
}

fn signed(words: &str, style: Style, columns: u16) -> Lines {
    wrap(&Line::from(vec![Span::styled("! ", style), Span::styled(clean_line(words).into_owned(), style)]), columns, 2)
}

/// What the model says that a command is for. Its word alone.
fn purpose(approval: &Approval, columns: u16) -> Lines {
    let purpose = command::purpose_of(&approval.question.preview);
    purpose.map_or(Vec::new(), |purpose| {
        paragraph(&format!("the model says: {}", clean_line(purpose)), approval.palette.dim(), columns)
    })
}

/// How far a command may reach, where it would run, and for how long: in one line, where nothing of it is a warning.
fn reaches(approval: &Approval, columns: u16, told: Told) -> Lines {
    let PreviewBody::Command { cwd, timeout_secs, background, .. } = &approval.question.preview.body else {
        return Vec::new();
    };
    let folder = cwd.display().to_string();
    let folder = clean_line(&folder);
    let sandbox = sandbox(approval, told);
    if *background {
        let mut lines = in_the_background(&folder, approval, columns, told);
        lines.extend(sandbox.lines(columns));
        return lines;
    }
    let place = format!("in {folder}, {} at most", limit(*timeout_secs));
    match sandbox {
        Holding::Held(words, style) => {
            let place = Span::styled(format!(" · {place}"), approval.palette.dim());
            wrap(&Line::from(vec![Span::styled(words, style), place]), columns, 0)
        }
        Holding::Missing(..) => {
            let place = paragraph(&place, approval.palette.dim(), columns);
            sandbox.lines(columns).into_iter().chain(place).collect()
        }
    }
}

/// The same of one that goes on: what it does meanwhile is not looked at.
fn in_the_background(folder: &str, approval: &Approval, columns: u16, told: Told) -> Lines {
    let (dim, warn) = (approval.palette.dim(), approval.palette.warn());
    match told {
        Told::One => {
            signed(&format!("goes on in {folder} until the session ends; undo does not cover it"), warn, columns)
        }
        Told::Three => {
            let place =
                format!("goes on in the background, in {folder}: until it ends, is stopped, or the session ends");
            let mut lines = paragraph(&place, dim, columns);
            lines.extend(signed("what it changes meanwhile is not covered by undo", warn, columns));
            lines
        }
    }
}

/// What holds a command in.
enum Holding {
    Held(String, Style),
    Missing(String, Style),
}

impl Holding {
    fn lines(&self, columns: u16) -> Lines {
        match self {
            Holding::Held(words, style) => paragraph(words, *style, columns),
            Holding::Missing(words, style) => signed(words, *style, columns),
        }
    }
}

/// How far a command may reach, and whether anything holds it to that.
fn sandbox(approval: &Approval, told: Told) -> Holding {
    let palette = approval.palette;
    let PreviewBody::Command { profile, .. } = &approval.question.preview.body else {
        return Holding::Held(String::new(), palette.dim());
    };
    let named = if told == Told::Three { "sandbox: " } else { "" };
    let missing = match (approval.sandbox, profile) {
        (SandboxKind::None, _) => "no sandbox on this system",
        (SandboxKind::Off, _) => "the sandbox is switched off",
        (SandboxKind::Disposable, _) => "no sandbox: this machine may be thrown away",
        (SandboxKind::Kernel, Profile::Unfenced) => "no sandbox",
        (SandboxKind::Kernel, Profile::ReadOnly | Profile::Project) => {
            return Holding::Held(format!("{named}{}", profile.words()), palette.dim());
        }
        (SandboxKind::Kernel, Profile::Network) => {
            return Holding::Held(format!("{named}{}", profile.words()), palette.warn());
        }
    };
    let more = if told == Told::Three { ": the command can do what you can" } else { "" };
    Holding::Missing(format!("{missing}{more}"), palette.warn())
}
