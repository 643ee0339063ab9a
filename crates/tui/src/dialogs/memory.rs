//! What is remembered of earlier sessions, and in which files the user can change it.

use super::panel::{Panel, PanelRow, pair};
use crate::clean::clean_line;
use agent_protocol::{MemoryCard, MemoryScope};

impl Panel {
    /// The notes, file by file, as they were when the session began.
    pub(crate) fn memory(files: &[MemoryCard]) -> Self {
        let mut rows = Vec::new();
        for file in files {
            rows.push(PanelRow::Heading(match file.scope {
                MemoryScope::Global => "In all projects",
                MemoryScope::Project => "In this project",
            }));
            rows.push(pair("file", file.path.display().to_string()));
            rows.extend(standing(file).map(|words| pair("", words)));
            let lines = file.text.lines().filter(|line| !line.trim().is_empty());
            rows.extend(lines.map(|line| PanelRow::Text(clean_line(line).into_owned())));
        }
        rows.push(PanelRow::Blank);
        rows.push(PanelRow::Text(
            "This is how it was when the session began. Change the files with your editor; the next session is told what \
             they hold then."
                .into(),
        ));
        Panel::new("What is remembered", rows)
    }
}

/// What to know besides the notes.
fn standing(file: &MemoryCard) -> Option<String> {
    match (file.text.is_empty() && file.left_out == 0, file.told, file.left_out) {
        (true, _, _) => Some("nothing is remembered yet".into()),
        (false, false, _) => Some("not told to the model: this folder is not trusted".into()),
        (false, true, 0) => None,
        (false, true, 1) => Some("the oldest line is left out: there is no room for it".into()),
        (false, true, more) => Some(format!("the oldest {more} lines are left out: there is no room for them")),
    }
}
