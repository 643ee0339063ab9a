//! Within which limits an action is carried out. How they are held up is `sandbox`'s work.

use agent_protocol::{Action, Host, HostPattern, Profile, SandboxKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest any command may run, whatever it asked for.
const LONGEST: Duration = Duration::from_secs(600);
/// The longest a command may run that nobody was asked about.
const UNASKED: Duration = Duration::from_secs(10);

/// The longest a command in the background may run: it ends with its session, and no session lasts that long.
const BACKGROUND: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The limits within which an action is carried out.
///
/// Made only in this crate; `sandbox` holds it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxLimits {
    pub(crate) time: Duration,
    pub(crate) profile: Profile,
    pub(crate) root: PathBuf,
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) kept: Vec<PathBuf>,
    pub(crate) ports: Vec<u16>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) hosts: Vec<Host>,
    pub(crate) patterns: Vec<HostPattern>,
}

/// What a session's sandboxes have in common. Plain data, read by the door from the user's own config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grounds {
    /// The project folder, links resolved.
    pub root: PathBuf,
    /// Folders outside the project that commands may write in as well.
    pub writable: Vec<PathBuf>,
    /// Ports that commands with network may connect to.
    pub ports: Vec<u16>,
}

impl SandboxLimits {
    /// The limits for `action`, which reaches as far as it asks for.
    pub(crate) fn around(action: &Action, grounds: &Grounds) -> Self {
        let (time, profile) = match action {
            Action::Run { background: true, profile, .. } => (BACKGROUND, *profile),
            Action::Run { timeout_secs, profile, .. } => {
                (Duration::from_secs(*timeout_secs).clamp(Duration::from_secs(1), LONGEST), *profile)
            }
            Action::Call { .. } => (LONGEST, Profile::Network),
            Action::Read { .. }
            | Action::Write { .. }
            | Action::Restore { .. }
            | Action::Fetch { .. }
            | Action::Session { .. } => (LONGEST, Profile::ReadOnly),
        };
        let Grounds { root, writable, ports } = grounds.clone();
        let (kept, env, hosts, patterns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        SandboxLimits { time, profile, root, writable, kept, ports, env, hosts, patterns }
    }

    /// The same for a command that nobody was asked about: it only reads, and not for long.
    pub(crate) fn narrowed(self) -> Self {
        SandboxLimits { time: self.time.min(UNASKED), profile: Profile::ReadOnly, ..self }
    }

    /// The same with `env` set for it.
    pub(crate) fn with(self, env: Vec<(String, String)>) -> Self {
        SandboxLimits { env, ..self }
    }

    /// The same with more that a command may reach: hosts, and places in which it may write besides.
    pub(crate) fn reaching(mut self, hosts: Vec<Host>, patterns: Vec<HostPattern>, places: &[PathBuf]) -> Self {
        self.writable.extend(places.iter().cloned());
        SandboxLimits { hosts, patterns, ..self }
    }

    /// The same with files that stay as they are, wherever they lie.
    pub(crate) fn keeping(self, kept: Vec<PathBuf>) -> Self {
        SandboxLimits { kept, ..self }
    }

    /// The same with this profile, where that reaches further.
    pub(crate) fn at_least(self, profile: Profile) -> Self {
        SandboxLimits { profile: self.profile.max(profile), ..self }
    }

    /// The same with what there is on this system to hold it up. Without the kernel's help nothing holds up that a
    /// command only reads, and `sandbox` refuses to try; what was proved of such a command is all there is then.
    pub(crate) fn on(self, sandbox: SandboxKind) -> Self {
        let profile = match sandbox {
            SandboxKind::Kernel => self.profile,
            SandboxKind::None => self.profile.max(Profile::Project),
            SandboxKind::Off | SandboxKind::Disposable => Profile::Unfenced,
        };
        SandboxLimits { profile, ..self }
    }

    /// The limits for a program that is run to answer a question of fact in `folder`.
    pub fn for_facts(folder: &Path) -> Self {
        SandboxLimits {
            time: UNASKED,
            profile: Profile::ReadOnly,
            root: folder.to_owned(),
            writable: Vec::new(),
            kept: Vec::new(),
            ports: Vec::new(),
            env: Vec::new(),
            hosts: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// No limits: for what a person runs themselves in `folder`.
    pub(crate) fn none(folder: &Path) -> Self {
        SandboxLimits { time: BACKGROUND, profile: Profile::Unfenced, ..SandboxLimits::for_facts(folder) }
    }

    /// The limits for a server of the user's own settings, which is asked what tools it has before any call.
    pub fn for_server(grounds: &Grounds, sandbox: SandboxKind) -> Self {
        let call = Action::Call { server: String::new(), tool: String::new(), arguments: String::new() };
        SandboxLimits { time: BACKGROUND, ..SandboxLimits::around(&call, grounds) }.on(sandbox)
    }

    /// After this long a command is ended with all it started.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// How far it may reach.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The project folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folders outside the project that it may write in, unless it only reads.
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// Files that it may only read, though they lie where it may write.
    pub fn kept(&self) -> &[PathBuf] {
        &self.kept
    }

    /// Ports it may connect to where it has network.
    pub fn ports(&self) -> &[u16] {
        &self.ports
    }

    /// Hosts that it may reach from its start, each by its whole name: what the yes to it named, and what was allowed
    /// before.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// What stands for many hosts that it may reach. Wishes for those are still judged one by one.
    pub fn patterns(&self) -> &[HostPattern] {
        &self.patterns
    }

    /// It may reach something from its start, so it sees no places of secrets in the project.
    pub fn reaches(&self) -> bool {
        !self.hosts.is_empty() || !self.patterns.is_empty()
    }

    /// Variables that are set for it, whatever they are for others.
    pub fn env(&self) -> &[(String, String)] {
        &self.env
    }
}
