//! What the person sees before they answer: the title, what is dangerous, why it is asked, and the thing itself. What is
//! too long to be shown is said to be.

use agent_clean::{clean_line, clean_text};
use agent_protocol::{FileDiff, PreviewBody, Question};
use similar::TextDiff;
use std::time::Duration;

/// Letters of the thing itself.
const LONGEST: usize = 20_000;

/// So long two texts are compared closely.
const LIMIT: Duration = Duration::from_millis(300);

/// Lines around a change.
const AROUND: usize = 3;

pub(super) fn words(question: &Question) -> String {
    let warnings: Vec<String> =
        question.warnings.iter().map(|warning| format!("Warning: {}", clean_line(warning))).collect();
    let parts = [
        clean_line(&question.preview.title).into_owned(),
        warnings.join("\n"),
        clean_line(&question.why).into_owned(),
        cut(&clean_text(&body(&question.preview.body))),
    ];
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (shown, hidden) = text.split_at(end);
            format!("{shown}\n[… {} more lines that are not shown here]", hidden.lines().count())
        }
    }
}

fn body(body: &PreviewBody) -> String {
    match body {
        PreviewBody::Plain => String::new(),
        PreviewBody::Diff { files } => diffs(files),
        PreviewBody::Command { command, cwd, timeout_secs, profile, cover: _, files, note, background } => {
            let until =
                if *background { "until it is stopped".into() } else { format!("for at most {timeout_secs} s") };
            let line = format!("{command}\n\nin {}, {}, {until}", cwd.display(), profile.words());
            [line, note.clone().unwrap_or_default(), diffs(files)]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("\n\n")
        }
        PreviewBody::Fetch { url, sends } if sends.is_empty() => url.clone(),
        PreviewBody::Fetch { url, sends } => format!("{sends}\n\nis sent to {url}"),
        PreviewBody::Call { server, tool, arguments, description } => {
            format!("{tool} of {server}\n\n{arguments}\n\n{description}")
        }
        PreviewBody::Task { prompt, .. } => prompt.clone(),
        PreviewBody::Plan { text } => text.clone(),
        PreviewBody::Choices { question, choices } => format!("{question}\n\n{}", choices.join("\n")),
    }
}

fn diffs(files: &[FileDiff]) -> String {
    files.iter().map(diff).collect::<Vec<_>>().join("\n")
}

fn diff(file: &FileDiff) -> String {
    let (before, after) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let became = match (&file.before, &file.after) {
        (None, _) => "new",
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "deleted",
    };
    let note = file.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    let compared = TextDiff::configure().timeout(LIMIT).diff_lines(before, after);
    let hunks = compared.unified_diff().context_radius(AROUND).missing_newline_hint(false).to_string();
    format!("{}: {became}{note}\n{hunks}", file.shown_path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{AskId, Preview, Profile, Subject};

    fn question(body: PreviewBody) -> Question {
        Question {
            id: AskId(1),
            call: None,
            subject: Subject::Steps { steps: 1 },
            preview: Preview { title: "Edit a.rs".into(), body },
            why: "safe mode asks before every write".into(),
            offers: Vec::new(),
            warnings: vec!["it leaves\nthe project".into()],
            parts: Vec::new(),
        }
    }

    fn file(before: Option<&str>, after: Option<&str>) -> FileDiff {
        FileDiff {
            path: "/p/a.rs".into(),
            shown_path: "a.rs".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            note: None,
            skipped: 0,
        }
    }

    #[test]
    fn a_change_is_shown_with_what_is_dangerous_above_it() {
        let shown = words(&question(PreviewBody::Diff { files: vec![file(Some("one\ntwo\n"), Some("one\n2\n"))] }));
        insta::assert_snapshot!(shown, @r"
        Edit a.rs

        Warning: it leaves␤the project

        safe mode asks before every write

        a.rs: changed
        @@ -1,2 +1,2 @@
         one
        -two
        +2
        ");
    }

    #[test]
    fn a_command_is_shown_as_it_will_run_and_nothing_in_it_is_obeyed() {
        let shown = words(&question(PreviewBody::Command {
            command: "echo \u{1b}[2J; make".into(),
            cwd: "/p".into(),
            timeout_secs: 60,
            profile: Profile::Project,
            cover: None,
            files: Vec::new(),
            note: None,
            background: false,
        }));
        insta::assert_snapshot!(shown, @r"
        Edit a.rs

        Warning: it leaves␤the project

        safe mode asks before every write

        echo ␛[2J; make

        in /p, writes in the project, no network, for at most 60 s
        ");
    }

    #[test]
    fn what_is_too_long_is_said_to_be() {
        let long = "a line\n".repeat(10_000);
        let shown = words(&question(PreviewBody::Diff { files: vec![file(None, Some(&long))] }));
        assert!(
            shown.len() < LONGEST + 500 && shown.ends_with("more lines that are not shown here]"),
            "{}",
            shown.len()
        );
    }
}
