//! Where the rows use other words than we do, and which rows are not ours alone.

use agent_protocol::FailureKind;

/// Words that a prompt must show and only the drawing of it adds: the question carries the thing itself, which is
/// looked for instead. The screen has tests of its own for how it draws it.
pub(crate) const ON_SCREEN: &[(&str, &[(&str, &str)])] = &[
    ("PD56", &[("U+202E", "\u{202e}"), ("warning", "\u{202e}")]),
    ("PD57", &[("\u{241b}[1A", "\u{1b}[1A")]),
    ("PD58", &[("mixed scripts", "\u{430}dmin")]),
    ("PD59", &[("more lines", "l\nl\nl\n")]),
];

/// What we call it, with the reason.
const OURS: &[(&str, &str, &str)] =
    &[("outside the workspace", "outside the project", "a person knows what a project is")];

pub(crate) fn ours(words: &str) -> &str {
    OURS.iter().find(|(theirs, _, _)| *theirs == words).map_or(words, |(_, ours, _)| ours)
}

/// What kind of failure a row means.
pub(crate) fn kind(error_type: &str) -> FailureKind {
    match error_type {
        "invalid_tool_params" => FailureKind::InvalidArguments,
        "file_not_found" => FailureKind::NotFound,
        "stale_file" => FailureKind::Stale,
        "permission_denied" => FailureKind::PermissionDenied,
        "unsupported_encoding" => FailureKind::NotText,
        // Whoever may not is told so; that it is the path that is protected, the message says.
        "protected_path" => FailureKind::Denied,
        other => panic!("no row has said {other} before; give it a kind"),
    }
}
