//! Plays probes: first as programs of the user, then as commands of a model in the sandbox of the built binary.

use crate::judging::{self, Scene};
use crate::probe::{Probe, Session, Sign};
use crate::world::World;
use agent_mock_server::{Script, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// So many commands has a session, so that none of it is made shorter to fit.
const COMMANDS: usize = 30;
/// How long a sign may take that has to come.
const PATIENCE: Duration = Duration::from_secs(4);
/// What was sent before the last program ended is read by then.
const SETTLED: Duration = Duration::from_millis(500);

/// Runs one probe, and lets it take no longer than so many seconds; 0: as long as it likes.
const RUN: &str = r#"cd "$(dirname "$0")" || exit
: > "$1.began"
exec timeout -k 1 "$3" /usr/bin/python3 -BES "./$1.py" "$2" > "$1.said" 2>&1
"#;
/// Says what runs, seen from inside.
const ALIVE: &str = "import os
for pid in os.listdir('/proc') * 5:
    try:
        print(open(f'/proc/{pid}/cmdline').read())
    except OSError:
        pass
";

/// What came of one probe.
#[derive(Debug, Default, Clone)]
pub(crate) struct Played {
    /// It was begun.
    pub(crate) ran: bool,
    /// It did what it wanted to do.
    pub(crate) succeeded: bool,
    /// The last line that it said.
    pub(crate) said: String,
}

/// As the user would run them, one after the other.
pub(crate) fn without(top: &Path, probes: &[Probe]) -> Vec<Played> {
    let world = World::new(top, 1);
    let server = server(&[]);
    for project in ["a", "b"] {
        lay_out(&world, project, probes, &server);
    }
    for probe in probes {
        let mut command = plain(&world, "a", probe);
        match probe.background {
            false => drop(command.status().expect("sh starts")),
            true => drop(command.spawn().expect("sh starts")),
        }
        let begun = world.place("a").join(format!("{}.began", probe.name));
        let until = Instant::now() + PATIENCE;
        while !begun.exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    for probe in probes.iter().filter(|probe| probe.then.is_some()) {
        plain(&world, "b", probe).status().expect("sh starts");
    }
    let servers = [server];
    let judged = probes.iter().map(|probe| {
        let token = token(probe, "bare");
        let scene = Scene::new(&world, probe, &token, &servers);
        let until = Instant::now() + PATIENCE;
        while !scene.succeeded() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        scene.played()
    });
    let played = judged.collect();
    end(&world);
    played
}

/// As a model would run them.
pub(crate) fn within(top: &Path, probes: &[Probe]) -> Vec<Played> {
    let world = World::new(top, 2);
    let mut servers = Vec::new();
    let mut escaped = Vec::new();
    // So that the other project has what the sandbox makes for it before anybody wants to plant something there.
    let first = server(&[json!({"command": "true"})]);
    agent(&world, "b", Session::Granted, &first);
    for session in [Session::Granted, Session::Any, Session::Direct] {
        let of_it: Vec<Probe> = probes.iter().filter(|probe| probe.session == session).cloned().collect();
        for some in of_it.chunks(COMMANDS) {
            let mut calls: Vec<Value> = some.iter().map(call).collect();
            calls.push(json!({"command": "sh hostile/run alive x 8"}));
            let server = server(&calls);
            lay_out(&world, "a", some, &server);
            agent(&world, "a", session, &server);
            let inside = fs::read_to_string(world.place("a").join("alive.said")).unwrap_or_default();
            let stays = |probe: &&Probe| {
                let token = token(probe, "held");
                !probe.background && probe.sign == Sign::Lives && inside.contains(&token)
                    || judging::lives(&token) && probe.sign == Sign::Lives
            };
            escaped.extend(some.iter().filter(stays).map(|probe| probe.name.clone()));
            servers.push(server);
        }
    }
    let later: Vec<Probe> = probes.iter().filter(|probe| probe.then.is_some()).cloned().collect();
    let calls: Vec<Value> = later.iter().map(|probe| json!({"command": line(probe)})).collect();
    let server = server(&calls);
    lay_out(&world, "b", &later, &server);
    agent(&world, "b", Session::Granted, &server);
    servers.push(server);
    std::thread::sleep(SETTLED);
    let judged = probes.iter().map(|probe| {
        let token = token(probe, "held");
        let mut played = Scene::new(&world, probe, &token, &servers).played();
        played.succeeded |= escaped.contains(&probe.name);
        played
    });
    let played = judged.collect();
    end(&world);
    played
}

/// The word of a probe in a phase.
fn token(probe: &Probe, phase: &str) -> String {
    format!("word-{}-{phase}-end", probe.name)
}

/// The line by which a model runs it. Nothing of what it does stands in the line: the sandbox has to hold it, not the judge.
fn line(probe: &Probe) -> String {
    format!("sh hostile/run {} {} {}", probe.name, token(probe, "held"), seconds(probe))
}

fn seconds(probe: &Probe) -> &'static str {
    if probe.background { "0" } else { "8" }
}

fn call(probe: &Probe) -> Value {
    json!({"command": line(probe), "timeout": 20, "background": probe.background})
}

/// A server whose model makes these calls, one after the other.
fn server(calls: &[Value]) -> Server {
    let said = calls.iter().map(|call| json!([{"call": {"name": "run_command", "arguments": call}}]));
    let replies: Vec<Value> =
        said.chain([json!([{"text": "Done."}])]).map(|say| json!({"times": 1, "say": say})).collect();
    let script = json!({"models": [{"name": "m", "context_length": 65536}], "replies": replies});
    Server::start(Script::from_value(script).expect("the script is valid")).expect("a loopback port is free")
}

/// Writes what is run in this project.
fn lay_out(world: &World, project: &str, probes: &[Probe], server: &Server) {
    let place = world.place(project);
    let write = |name: &str, text: &str| fs::write(place.join(name), text).expect("a file can be written");
    write("run", RUN);
    write("outer.py", &world.prelude(server.addr().port()));
    write("alive.py", ALIVE);
    for probe in probes {
        let body = if project == "a" { Some(&probe.body) } else { probe.then.as_ref() };
        if let Some(body) = body {
            write(&format!("{}.py", probe.name), &format!("from outer import *\n{body}"));
        }
    }
}

/// What is started finds a file and a folder open that are none of its business.
fn shell(world: &World, project: &str, program: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec 9>>\"$HOME/inherited.log\" 8</; exec \"$@\"", "sh"]).args(program);
    command.env_clear().envs(world.environment()).current_dir(world.home().join(project)).stdin(Stdio::null());
    command
}

