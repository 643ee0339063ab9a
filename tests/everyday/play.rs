//! Plays one row: the scripted model makes the calls, the user says yes, and what the model was told is looked at.

use crate::cases::{Mode, Row};
use crate::stage::{Stage, binary};
use crate::terminal::Terminal;
use agent_mock_server::{Script, Server};
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that a row may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// How often it is looked.
const LOOK: Duration = Duration::from_millis(60);
/// A question hears keys when it has been there for half a second and nothing was typed for a second.
const BEFORE_AN_ANSWER: Duration = Duration::from_millis(1_150);
/// What the model says at the end.
const OVER: &str = "That was the row.";
/// What a question shows beside its keys.
const QUESTIONS: [&str; 4] = ["approve once", "approve this once", "y go on", "y/1 go on"];
/// What is told of a run after one that the sandbox made fail.
const AGAIN: &str = "(run again";
/// What is told of a run that the sandbox made fail.
const IN_VAIN: &str = "the likely reason";

/// What came of a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Played {
    pub(crate) well: bool,
    pub(crate) questions: usize,
    /// Runs that had to fail, for the sandbox was in their way.
    pub(crate) in_vain: usize,
    pub(crate) took: Duration,
    /// The end of what the model was told, where it did not go well.
    pub(crate) told: String,
}

/// Plays `row` in `mode`.
pub(crate) fn row(stage: &Stage, row: &Row, mode: Mode) -> Played {
    let server = server(&row.run);
    let mut words = stage.arguments(row, mode);
    words.extend(["--host".into(), server.url()]);
    let begun = Instant::now();
    let questions = match mode {
        Mode::Safe | Mode::Unsafe => on_the_screen(stage, &words),
        Mode::Alone => alone(&stage.environment(), &stage.project(), &words).then_some(0),
    };
    let told = told(&server);
    let in_vain = told.iter().map(|text| text.matches(AGAIN).count()).sum::<usize>();
    let last = told.last().cloned().unwrap_or_default();
    let well = questions.is_some()
        && told.len() == row.run.len()
        && told.iter().all(|text| !failed(text))
        && last.contains(&row.says);
    let left = usize::from(!well && told.iter().any(|text| text.contains(IN_VAIN)));
    let shown = if well { String::new() } else { told.join("\n---\n") };
    Played { well, questions: questions.unwrap_or(0), in_vain: in_vain + left, took: begun.elapsed(), told: shown }
}

fn call(line: &str) -> Value {
    let (line, background) = line.strip_prefix('&').map_or((line, false), |line| (line, true));
    let mut arguments = json!({"command": line, "timeout": 120});
    if background {
        arguments = json!({"command": line, "background": true});
    }
    json!([{"call": {"name": "run_command", "arguments": arguments}}])
}

/// Does a result tell of a failure of any part?
fn failed(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let code = first.split("exit code ").nth(1).map(|rest| rest.starts_with('0'));
    first.starts_with("refused") || first.starts_with("error") || code == Some(false) || text.contains("stopped after")
}

/// The results of the calls, in order.
fn told(server: &Server) -> Vec<String> {
    let chats = server.chats();
    let Some(messages) = chats.last().and_then(|chat| chat.body["messages"].as_array().cloned()) else {
        return Vec::new();
    };
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
}

/// A server with a model that runs `lines`, one after the other.
fn server(lines: &[String]) -> Server {
    let calls = lines.iter().map(|line| call(line));
    let replies = calls.chain([json!([{"text": OVER}])]).map(|say| json!({"times": 1, "say": say}));
    let script = json!({"models": [{"name": "m", "context_length": 65536}], "replies": replies.collect::<Vec<_>>()});
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

/// Without a person: nobody is asked. `false`: it did not end.
fn alone(environment: &[(String, String)], folder: &Path, words: &[String]) -> bool {
    let mut command = Command::new(binary());
    command.env_clear().envs(environment.iter().cloned()).args(words).current_dir(folder);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            drop(child.kill());
            drop(child.wait());
            return false;
        }
        std::thread::sleep(LOOK);
    }
    true
}

/// With a person who says yes to everything. `None`: it did not end.
fn on_the_screen(stage: &Stage, words: &[String]) -> Option<usize> {
    let mut command = CommandBuilder::new(binary());
    command.env_clear();
    stage.environment().into_iter().for_each(|(name, value)| command.env(name, value));
    command.args(words);
    command.cwd(stage.project());
    let mut screen = Terminal::spawn(command, (120, 44));
    screen.wait_at_most(PATIENCE, |shown| shown.contains("SAFE")).ok()?;
    screen.keys("go<enter>");
    let (until, mut questions) = (Instant::now() + PATIENCE, 0);
    let asks = |shown: &str| QUESTIONS.iter().any(|words| shown.contains(words));
    while Instant::now() < until {
        let Ok(shown) = screen.wait_at_most(Duration::from_secs(5), |shown| asks(shown) || shown.contains(OVER)) else {
            continue;
        };
        // What is asked after that is about the project's own check, and no part of the row.
        if shown.contains(OVER) {
            return Some(questions);
        }
        questions += usize::from(answer(&mut screen, asks));
    }
    None
}

/// Says yes, and waits until the question is gone. `false`: it did not hear that, or there is more to read first.
fn answer(screen: &mut Terminal, asks: impl Fn(&str) -> bool) -> bool {
    std::thread::sleep(BEFORE_AN_ANSWER);
    let before = screen.screen();
    screen.keys("y<enter>");
    // Another question may come at once: what it is about tells it from this one.
    screen.wait_at_most(Duration::from_secs(5), |shown| !asks(shown) || subject(shown) != subject(&before)).is_ok()
}

/// The lines of a question without what runs on while it waits.
fn subject(shown: &str) -> Vec<&str> {
    let begin = shown.lines().position(|line| line.contains('?')).unwrap_or(0);
    shown.lines().skip(begin).take(6).collect()
}
