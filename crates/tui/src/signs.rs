//! What the title of the window says: the project, and whether the model works, asks or waits for words.

use crate::app::App;
use crate::settings::ScreenMotion;
use crate::terminal::Signs;
use crate::text::width::shorten;
use agent_protocol::sanitize::clean_line;

/// Columns of the folder's name.
const LONGEST_NAME: usize = 32;

pub(crate) fn signs(app: &App) -> Signs {
    let doing = match (app.questions.is_empty(), app.work.is_some()) {
        (false, _) => "asks",
        (true, true) => "working",
        (true, false) => "ready",
    };
    let folder = app.session.project.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let folder = shorten(&clean_line(&folder), LONGEST_NAME).into_owned();
    let parts = ["agent", folder.as_str(), doing];
    let title = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    // A progress that does not know its end moves.
    Signs { title, busy: app.work.is_some() && app.settings.motion == ScreenMotion::Full }
}
