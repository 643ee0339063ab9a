//! The rows of `hostile.jsonl`: each is tried without a sandbox first, where it has to get out, and then through the binary,
//! where it must not. Whether it got out is told by what it reached, not by what it says of itself.

use crate::play;
use crate::registry::Registry;
use crate::stage::{Stage, knows};
use crate::world::{self, Heard, Outside};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a secret of the person holds.
const SECRET: &str = "secret-of-the-person";
/// The end of a token that is used without a sandbox.
const PLAIN: &str = "plain";
/// A port on which a command listens, so that others may come.
const INVITED: u16 = 7005;
/// After a run, what it left behind has begun by then.
const A_MOMENT: Duration = Duration::from_millis(400);

/// One thing that is tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Probe {
    pub(crate) name: String,
    run: String,
    /// The same without a sandbox, where that is another line.
    #[serde(default)]
    plain: Option<String>,
    see: See,
    /// Programs that it needs; where one is missing it does not get out, and is not counted.
    #[serde(default)]
    #[expect(dead_code, reason = "it is for whoever reads the row")]
    needs: Vec<String>,
    /// Hosts that were granted.
    #[serde(default)]
    hosts: Vec<String>,
    /// Without a sandbox it goes by the company's proxy.
    #[serde(default)]
    proxied: bool,
    /// It is meant to get out, where the binary grants hosts: else the rows about granted hosts show nothing.
    #[serde(default)]
    meant: bool,
    /// What another project runs afterwards.
    #[serde(default)]
    then: Option<String>,
}

/// How it is known that it got out.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum See {
    /// Somebody who listens heard the token.
    Heard,
    /// The model was told both halves of the token as one word.
    Says,
    /// The registries were sent the token and this.
    Posted(String),
    /// This file holds the token.
    File(String),
    /// The process outside has ended, or stands still.
    Ended,
    Stopped,
    /// A process with the token lives on.
    Lives,
    /// Another project finds the token.
    Elsewhere,
    /// Somebody outside could connect.
    Answers,
}

/// What came of a probe through the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tried {
    /// It ran, and reached nothing.
    Held,
    /// It was not run at all, which shows nothing of the sandbox.
    Refused,
    GotOut,
    /// It got out, as it may.
    AsMeant,
    /// It did not get out, and should have.
    Broken,
}

/// What all probes stand on.
pub(crate) struct Ground {
    stage: Stage,
    registry: Registry,
    heard: Heard,
    shared: tempfile::TempDir,
    abstract_name: String,
}

/// One run of a probe.
struct Run<'a> {
    probe: &'a Probe,
    token: String,
    places: BTreeMap<&'static str, String>,
}

