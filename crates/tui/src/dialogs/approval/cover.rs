//! How much of what a command may do can be undone: said before it matters, in words that are understood at a glance.

use super::super::frame::paragraph;
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::Lines;
use crate::text::wrap::wrap;
use agent_protocol::sanitize::figures::{counted, grouped, plural};
use agent_protocol::{Cover, CoverScope, LeftOut, PreviewBody, Question, Unkept};
use ratatui::text::{Line, Span};

/// How much of what a command may do can be undone.
pub(super) fn of(question: &Question) -> Option<&Cover> {
    let PreviewBody::Command { cover, .. } = &question.preview.body else { return None };
    cover.as_ref()
}

/// Below the command. What is less than it might be taken for is marked.
pub(super) fn lines(cover: &Cover, columns: u16, palette: Palette) -> Lines {
    let words = clean_line(&words(cover)).into_owned();
    let (sign, style) = match cover.scope {
        CoverScope::Project => ("  ", palette.dim()),
        CoverScope::Seen { .. } | CoverScope::Nothing { .. } => ("! ", palette.warn()),
    };
    wrap(&Line::from(vec![Span::styled(sign, style), Span::styled(words, style)]), columns, 2)
}

/// Where there is room for one line, and only for what must not be overlooked.
pub(super) fn warning(cover: &Cover) -> Option<String> {
    match cover.scope {
        CoverScope::Project => None,
        CoverScope::Seen { .. } => Some(format!("undo covers only {}", counted(cover.files, "file"))),
        CoverScope::Nothing { .. } => Some("undo covers nothing".to_owned()),
    }
}

/// All there is to know of it.
pub(super) fn details(cover: &Cover, columns: u16, palette: Palette) -> Lines {
    let indented = |text: String| wrap(&Line::from(vec![Span::raw("   "), Span::raw(text)]), columns, 3);
    let mut lines = paragraph(&clean_line(&scope(cover)), palette.text(), columns);
    if matches!(cover.scope, CoverScope::Nothing { .. }) {
        return lines;
    }
    lines.push(Line::styled("not covered:", palette.dim()));
    for LeftOut { why, files: count } in &cover.left_out {
        let key = match why {
            Unkept::TooLarge => " (undo.max_file_mb)",
            Unkept::NoRoom => " (undo.budget_mb)",
            Unkept::Unreadable | Unkept::Special | Unkept::Name => "",
        };
        lines.extend(indented(format!("{}: {}{key}", counted(*count, "file"), why.words())));
    }
    lines.extend(indented("what git ignores, git's own folder, and what lies outside the project".to_owned()));
    lines
}

fn words(cover: &Cover) -> String {
    let not: Vec<String> = cover.left_out.iter().map(left_out).collect();
    match &cover.scope {
        CoverScope::Nothing { .. } => scope(cover),
        CoverScope::Seen { .. } if not.is_empty() => scope(cover),
        CoverScope::Seen { .. } => format!("{}; not {}", scope(cover), not.join(", ")),
        CoverScope::Project if not.is_empty() => {
            format!("{}; nothing git ignores, nothing outside", scope(cover))
        }
        CoverScope::Project => {
            format!("{}; not {}, nothing git ignores, nothing outside", scope(cover), not.join(", "))
        }
    }
}

fn scope(cover: &Cover) -> String {
    match &cover.scope {
        CoverScope::Project => format!("undo covers {} of the project", counted(cover.files, "file")),
        CoverScope::Seen { most } => {
            let most = grouped(*most);
            match cover.files {
                0 => format!("undo covers no files that are there: the project has more than {most}"),
                1 => format!(
                    "undo covers only the 1 file worked on in this session: the project has more than {most} files"
                ),
                count => format!(
                    "undo covers only the {} files worked on in this session: the project has more than {most} files",
                    grouped(count)
                ),
            }
        }
        CoverScope::Nothing { why } => format!("undo covers nothing: {}", why.trim()),
    }
}

/// `3 large ones`.
fn left_out(left: &LeftOut) -> String {
    let ones = plural(left.files, "one");
    let count = grouped(left.files);
    match left.why {
        Unkept::TooLarge => format!("{count} large {ones}"),
        Unkept::NoRoom => format!("{count} for which there is no room"),
        Unkept::Unreadable => format!("{count} unreadable {ones}"),
        Unkept::Special => format!("{count} special {ones}"),
        Unkept::Name => format!("{count} whose names are no UTF-8"),
    }
}

#[cfg(test)]
mod tests {
    use super::{warning, words};
    use agent_protocol::{Cover, CoverScope, LeftOut, Unkept};

    fn cover(scope: CoverScope, files: u64, left_out: &[(Unkept, u64)]) -> Cover {
        let left_out = left_out.iter().map(|&(why, files)| LeftOut { why, files }).collect();
        Cover { scope, files, left_out }
    }

    #[test]
    fn what_undo_covers_is_said_in_a_breath() {
        let told = |scope, files, left: &[(Unkept, u64)]| words(&cover(scope, files, left));
        let all = told(CoverScope::Project, 312, &[]);
        assert_eq!(all, "undo covers 312 files of the project; nothing git ignores, nothing outside");
        assert!(all.len() < 78);
        assert_eq!(
            told(CoverScope::Project, 1_312, &[(Unkept::TooLarge, 3), (Unkept::Unreadable, 1)]),
            "undo covers 1,312 files of the project; not 3 large ones, 1 unreadable one, nothing git ignores, \
             nothing outside"
        );
        assert_eq!(
            told(CoverScope::Seen { most: 50_000 }, 14, &[(Unkept::TooLarge, 1)]),
            "undo covers only the 14 files worked on in this session: the project has more than 50,000 files; not 1 \
             large one"
        );
        let why = CoverScope::Nothing { why: "the state folder cannot be written".into() };
        assert_eq!(told(why, 0, &[]), "undo covers nothing: the state folder cannot be written");
    }

    #[test]
    fn only_what_is_less_than_expected_is_a_warning() {
        let told = |scope| warning(&cover(scope, 14, &[]));
        assert_eq!(told(CoverScope::Project), None);
        assert_eq!(told(CoverScope::Seen { most: 50_000 }).unwrap(), "undo covers only 14 files");
        assert_eq!(told(CoverScope::Nothing { why: String::new() }).unwrap(), "undo covers nothing");
    }
}
