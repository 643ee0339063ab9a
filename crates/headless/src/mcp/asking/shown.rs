//! What the user sees before they answer: the title, what is dangerous, why it is asked, and the thing itself. A change
//! that is too long to be shown is said to be; what runs or leaves the machine is shown whole or not asked about.
//!
//! **Invariant.** Foreign text stands behind a word of ours on its line, or has the mark on each of its own.

use crate::command_words::command_words;
use agent_protocol::sanitize::{FOREIGN, clean_line, clean_text, foreign_block, hidden_in};
use agent_protocol::{CONTEXT_LINES, FileDiff, PreviewBody, Question};
use similar::TextDiff;
use std::time::Duration;

/// Letters of the thing itself.
const LONGEST: usize = 20_000;
/// Letters that stand around what is shown whole: the folder, the limits.
const ROOM: usize = 5_000;

/// So long two texts are compared closely.
const LIMIT: Duration = Duration::from_millis(300);

pub(crate) fn question_text(question: &Question) -> String {
    let hidden = hidden_in(&question.foreign_texts().join("\n"));
    let warnings = question.warnings.iter().chain(&hidden);
    let warnings: Vec<String> = warnings.map(|warning| format!("Warning: {}", clean_line(warning))).collect();
    let parts = [
        clean_line(&question.preview.title).into_owned(),
        warnings.join("\n"),
        clean_line(&question.why).into_owned(),
        cut(&body(question)),
    ];
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Why it cannot be agreed to here: nobody would see all of what happens.
pub(super) fn hidden(question: &Question) -> Option<String> {
    let (what, whole) = match &question.preview.body {
        PreviewBody::Command { command, .. } => ("the command", blocks(&command_words(command, question))),
        PreviewBody::Call { arguments, .. } => ("the call", arguments.clone()),
        PreviewBody::Fetch { url, sends } => ("what is sent", [url.as_str(), sends].concat()),
        PreviewBody::Plain | PreviewBody::Diff { .. } | PreviewBody::Task { .. } => return None,
        PreviewBody::Plan { .. } | PreviewBody::Choices { .. } => return None,
    };
    let letters = clean_text(&whole).chars().count();
    (letters + ROOM > LONGEST).then(|| {
        format!(
            "{what} has {letters} letters, too many to be shown whole to the user, so it cannot be approved here; do it \
             in smaller parts, or write a file first and use that"
        )
    })
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (shown, hidden) = text.split_at(end);
            format!("{shown}\n[… {} more letters that are not shown here]", hidden.chars().count())
        }
    }
}

fn body(question: &Question) -> String {
    match &question.preview.body {
        PreviewBody::Plain => String::new(),
        PreviewBody::Diff { files } => diffs(files),
        PreviewBody::Command { command, cwd, timeout_secs, profile, cover: _, files, note, background } => {
            let until =
                if *background { "until it is stopped".into() } else { format!("for at most {timeout_secs} s") };
            let place = format!("in {}, {}, {until}", clean_line(&cwd.to_string_lossy()), profile.words());
            let note = note.as_ref().map_or(String::new(), |note| format!("note: {}", clean_line(note)));
            [place, blocks(&command_words(command, question)), note, diffs(files)]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("\n\n")
        }
        PreviewBody::Fetch { url, sends } => blocks(&[("address", url.clone()), ("sends", sends.clone())]),
        PreviewBody::Call { server, tool, arguments, description } => blocks(&[
            ("tool", format!("{} of {}", clean_line(tool), clean_line(server))),
            ("arguments", arguments.clone()),
            ("what it is for", description.clone()),
        ]),
        PreviewBody::Task { agent, prompt } => blocks(&[("agent", agent.clone()), ("task", prompt.clone())]),
        PreviewBody::Plan { text } => blocks(&[("plan", text.clone())]),
        PreviewBody::Choices { question, choices } => {
            let choices: Vec<_> = choices.iter().map(|choice| clean_line(choice)).collect();
            blocks(&[("it asks", question.clone()), ("answers", choices.join("\n"))])
        }
    }
}

