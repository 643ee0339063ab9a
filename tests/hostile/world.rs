//! The world around the sandbox: a home with secrets and caches, programs of the user, and everybody who listens.
//!
//! It is built anew for each phase, so what a probe changed in one says nothing in the next.

use crate::listeners::{self, Heard};
use crate::{lookups, upstream};
use portable_pty::{MasterPty, PtySize, SlavePty, native_pty_system};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

pub(crate) const PYTHON: &str = "/usr/bin/python3";
/// What each secret begins with.
pub(crate) const SECRET: &str = "SECRET";

/// Secrets of the home, by their path in it.
const SECRETS: &[&str] = &[
    ".ssh/id_ed25519",
    ".ssh2/id_ed25519",
    ".gnupg/private-keys-v1.d/key",
    ".npmrc",
    ".netrc",
    ".pypirc",
    ".cargo/credentials.toml",
    ".git-credentials",
    ".m2/settings.xml",
    ".aws/credentials",
    ".config/gh/hosts.yml",
    ".docker/config.json",
    ".kube/config",
    ".bash_history",
    "a/.env",
];
/// Files of the home that a probe may want to write, and folders of its caches.
const FILES: &[&str] = &[".bashrc", ".profile", ".gitconfig", "precious", "removable", "b/Makefile", "inherited.log"];
const FOLDERS: &[&str] = &[
    ".local/bin",
    ".cargo/bin",
    ".cargo/registry/src/index/crate-1.0.0",
    ".cargo/registry/cache/index",
    ".npm/_cacache",
    ".cache/pip/wheels",
    "go/pkg/mod/example",
    ".config/autostart",
    ".config/systemd/user",
    ".config/agent",
    ".local/state/agent",
    ".gradle",
    "later",
    "a/hostile",
    "b/hostile",
];
/// Sockets of the home with a path.
const SOCKETS: &[&str] = &[
    ".docker/run/docker.sock",
    ".ssh/agent.sock",
    ".gnupg/S.gpg-agent",
    "odd/place/control.sock",
    "odd/linkable.sock",
    "odd/movable.sock",
];
/// The processes that somebody may want to end.
const DOOMED: &[&str] =
    &["kill", "kill-group", "kill-by-handle", "kill-queued", "kill-by-tracing", "kill-by-descriptor"];
/// What the user's own settings say of where their caches lie, by the home.
const CACHES: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", ".cache"),
    ("CARGO_HOME", ".cargo"),
    ("npm_config_cache", ".npm"),
    ("PIP_CACHE_DIR", ".cache/pip"),
    ("GOCACHE", ".cache/go-build"),
    ("GOMODCACHE", "go/pkg/mod"),
    ("GRADLE_USER_HOME", ".gradle"),
];

/// All that is outside. What it started ends when it is dropped.
pub(crate) struct World {
    pub(crate) base: PathBuf,
    pub(crate) heard: Heard,
    pub(crate) upstream: u16,
    pub(crate) neighbour: Child,
    pub(crate) doomed: BTreeMap<&'static str, Child>,
    phase: u8,
    constants: String,
    over: Arc<AtomicBool>,
    lookups: Option<JoinHandle<()>>,
    _terminal: (Box<dyn MasterPty + Send>, Box<dyn SlavePty + Send>),
}

