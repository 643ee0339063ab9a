//! Each refusal of a host or of a folder names the flag that would have let it happen, in its first line.

use agent_protocol::SessionEvent;
use agent_protocol::CallEvent;
use super::*;
use agent_protocol::{Host, Mode, Reacher};

fn run(profile: Profile) -> Subject {
    let action = Action::Run {
        command: "make".into(),
        argv: Vec::new(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile,
        background: false,
        input: None,
    };
    Subject::Action { action }
}

fn write() -> Subject {
    let change = Change { path: "/p/a".into(), before: None, after: None };
    Subject::Action { action: Action::Write { changes: Changes(vec![change]) } }
}

/// A command wants to reach a host, and its package manager some others.
fn wish(name: &str, port: u16, others: &[&str]) -> Subject {
    let host = |name: &str, port| Host { name: name.into(), port };
    let others = others.iter().map(|name| host(name, 443));
    let hosts = std::iter::once(host(name, port)).chain(others).collect();
    let by = Reacher::Call { call: CallId(1) };
    Subject::Reach { by, command: "make".into(), host: host(name, port), hosts }
}

#[tokio::test]
async fn hosts_and_folders_are_named_with_their_flags() {
    for (subject, cause, told) in [
        (run(Profile::Network), Cause::HostNotAllowed, "`--allow run` with `--allow hosts=any` lets them"),
        (run(Profile::Project), Cause::FolderNotAllowed, "`--allow run` with `--allow write=DIR` lets them write"),
        (write(), Cause::FolderNotAllowed, "`--allow write=/p` lets things be written there"),
        (wish("a.example", 443, &["b.example"]), Cause::HostNotAllowed, "`--allow hosts=a.example,b.example` lets it"),
        (wish("a.example", 8443, &[]), Cause::HostNotAllowed, "`--allow hosts=a.example:8443` lets it"),
        (wish("a.example", 443, &[]), Cause::Suspended, "no rule or flag counts any more"),
    ] {
        let Event::Call(CallEvent::Asked { mut question }) = about(subject, "Do it", &[]) else { panic!("it asks") };
        question.cause = cause;
        let events = [Event::Call(CallEvent::Asked { question }), ended()];
        let said = print(Format::Text, events.into_iter()).await.progress;
        let first = said.lines().find(|line| line.starts_with("refused: ")).unwrap_or_default();
        assert!(first.contains(told), "{cause:?}: {said}");
    }
}

#[tokio::test]
async fn a_flag_that_plan_mode_refuses_is_named_with_that() {
    let Some(Event::Session(SessionEvent::Opened { project, host, tools, enclosure, exposed, .. })) = recorded().next() else {
        panic!("it opens")
    };
    let opened = Event::Session(SessionEvent::Opened { project, host, mode: Mode::Plan, tools, enclosure, exposed });
    let Event::Call(CallEvent::Asked { mut question }) = about(run(Profile::Project), "Do it", &[]) else { panic!("it asks") };
    question.cause = Cause::Always;
    let said = print(Format::Text, [opened, Event::Call(CallEvent::Asked { question }), ended()].into_iter()).await.progress;
    assert!(said.contains("; without plan mode `--no-sandbox-no-questions`"), "the two do not go together: {said}");
}