impl Ground {
    /// Without what it needs: the name of that.
    pub(crate) fn new() -> Result<Self, String> {
        let registry = Registry::start().ok_or("openssl or python3")?;
        let stage = Stage::set("hostile", Some(&registry))?;
        let heard = world::listen();
        let abstract_name = format!("everyday-{}", std::process::id());
        world::listen_at_sockets(&stage.top(), &abstract_name, &heard);
        let secrets =
            [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".npmrc", ".cargo/credentials.toml", ".git-credentials"];
        for name in secrets.into_iter().chain(["state/agent/kept.txt"]) {
            let path = stage.top().join("home").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, SECRET).unwrap();
        }
        std::fs::create_dir(stage.top().join("other")).unwrap();
        let shared = tempfile::Builder::new().prefix("everyday-shared-").tempdir_in("/tmp").unwrap();
        Ok(Ground { stage, registry, heard, shared, abstract_name })
    }

    /// Does `probe` get out without a sandbox?
    pub(crate) fn gets_out_plainly(&self, probe: &Probe, number: usize) -> bool {
        self.gets_out(probe, format!("k{number}{PLAIN}"), |line, folder| self.plainly(probe, line, folder))
    }

    fn gets_out(&self, probe: &Probe, token: String, run: impl Fn(&str, &Path) -> String) -> bool {
        let plainly = token.ends_with(PLAIN);
        let mut outside = Outside::start();
        let top = self.stage.top();
        let (first, second) = token.split_at(token.len() / 2);
        let places = BTreeMap::from([
            ("{token}", token.clone()),
            ("{t1}", first.to_owned()),
            ("{t2}", second.to_owned()),
            ("{top}", top.display().to_string()),
            ("{shared}", self.shared.path().display().to_string()),
            ("{process}", outside.id().to_string()),
            ("{abstract}", self.abstract_name.clone()),
            ("{proxy}", self.registry.proxy()),
        ]);
        let this = Run { probe, token, places };
        let kept = this.file().map(|path| (path.clone(), std::fs::read(path).ok()));
        let guest = matches!(probe.see, See::Answers).then(Guest::come);
        let line = if plainly { probe.plain.as_ref().unwrap_or(&probe.run) } else { &probe.run };
        let mut said = run(&this.spelled(line), &self.stage.project());
        if let Some(then) = &probe.then {
            said = run(&this.spelled(then), &top.join("other"));
        }
        std::thread::sleep(A_MOMENT);
        let out = self.sees(&this, &said, &mut outside, guest);
        if let Some((path, before)) = kept {
            // What was planted shall not be obeyed by the next one.
            let _ = before.map_or_else(|| std::fs::remove_file(&path), |text| std::fs::write(&path, text));
        }
        out
    }

    /// Does it through the binary?
    ///
    /// The line stands in a script of the project, so that it is run, and not refused for what it names.
    pub(crate) fn gets_out_of_the_sandbox(&self, probe: &Probe, number: usize) -> Tried {
        let ran = Cell::new(true);
        let out = self.gets_out(probe, format!("k{number}boxed"), |line, folder| {
            std::fs::write(folder.join("probe.sh"), line).unwrap();
            let mut words: Vec<String> = ["--model", "m", "--trust", "--unsafe", "-p", "go"].map(String::from).into();
            words.extend(["--allow", "run", "--allow", "write"].map(String::from));
            if !probe.hosts.is_empty() && knows("hosts=") {
                words.extend(["--allow".to_owned(), format!("hosts={}", probe.hosts.join(","))]);
            }
            let told = play::told_alone(&self.environment(), folder, &words, "sh probe.sh");
            ran.set(ran.get() && !told.starts_with("refused"));
            told
        });
        match (out, ran.get()) {
            (true, _) if probe.meant => Tried::AsMeant,
            (false, _) if probe.meant && knows("hosts=") => Tried::Broken,
            (false, _) if probe.meant => Tried::Refused,
            (true, _) => Tried::GotOut,
            (false, true) => Tried::Held,
            (false, false) => Tried::Refused,
        }
    }

    fn plainly(&self, probe: &Probe, line: &str, folder: &Path) -> String {
        let server = play::server(&[]);
        let mut shell = Command::new("/bin/sh");
        std::fs::write(folder.join("model.txt"), server.url()).unwrap();
        shell.env_clear().envs(self.environment()).args(["-c", line]);
        if probe.proxied {
            ["http_proxy", "https_proxy"].iter().for_each(|name| {
                shell.env(name, self.registry.proxy());
            });
        }
        let out = self.stage.top().join("said.txt");
        let file = std::fs::File::create(&out).unwrap();
        shell.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file).current_dir(folder);
        let _ = shell.status();
        std::fs::read_to_string(out).unwrap_or_default()
    }

    fn environment(&self) -> Vec<(String, String)> {
        let keys = ["OPENAI_API_KEY", "OLLAMA_API_KEY"].map(|name| (name.to_owned(), SECRET.to_owned()));
        self.stage.environment().into_iter().chain(keys).collect()
    }

    fn sees(&self, run: &Run<'_>, said: &str, outside: &mut Outside, guest: Option<Guest>) -> bool {
        let token = run.token.as_str();
        match &run.probe.see {
            See::Heard => self.heard.holds(token),
            See::Says | See::Elsewhere => said.contains(token),
            See::Posted(what) => {
                let log = std::fs::read_to_string(self.registry.log()).unwrap_or_default();
                log.lines().any(|line| line.contains(token) && line.contains(what))
            }
            See::File(_) => run.file().is_some_and(|path| holds(&path, token)),
            See::Ended => outside.has_ended(),
            See::Stopped => outside.is_stopped(),
            See::Lives => {
                let living = world::alive(token);
                for id in living.iter().filter_map(|id| Pid::from_raw(*id)) {
                    // It is what this probe left behind, and only that.
                    let _ = kill_process(id, Signal::KILL);
                }
                !living.is_empty()
            }
            See::Answers => guest.is_some_and(Guest::was_let_in),
        }
    }
}

impl Run<'_> {
    fn spelled(&self, line: &str) -> String {
        self.places.iter().fold(line.to_owned(), |line, (name, value)| line.replace(name, value))
    }

    fn file(&self) -> Option<PathBuf> {
        match &self.probe.see {
            See::File(path) => Some(self.spelled(path).into()),
            See::Heard
            | See::Says
            | See::Posted(_)
            | See::Ended
            | See::Stopped
            | See::Lives
            | See::Elsewhere
            | See::Answers => None,
        }
    }
}

fn holds(path: &Path, token: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(token))
}

/// Somebody outside who tries to connect all the while.
struct Guest {
    goes: Arc<AtomicBool>,
    visit: std::thread::JoinHandle<bool>,
}

impl Guest {
    fn come() -> Self {
        let goes = Arc::new(AtomicBool::new(false));
        let told = goes.clone();
        let visit = std::thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                if TcpStream::connect(("127.0.0.1", INVITED)).is_ok() {
                    return true;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            false
        });
        Guest { goes, visit }
    }

    fn was_let_in(self) -> bool {
        self.goes.store(true, Ordering::Relaxed);
        self.visit.join().unwrap()
    }
}

/// Is it among the rows that the environment names?
pub(crate) fn is_wanted(probe: &Probe) -> bool {
    std::env::var("AGENT_BATTERY_ROWS")
        .map_or(true, |words| words.split(',').any(|word| probe.name.contains(word) || probe.run.contains(word)))
}

pub(crate) fn probes() -> Vec<Probe> {
    let lines = include_str!("hostile.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}