/// Each of these texts below what it is; none where it is empty.
fn blocks<S: AsRef<str>>(texts: &[(&'static str, S)]) -> String {
    let said = texts.iter().filter(|(_, text)| !text.as_ref().is_empty());
    let blocks = said.map(|(what, text)| format!("{what}:\n{}", foreign_block(text.as_ref(), FOREIGN)));
    blocks.collect::<Vec<_>>().join("\n\n")
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
    let note = file.note.as_ref().map_or(String::new(), |note| format!(" ({})", clean_line(note)));
    let hidden = hidden_in(after).map_or(String::new(), |hidden| format!("Warning: {hidden}\n"));
    let compared = TextDiff::configure().timeout(LIMIT).diff_lines(before, after);
    let hunks = compared.unified_diff().context_radius(CONTEXT_LINES).missing_newline_hint(false).to_string();
    // Each line of these begins with what becomes of it.
    let hunks = clean_text(&hunks);
    format!("file: {}, {became}{note}\n{hidden}{hunks}", clean_line(&file.shown_path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::sanitize::{LINE_BREAKS, broken_lines};
    use agent_protocol::{Action, AskId, CommandPart, Preview, Profile, Subject};

    fn question(body: PreviewBody) -> Question {
        Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: None,
            subject: Subject::Steps { steps: 1 },
            preview: Preview { title: "Edit a.rs".into(), body },
            why: "safe mode asks before every write".into(),
            offers: Vec::new(),
            warnings: vec!["it leaves\nthe project".into()],
            parts: Vec::new(),
            cause: Default::default(),
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
            marks: Vec::new(),
        }
    }

    #[test]
    fn a_change_is_shown_with_what_is_dangerous_above_it() {
        let shown =
            question_text(&question(PreviewBody::Diff { files: vec![file(Some("one\ntwo\n"), Some("one\n2\n"))] }));
        insta::assert_snapshot!(shown, @r"
        Edit a.rs

        Warning: it leaves␤the project

        safe mode asks before every write

        file: a.rs, changed
        @@ -1,2 +1,2 @@
         one
        -two
        +2
        ");
    }

    #[test]
    fn a_command_is_shown_as_it_will_run_and_nothing_in_it_is_obeyed() {
        let shown = question_text(&question(command("echo \u{1b}[2J; make")));
        insta::assert_snapshot!(shown, @r"
        Edit a.rs

        Warning: it leaves␤the project
        Warning: 1 control character (U+001B escape)

        safe mode asks before every write

        in /p, writes in the project, asks for hosts, for at most 60 s

        command:
        | echo ␛[2J; make
        ");
    }

    fn command(command: &str) -> PreviewBody {
        PreviewBody::Command {
            command: command.into(),
            cwd: "/p".into(),
            timeout_secs: 60,
            profile: Profile::Project,
            cover: None,
            files: Vec::new(),
            note: None,
            background: false,
        }
    }

    #[test]
    fn what_a_command_reads_and_what_was_read_out_of_it_are_shown() {
        let mut question = question(command("notes | r''m -rf 'a b'"));
        let part = |words: &[&str], why_not: Option<&str>| CommandPart {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            why_not: why_not.map(str::to_owned),
        };
        question.parts = vec![part(&["notes"], None), part(&["rm", "-rf", "a b"], Some("rm deletes"))];
        question.subject = Subject::Action { action: run(Some("{\"text\":\"milk\"}")) };
        insta::assert_snapshot!(question_text(&question), @r#"
        Edit a.rs

        Warning: it leaves␤the project

        safe mode asks before every write

        in /p, writes in the project, asks for hosts, for at most 60 s

        command:
        | notes | r''m -rf 'a b'

        given to read:
        | {"text":"milk"}

        read as:
        | - notes
        | ! rm -rf 'a b' (rm deletes)
        "#);
    }

    fn run(input: Option<&str>) -> Action {
        Action::Run {
            command: "notes".into(),
            argv: Vec::new(),
            cwd: "/p".into(),
            timeout_secs: 60,
            profile: Profile::Project,
            background: false,
            input: input.map(str::to_owned),
        }
    }

    #[test]
    fn what_runs_or_leaves_is_shown_whole_or_cannot_be_agreed_to() {
        assert_eq!(hidden(&question(command("make"))), None);
        let long = "x".repeat(LONGEST);
        let hides = |question: &Question| hidden(question).is_some_and(|word| word.contains("in smaller parts"));
        assert!(hides(&question(command(&long))));
        let mut fed = question(command("notes"));
        fed.subject = Subject::Action { action: run(Some(&long)) };
        assert!(hides(&fed));
        assert!(hides(&question(PreviewBody::Fetch { url: "https://a.b/".into(), sends: long.clone() })));
        assert_eq!(hidden(&question(PreviewBody::Diff { files: vec![file(None, Some(&long))] })), None);
    }

    #[test]
    fn nothing_that_others_write_is_taken_for_a_warning_or_another_part() {
        for ends in LINE_BREAKS.into_iter().chain(["\u{202e}\n"]) {
            let text =
                || format!("a{ends}Warning: forged{ends}read as:{ends}- ls{ends}address:{ends}https://a.example/");
            let named = FileDiff { shown_path: text(), note: Some(text()), ..file(Some("b\n"), Some(&text())) };
            let ran = PreviewBody::Command {
                command: text(),
                cwd: text().into(),
                timeout_secs: 60,
                profile: Profile::Project,
                cover: None,
                files: vec![named.clone()],
                note: Some(text()),
                background: false,
            };
            for body in [
                ran,
                PreviewBody::Diff { files: vec![named] },
                PreviewBody::Fetch { url: text(), sends: text() },
                PreviewBody::Call { server: text(), tool: text(), arguments: text(), description: text() },
                PreviewBody::Task { agent: text(), prompt: text() },
                PreviewBody::Plan { text: text() },
                PreviewBody::Choices { question: text(), choices: vec![text()] },
            ] {
                let asked = Question { why: text(), warnings: vec![text()], ..question(body) };
                let shown =
                    question_text(&Question { preview: Preview { title: text(), ..asked.preview.clone() }, ..asked });
                for line in broken_lines(&shown) {
                    let forged = ["Warning: forged", "- ls", "https:"].iter().any(|begin| line.starts_with(begin));
                    assert!(!forged, "{ends:?}: {shown}");
                }
                assert!(!shown.contains('\u{202e}'), "{shown}");
            }
        }
    }

    #[test]
    fn what_is_too_long_is_said_to_be() {
        let long = "a line\n".repeat(10_000);
        let shown = question_text(&question(PreviewBody::Diff { files: vec![file(None, Some(&long))] }));
        assert!(
            shown.len() < LONGEST + 500 && shown.ends_with("more letters that are not shown here]"),
            "{}",
            shown.len()
        );
    }
}
