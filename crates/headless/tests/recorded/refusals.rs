//! Each refusal of a host or of a folder names the flag that would have let it happen, in its first line.

use super::*;
use agent_protocol::{Cause, Change, Changes, Host, Mode, Reacher, SandboxKind};

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
    let Some(Event::Session(SessionEvent::Opened { project, host, tools, sandbox, exposed, .. })) = recorded().next()
    else {
        panic!("it opens")
    };
    let opened = Event::Session(SessionEvent::Opened { project, host, mode: Mode::Plan, tools, sandbox, exposed });
    let Event::Call(CallEvent::Asked { mut question }) = about(run(Profile::Project), "Do it", &[]) else {
        panic!("it asks")
    };
    question.cause = Cause::Always;
    let said =
        print(Format::Text, [opened, Event::Call(CallEvent::Asked { question }), ended()].into_iter()).await.progress;
    assert!(said.contains("; without plan mode `--no-sandbox-no-questions`"), "the two do not go together: {said}");
}

/// The first event of the recorded session, with commands held in by this.
fn opened(kind: SandboxKind) -> Event {
    let Some(Event::Session(SessionEvent::Opened { host, mode, tools, .. })) = recorded().next() else {
        panic!("it opens")
    };
    let sandbox = SandboxSupport { kind, words: String::new(), details: Vec::new(), apart: false };
    Event::Session(SessionEvent::Opened { project: "/p".into(), host, mode, tools, sandbox, exposed: false })
}

#[tokio::test]
async fn a_flag_is_named_where_it_would_have_helped() {
    let fetch = || Subject::Action { action: Action::Fetch { url: "https://a.example/".into(), sends: String::new() } };
    let call = || {
        let action = Action::Call { server: "s".into(), tool: "t".into(), arguments: "{}".into() };
        Subject::Action { action }
    };
    let look = || Subject::Action { action: Action::Read { paths: vec!["/p/.env".into()] } };
    let (kernel, off, none) = (SandboxKind::Kernel, SandboxKind::Off, SandboxKind::None);
    for (kind, subject, told) in [
        (kernel, run(Profile::Project), "`--allow run`"),
        (off, run(Profile::Project), "`--allow run`"),
        (none, run(Profile::Project), "`--allow run` lets them happen only with mode = \"off\" under [sandbox]"),
        (kernel, write(), "`--allow write`"),
        (kernel, fetch(), "`--allow net`"),
        (kernel, call(), "`--allow mcp`"),
        (kernel, look(), "`--unsafe`"),
    ] {
        let said = async |cause| {
            let Event::Call(CallEvent::Asked { mut question }) = about(subject.clone(), "Do it", &[]) else {
                panic!("it asks")
            };
            question.cause = cause;
            print(Format::Text, [opened(kind), Event::Call(CallEvent::Asked { question }), ended()].into_iter())
                .await
                .progress
        };
        let missing = said(Cause::NotAllowed).await;
        assert!(missing.contains(told), "{kind:?}: {told}: {missing}");
        // Everything else is a matter of the last resort, and what is not is one of none.
        let resort = "`--no-sandbox-no-questions` (on a disposable machine only)";
        for (cause, told, named) in [
            (Cause::Never, "no flag allows it: it asks", ""),
            (Cause::Always, "lets it happen: it asks", resort),
            (Cause::Suspended, "look at them, then start agent again", ""),
            (Cause::NoSandbox, "mode = \"off\" under [sandbox] in your config lets them happen", resort),
        ] {
            let other = said(cause).await;
            let first = other.lines().find(|line| line.starts_with("refused: ")).unwrap_or_default();
            assert!(first.contains(told) && first.contains(named), "{cause:?}: {other}");
            assert_eq!(first.contains("--"), !named.is_empty(), "{cause:?}: {other}");
        }
    }
}