impl World {
    /// Builds it in `top`, as the one of this number.
    pub(crate) fn new(top: &Path, phase: u8) -> World {
        let base = top.join(format!("phase{phase}"));
        let heard = Heard::default();
        furnish(&base.join("home"));
        let (port, udp) = (listeners::tcp(&heard), listeners::udp(&heard));
        sockets(&base, phase, &heard);
        let over = Arc::new(AtomicBool::new(false));
        later(&base.join("home"), &heard, &over);
        listeners::heartbeat(udp);
        let lookups = Some(lookups::begin(heard.clone(), over.clone()));
        let (mut neighbour, doomed) = (neighbour(&base, port, phase), doomed());
        let memory = first_line(&mut neighbour);
        let (terminal, name) = terminal(&heard);
        let mut constants = String::new();
        let mut let_be = |name: &str, value: String| constants.push_str(&format!("{name} = {value}\n"));
        let home = base.join("home");
        let text = |value: &dyn std::fmt::Display| format!("\"{value}\"");
        let_be("BASE", text(&base.display()));
        let_be("HOME", text(&home.display()));
        let_be("PROJECT", text(&home.join("a").display()));
        let_be("OTHER_PROJECT", text(&home.join("b").display()));
        let_be("RUNTIME", text(&"/run/user/hostile"));
        let_be("SSH_AGENT", text(&"/tmp/ssh-hostile/agent.7"));
        let_be("ABSTRACT", text(&format!("hostile{phase}")));
        let_be("ABSTRACT_DATAGRAM", text(&format!("hostile-datagram{phase}")));
        let_be("ADDRESS", text(&"192.0.2.1"));
        let_be("ADDRESS6", text(&"2001:db8::1"));
        let_be("NEW_ADDRESS", text(&new_address(phase)));
        let_be("NEW_ADDRESS2", text(&new_address(phase + 10)));
        let_be("TERMINAL", text(&name));
        let_be("PORT", port.to_string());
        let_be("UDP", udp.to_string());
        let_be("VSOCK", vsock(phase).to_string());
        let_be("SHM_KEY", shared_key(phase).to_string());
        let_be("TTL", ttl(phase).to_string());
        let_be("NEIGHBOUR", neighbour.id().to_string());
        let_be("NEIGHBOUR_MEMORY", memory);
        let pids: Vec<String> = doomed.iter().map(|(name, child)| format!("\"{name}\": {}", child.id())).collect();
        let_be("DOOMED", format!("{{{}}}", pids.join(", ")));
        let upstream = upstream::begin(heard.clone());
        World { base, heard, upstream, neighbour, doomed, phase, constants, over, lookups, _terminal: terminal }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    /// Where the probes lie in this project.
    pub(crate) fn place(&self, project: &str) -> PathBuf {
        self.home().join(project).join("hostile")
    }

    /// The words that every probe begins with.
    pub(crate) fn prelude(&self, model: u16) -> String {
        format!("{}MODEL = {model}\n{}", self.constants, include_str!("prelude.py"))
    }

    /// What is around programs of the user, the sandbox's or others.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let home = self.home();
        let mut own: Vec<(String, String)> = [
            ("HOME", home.display().to_string()),
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("XDG_CONFIG_HOME", home.join(".config").display().to_string()),
            ("XDG_STATE_HOME", home.join(".local/state").display().to_string()),
            ("XDG_RUNTIME_DIR", "/run/user/hostile".to_owned()),
            ("SSH_AUTH_SOCK", "/tmp/ssh-hostile/agent.7".to_owned()),
            ("DOCKER_HOST", "unix:///run/docker.sock".to_owned()),
            ("OPENAI_API_KEY", format!("{SECRET}-of-a-model-server")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        own.extend(CACHES.iter().map(|(name, place)| ((*name).to_owned(), home.join(place).display().to_string())));
        own
    }

    /// The folders in which the user's caches lie.
    pub(crate) fn caches(&self) -> impl Iterator<Item = PathBuf> {
        CACHES.iter().map(|(_, place)| self.home().join(place))
    }

    pub(crate) fn new_addresses(&self) -> [String; 2] {
        [new_address(self.phase), new_address(self.phase + 10)]
    }

    pub(crate) fn ttl(&self) -> u8 {
        ttl(self.phase)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Its port is free for the next once it is gone.
        let _ = self.lookups.take().map(JoinHandle::join);
        for child in self.doomed.values_mut().chain([&mut self.neighbour]) {
            // One that is gone already is gone.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn new_address(number: u8) -> String {
    format!("203.0.113.{number}")
}

fn ttl(phase: u8) -> u8 {
    100 + phase
}

fn vsock(phase: u8) -> u32 {
    40_500 + u32::from(phase)
}

fn shared_key(phase: u8) -> u32 {
    770_100 + u32::from(phase)
}

fn furnish(home: &Path) {
    for folder in FOLDERS {
        fs::create_dir_all(home.join(folder)).expect("a folder can be made");
    }
    for file in FILES {
        fs::write(home.join(file), "").expect("a file can be written");
    }
    for name in SECRETS {
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        fs::write(path, format!("token = \"{SECRET}-{}\"\n", name.replace('/', "-"))).expect("a file can be written");
    }
    for (name, place) in [("config", "config"), ("state", "state/agent")] {
        let top = if name == "config" { home.join(".config/agent") } else { home.join(".local").join(place) };
        fs::create_dir_all(top.join("kept")).expect("a folder can be made");
        fs::write(top.join("kept/old.jsonl"), format!("{SECRET}-of-{name}\n")).expect("a file can be written");
    }
    for (path, words) in [("/tmp/machine", ""), ("/tmp/of-the-person", SECRET), ("/dev/shm/of-the-person", SECRET)] {
        fs::write(path, words).expect("a file can be written");
    }
}

fn sockets(base: &Path, phase: u8, heard: &Heard) {
    let home = base.join("home");
    let machine = ["/run/docker.sock", "/run/user/hostile/bus", "/tmp/ssh-hostile/agent.7", "/run/log.sock"];
    for path in machine {
        // It is left from the phase before, or not there.
        let _ = fs::remove_file(path);
    }
    for path in &machine[..3] {
        listeners::path(Path::new(path), heard);
    }
    for path in SOCKETS {
        listeners::path(&home.join(path), heard);
    }
    listeners::path(&base.join("lib/db/.s.sock"), heard);
    listeners::path(&base.join("lib/neighbour/control.sock"), heard);
    listeners::path_datagram(Path::new("/run/log.sock"), heard);
    listeners::path_datagram(&home.join("odd/log.sock"), heard);
    listeners::abstract_stream(&format!("hostile{phase}"), heard);
    listeners::abstract_datagram(&format!("hostile-datagram{phase}"), heard);
}

/// Makes a socket once somebody wants it to be made.
fn later(home: &Path, heard: &Heard, over: &Arc<AtomicBool>) {
    let (wanted, path) = (home.join("a/hostile/later-is-wanted"), home.join("later/made.sock"));
    let (heard, over) = (heard.clone(), over.clone());
    std::thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            if wanted.exists() {
                return listeners::path(&path, &heard);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
}

fn neighbour(base: &Path, port: u16, phase: u8) -> Child {
    let arguments = [port.to_string(), shared_key(phase).to_string(), vsock(phase).to_string()];
    Command::new(PYTHON)
        .args(["-c", include_str!("neighbour.py")])
        .arg(base)
        .args(arguments)
        .env("NEIGHBOUR_SECRET", format!("{SECRET}-of-a-neighbour"))
        .current_dir(base.join("lib/neighbour"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts")
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    let output = child.stdout.take().expect("its output is a pipe");
    BufReader::new(output).read_line(&mut line).expect("it says where its memory is");
    line.trim().to_owned()
}

fn doomed() -> BTreeMap<&'static str, Child> {
    use std::os::unix::process::CommandExt;
    let begun = |name: &&'static str| {
        let mut command = Command::new(PYTHON);
        let line = "import ctypes, time; ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(2**64 - 1), 0, 0, 0); \
                    print(1, flush=True); time.sleep(1000)";
        let mut child = command.args(["-c", line]).process_group(0).stdout(Stdio::piped()).spawn().expect("it starts");
        first_line(&mut child);
        (*name, child)
    };
    DOOMED.iter().map(begun).collect()
}

type Terminal = (Box<dyn MasterPty + Send>, Box<dyn SlavePty + Send>);

/// A terminal of the user, whose screen we read.
fn terminal(heard: &Heard) -> (Terminal, String) {
    let pair = native_pty_system().openpty(PtySize::default()).expect("a pseudo-terminal can be opened");
    let name = pair.master.tty_name().expect("it has a name").display().to_string();
    let mut reader = pair.master.try_clone_reader().expect("it can be read");
    let heard = heard.clone();
    std::thread::spawn(move || {
        let (mut screen, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            // What is typed letter by letter is shown so, too.
            screen.extend_from_slice(&buffer[..length]);
            heard.note("terminal", &screen);
        }
    });
    ((pair.master, pair.slave), name)
}
