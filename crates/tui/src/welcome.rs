//! What stands where the conversation will be, until it begins: where we are, with what, and the first keys.

use crate::app::App;
use crate::clean::clean_line;
use crate::dialogs::{mode_words, no_model_words, sandbox_words, server_words};
use crate::keymap::Deed;
use crate::text::wrap::wrap;
use agent_protocol::sanitize::figures::window;
use ratatui::text::{Line, Span};

/// Columns left free before the text.
const MARGIN: u16 = 2;

/// The lines for a screen so wide.
pub(crate) fn lines(app: &App, columns: u16) -> Vec<Line<'static>> {
    let palette = app.palette;
    let mut lines = vec![
        Line::default(),
        Line::from(vec![
            Span::styled("agent", palette.strong()),
            Span::styled(format!(" {}", app.settings.version), palette.dim()),
        ]),
        Line::default(),
    ];
    lines.extend(facts(app).into_iter().map(|(word, text)| {
        Line::from(vec![Span::styled(format!("{word:<9}"), palette.dim()), Span::raw(clean_line(&text).into_owned())])
    }));
    if !app.settings.banner.is_empty() {
        lines.push(Line::default());
        lines.extend(app.settings.banner.iter().map(|line| Line::raw(clean_line(line).into_owned())));
    }
    lines.push(Line::default());
    lines.push(first_keys(app));
    let wrapped = lines.iter().flat_map(|line| wrap(line, columns.saturating_sub(2 * MARGIN), 9));
    wrapped
        .map(|mut line| {
            line.spans.insert(0, Span::raw(" ".repeat(usize::from(MARGIN))));
            line
        })
        .collect()
}

fn facts(app: &App) -> Vec<(&'static str, String)> {
    let session = &app.session;
    if session.host.is_empty() {
        return Vec::new();
    }
    let model = match &session.model {
        None => no_model_words(session).to_owned(),
        Some(model) => format!("{}, window of {} tokens", model.name, window(session.window)),
    };
    let exposed = if session.exposed { ", unencrypted: others on the way can read along" } else { "" };
    let fence = session.sandbox.as_ref().map(sandbox_words).unwrap_or_default();
    vec![
        ("project", session.project.display().to_string()),
        ("server", format!("{}, {}{exposed}", session.host, server_words(session))),
        ("model", model),
        ("mode", mode_words(session.mode).to_owned()),
        ("sandbox", fence),
    ]
}

fn first_keys(app: &App) -> Line<'static> {
    let (accent, dim) = (app.palette.accent(), app.palette.dim());
    let key = |key: String| Span::styled(key, accent);
    let words = |words: &'static str| Span::styled(words, dim);
    Line::from(vec![
        key("/".into()),
        words(" commands   "),
        key("?".into()),
        words(" keys   "),
        key(app.keymap.label(Deed::SwitchMode)),
        words(" safe, edits, plan, unsafe   "),
        key("Ctrl+D".into()),
        words(" leaves"),
    ])
}
