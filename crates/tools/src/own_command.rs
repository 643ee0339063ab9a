//! Runs a command of the user's own: in their shell, with their environment, outside the sandbox. What it puts out is shown,
//! kept and told without secrets, like that of every other command.

use crate::program::{REST, detail, seconds, shown};
use crate::redact::{Live, Secrets};
use crate::{cap, words};
use agent_policy::OwnPermit;
use agent_protocol::{Chunk, Failure, FailureKind, Outcome, Status, Stream};
use agent_sandbox::{Ended, Ending, More, Remains, Shell, Surroundings};
use tokio::sync::mpsc::UnboundedSender;

/// Where nothing is known of the user's own shell.
const SHELL: &str = "/bin/sh";

/// Variables that stay as they are for every command: nobody is there to turn a page or answer a prompt.
const OURS: [&str; 4] = ["TERM", "PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT"];

/// Runs it to its end; dropping the future ends it with all it started.
pub(crate) async fn run(
    (around, secrets): (&Surroundings, &Secrets),
    permit: OwnPermit,
    room: usize,
    live: UnboundedSender<Chunk>,
) -> Outcome {
    let (command, room) = (permit.command().to_owned(), cap::for_output(room));
    let shell = Shell {
        line: String::new(),
        argv: vec![persons_shell(), "-c".into(), command.clone()],
        cwd: permit.folder().to_owned(),
        held: None,
        input: None,
    };
    let more = More { variables: persons_variables(), ..More::default() };
    let mut clean = Live::new(secrets.clone());
    // Nobody may be watching.
    let show = |text: String| drop((!text.is_empty()).then(|| live.send(Chunk { stream: Stream::Stdout, text })));
    let ended = agent_sandbox::run_with(&shell, permit.sandbox(), around, more, |text| show(clean.take(&text))).await;
    show(clean.end());
    let outcome = match ended {
        Ok(ended) => outcome(&command, &ended, room),
        Err(error) => Failure::new(FailureKind::Io, error.to_string()).into(),
    };
    cap::outcome(secrets.outcome(outcome), room, REST)
}

fn outcome(command: &str, ended: &Ended, room: usize) -> Outcome {
    let (status, how) = match ended.ending {
        Ending::Exited(0) => (Status::Done, "exit code 0".to_owned()),
        Ending::Exited(code) => (Status::Exited { code: Some(code) }, format!("exit code {code}")),
        Ending::Signalled(signal) => (Status::Exited { code: None }, format!("ended by signal {signal}")),
        Ending::TimedOut => (Status::Exited { code: None }, "its time was up".to_owned()),
    };
    let mut summary = format!("{how} · {}", seconds(ended.took));
    summary.push_str(match ended.remains {
        Remains::Nothing => "",
        Remains::Ended => " · what it left in the background was ended",
        Remains::Escaped => " · a process it detached is still running",
    });
    let heading = format!("$ {command}\n{how}\n");
    let output = cap::kept(&shown(&ended.output), room.saturating_sub(heading.len()), REST);
    Outcome { status, ..words::done(heading + &output, summary, detail(&ended.output)) }
}

fn persons_shell() -> String {
    std::env::var("SHELL").ok().filter(|shell| shell.starts_with('/')).unwrap_or_else(|| SHELL.into())
}

/// The user's environment, with their own folder for what is temporary. A variable that is no text cannot be passed on.
pub(crate) fn persons_variables() -> Vec<(String, String)> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let own = std::env::vars_os().filter_map(text).filter(|(name, _)| !OURS.contains(&name.as_str()));
    let temporary = std::env::temp_dir().into_os_string().into_string().ok();
    let temporary = temporary.map(|folder| ("TMPDIR".to_owned(), folder));
    temporary.into_iter().chain(own).collect()
}
