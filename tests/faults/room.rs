//! What a row is played in: a home, a project, a server that breaks things, and the program, run as nobody special.

use crate::case::Case;
use crate::player::Player;
use crate::seat::Seat;
use crate::user;
use portable_pty::CommandBuilder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// What was measured in a row, by name.
pub(crate) type Figures = BTreeMap<&'static str, f64>;

/// A home, a project and a server.
pub(crate) struct Room {
    pub(crate) case: Case,
    pub(crate) player: Player,
    pub(crate) figures: Arc<Mutex<Figures>>,
    /// The folders of all rooms of this row: what they hold is looked at when it is over.
    pub(crate) folders: Folders,
    folder: Arc<TempDir>,
    environment: BTreeMap<String, String>,
}

/// Folders that stay until they have been looked at.
pub(crate) type Folders = Arc<Mutex<Vec<Arc<TempDir>>>>;

impl Room {
    /// With a server that plays the row.
    pub(crate) fn new(case: &Case) -> Room {
        Room::with(case, &case.inject)
    }

    /// Another room for the same row, with a server that plays `script`.
    pub(crate) fn playing(&self, script: &serde_json::Value) -> Room {
        let room = Room::with(&self.case, script);
        self.folders.lock().expect("no row panicked here").push(room.folder.clone());
        Room { figures: self.figures.clone(), folders: self.folders.clone(), ..room }
    }

    fn with(case: &Case, script: &serde_json::Value) -> Room {
        let folder = tempfile::Builder::new().prefix("faults-").tempdir().expect("a temporary folder can be made");
        user::give(folder.path());
        let player = Player::start(script);
        let folder = Arc::new(folder);
        let mut room = Room {
            case: case.clone(),
            player,
            figures: Arc::default(),
            folders: Arc::new(Mutex::new(vec![folder.clone()])),
            folder,
            environment: BTreeMap::new(),
        };
        for name in ["home", "home/config", "home/config/agent", "home/state", "home/state/agent", "project", "tmp"] {
            room.make(name, 0o700);
        }
        // Facts differ from machine to machine and from day to day.
        std::fs::write(room.config().join("config.toml"), "[harness]\nfacts = false\n").expect("a file can be written");
        room.environment = room.surroundings();
        room
    }

    /// The folder that holds everything of this row.
    pub(crate) fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.top().join("project")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.top().join("home/config/agent")
    }

    pub(crate) fn state(&self) -> PathBuf {
        state_in(&self.top())
    }

    /// Puts a file of the project there.
    pub(crate) fn write(&self, name: &str, text: &str) {
        put(&self.project().join(name), text);
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project().join(name)).expect("the file is there")
    }

    /// Does the project hold nothing but what these rows put there themselves?
    pub(crate) fn project_holds(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.project()).expect("the project can be read").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// A variable of the program's environment.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.insert(name.to_owned(), value.to_owned());
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.environment.remove(name);
    }

    pub(crate) fn note(&self, name: &'static str, figure: f64) {
        self.figures.lock().expect("no row panicked here").insert(name, figure);
    }

    /// The screen, taking keys.
    pub(crate) fn open(&self) -> Seat<'_> {
        self.open_with(&[])
    }

    /// The same, told these things.
    pub(crate) fn open_with(&self, args: &[&str]) -> Seat<'_> {
        Seat::take(self, self.command(&[], args))
    }

    /// The same, with a command before the program that ends in running it.
    pub(crate) fn open_through(&self, before: &[&str]) -> Seat<'_> {
        Seat::take(self, self.command(before, &[]))
    }

    /// The same inside a terminal that `script` makes and holds; `Terminal` then shows what it passes on.
    pub(crate) fn open_in_script(&self) -> Seat<'_> {
        let program = user::program().display().to_string().replace('\'', "'\\''");
        let line = format!("exec '{program}' --model m");
        let script = ["script", "--quiet", "--flush", "--return", "--command", &line, "/dev/null"];
        let words = user::prefix().into_iter().chain(script.map(str::to_owned)).collect();
        let mut command = self.builder(words);
        // Without it `script` takes that of the user, who may be one who has none.
        command.env("SHELL", "/bin/sh");
        Seat::take(self, command)
    }

    fn command(&self, before: &[&str], args: &[&str]) -> CommandBuilder {
        let mut words = self.words(before);
        words.extend(["--model", "m"].iter().chain(args).map(|word| (*word).to_owned()));
        self.builder(words)
    }

    fn builder(&self, words: Vec<String>) -> CommandBuilder {
        let mut command = CommandBuilder::new(&words[0]);
        command.args(&words[1..]);
        command.env_clear();
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command.cwd(self.project());
        command
    }

    /// The same without a terminal.
    pub(crate) fn plain(&self, args: &[&str]) -> Command {
        let words = self.words(&[]);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(args).env_clear().envs(&self.environment).current_dir(self.project());
        command.stdin(Stdio::null());
        command
    }

    fn words(&self, before: &[&str]) -> Vec<String> {
        let before = before.iter().map(|word| (*word).to_owned());
        before.chain(user::prefix()).chain([user::program().display().to_string()]).collect()
    }

    fn make(&self, name: &str, mode: u32) {
        let path = self.folder.path().join(name);
        std::fs::create_dir(&path).expect("a folder can be made");
        set_mode(&path, mode);
        user::give(&path);
    }

    fn surroundings(&self) -> BTreeMap<String, String> {
        let place = |name: &str| self.top().join(name).display().to_string();
        let all = [
            ("HOME", place("home")),
            ("XDG_CONFIG_HOME", place("home/config")),
            ("XDG_STATE_HOME", place("home/state")),
            // What a killed program leaves there goes with the room.
            ("TMPDIR", place("tmp")),
            ("AGENT_HOST", self.player.url()),
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
        ];
        all.map(|(name, value)| (name.to_owned(), value)).into()
    }
}

/// The program's own state, in the folder of a room.
pub(crate) fn state_in(folder: &Path) -> PathBuf {
    folder.join("home/state/agent")
}

/// Writes a file that belongs to whom the program runs as.
pub(crate) fn put(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::write(path, text).expect("a file can be written");
    user::give(path);
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, mode).expect("its rights can be set");
}