fn plain(world: &World, project: &str, probe: &Probe) -> Command {
    let mut command = shell(world, project, &["sh", "hostile/run", &probe.name, &token(probe, "bare"), seconds(probe)]);
    let proxy = format!("http://127.0.0.1:{}", world.upstream);
    for name in ["http_proxy", "https_proxy"] {
        command.env(name, &proxy);
    }
    command.env("KEEPER_IS_THE_TEST", "1");
    command
}

/// Plays a session to its end.
fn agent(world: &World, project: &str, session: Session, server: &Server) {
    let mut flags = vec![env!("CARGO_BIN_EXE_agent"), "--model", "m", "--unsafe"];
    let mut config = String::new();
    flags.extend(["--allow", if session == Session::Granted { "hosts=granted.example" } else { "hosts=any" }]);
    if session != Session::Direct {
        config = format!("[sandbox]\nupstream_proxy = \"http://127.0.0.1:{}\"\n", world.upstream);
    }
    fs::write(world.home().join(".config/agent/config.toml"), config).expect("a file can be written");
    flags.extend(["-p", "go"]);
    let mut command = shell(world, project, &flags);
    let Output { status, stdout, stderr } =
        command.env("AGENT_HOST", server.url()).output().expect("the program starts");
    let said = String::from_utf8_lossy(&stderr);
    assert!(String::from_utf8_lossy(&stdout).contains("Done."), "the session broke off ({status}):\n{said}");
}

/// Lets everything end that a probe left behind.
fn end(world: &World) {
    for project in ["a", "b"] {
        fs::write(world.place(project).join("over"), "").expect("a file can be written");
    }
    let until = Instant::now() + PATIENCE;
    while judging::lives("-end\0") && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}
