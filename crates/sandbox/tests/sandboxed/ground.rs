//! What the tests stand on: a project in a temporary folder, sandboxes around it, and a look at who is alive.

use agent_policy::{Facts, PathKind, Policy, SandboxLimits, Setup, Verdict};
use agent_protocol::{Action, Mode, Profile};
use agent_sandbox::{Ended, SandboxError, Shell, Surroundings};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Seconds that no test comes near.
pub(crate) const LONG: u64 = 300;

/// A project, a folder beside it, and what is around commands.
pub(crate) struct Ground {
    place: TempDir,
    pub(crate) around: Surroundings,
    /// Ports that commands with network may connect to.
    pub(crate) ports: Vec<u16>,
    /// Folders outside the project that commands may write in.
    pub(crate) writable: Vec<PathBuf>,
    /// A variable of this name and value is in the environment of every command.
    pub(crate) marker: String,
}

impl Ground {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Ground::marked(format!("{}x{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn marked(marker: String) -> Self {
        Ground::in_place(marker, TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// In `/tmp`, of which commands have one of their own.
    pub(crate) fn in_tmp() -> Self {
        Ground::in_place("in-tmp".into(), TempDir::new_in("/tmp").unwrap())
    }

    /// With `home` as the user's.
    pub(crate) fn with_home(home: &Path) -> Self {
        let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        Ground::of("at-home".into(), place, Some(home.to_owned()))
    }

    /// Where the project is the user's home.
    pub(crate) fn at_home() -> Self {
        let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let home = place.path().canonicalize().unwrap().join("project");
        Ground::of("home".into(), place, Some(home))
    }

    fn in_place(marker: String, place: TempDir) -> Self {
        Ground::of(marker, place, None)
    }

    fn of(marker: String, place: TempDir, home: Option<PathBuf>) -> Self {
        for folder in ["project", "outside", "temporary"] {
            std::fs::create_dir(place.path().join(folder)).unwrap();
        }
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().filter(|(name, _)| name != "TMPDIR").collect();
        env.push(("FENCED_TEST".into(), marker.clone().into()));
        env.push(("TMPDIR".into(), place.path().join("temporary").into()));
        env.extend(home.map(|home| ("HOME".into(), home.into())));
        let project = place.path().join("project");
        let around = Surroundings::new(env, &["FENCED_TEST".into()], &project).unwrap();
        Ground { place, around, ports: Vec::new(), writable: Vec::new(), marker }
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("outside")
    }

    pub(crate) fn sandbox(&self, profile: Profile, secs: u64) -> SandboxLimits {
        let mut setup = Setup::new(self.project(), Mode::Safe);
        setup.ports = self.ports.clone();
        setup.writable = self.writable.clone();
        Ground::sandbox_of(setup, &self.project(), profile, secs)
    }

    /// The sandbox of a command in `project`.
    pub(crate) fn sandbox_of(setup: Setup, project: &Path, profile: Profile, secs: u64) -> SandboxLimits {
        let mut policy = Policy::new(setup);
        let action = Action::Run {
            command: "make".into(),
            argv: Vec::new(),
            cwd: project.into(),
            timeout_secs: secs,
            profile,
            background: false,
            input: None,
        };
        let mut facts = Facts::default();
        facts.set_kind(project.to_owned(), PathKind::Folder);
        match policy.judge(action, &facts) {
            Verdict::Allow(permit) => permit.sandbox().clone(),
            Verdict::Ask(held) => policy.answer(held, None).unwrap().sandbox().clone(),
            Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{why}"),
        }
    }

    pub(crate) fn shell(&self, line: &str) -> Shell {
        Shell { line: line.into(), argv: Vec::new(), cwd: self.project(), input: None, held: None }
    }

    pub(crate) async fn run(&self, profile: Profile, line: &str) -> Ended {
        self.try_run(profile, LONG, line).await.unwrap()
    }

    pub(crate) async fn try_run(&self, profile: Profile, secs: u64, line: &str) -> Result<Ended, SandboxError> {
        agent_sandbox::run(&self.shell(line), &self.sandbox(profile, secs), &self.around, |_| ()).await
    }

    /// Processes that came from here and run still, as `id name`.
    pub(crate) fn survivors(&self) -> Vec<String> {
        survivors(&self.marker)
    }
}

/// Processes that have `marker` in their environment and run still, as `id name`; ones that ended and that nobody
/// waited for have no environment any more.
pub(crate) fn survivors(marker: &str) -> Vec<String> {
    let entry = format!("FENCED_TEST={marker}\0");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let found = processes.filter_map(|process| {
        let environment = std::fs::read(process.path().join("environ")).ok()?;
        let ours = environment.windows(entry.len()).any(|window| window == entry.as_bytes());
        ours.then(|| name(&process.path()))
    });
    found.collect()
}

fn name(process: &Path) -> String {
    let comm = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
    format!("{} {}", process.file_name().unwrap().display(), comm.trim_end())
}
