//! The servers of a session: which one is for a file, and those that run.

use super::known::{ANNOUNCE, KNOWN, Known, language_id};
use super::server::{LanguageServerProcess, Launch, Patience};
use crate::program::Watch;
use crate::{Ground, LanguageServer, facts};
use agent_policy::SandboxLimits;
use agent_protocol::{Failure, FailureKind};
use agent_sandbox::Shell;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What to do where there is no server.
const INSTEAD: &str = "find_references, search_code and grep_search work without one";

/// The server for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Its program's name, or its name in the settings.
    pub(crate) name: String,
    /// The program and its arguments.
    pub(crate) argv: Vec<String>,
    /// What it calls the language of the file.
    pub(crate) language: String,
    /// How to get it, should it turn out not to work.
    pub(crate) install: Option<&'static str>,
}

/// The servers of a session, ended when this is dropped. Holds nothing until the first is started.
pub(crate) struct Servers {
    ground: Ground,
    watch: Watch,
    running: Mutex<Vec<Arc<LanguageServerProcess>>>,
}

impl Servers {
    pub(crate) fn new(ground: &Ground, watch: &Watch) -> Self {
        Servers { ground: ground.clone(), watch: watch.clone(), running: Mutex::default() }
    }

    /// The server for the file at `path`, which is called `shown`: the user's own, else one that we know and that is
    /// installed.
    pub(crate) fn choice(&self, path: &Path, shown: &str) -> Result<Choice, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
        let language = language_id(&extension).to_owned();
        if let Some(own) = self.ground.servers.iter().find(|own| own.extensions.contains(&extension)) {
            return self.own(own, language);
        }
        let is_for = |known: &&Known| known.extensions.split(' ').any(|known| known == extension);
        let Some(known) = KNOWN.iter().find(is_for) else {
            let message = format!(
                "no language server is known for {shown}; the user can name one in config.toml under [lsp.NAME]; {INSTEAD}"
            );
            return Err(Failure::new(FailureKind::NotInstalled, message));
        };
        let installed = |line: &&&str| self.is_installed(line.split(' ').next().unwrap_or_default());
        let Some(line) = known.servers.iter().find(installed) else {
            return Err(not_installed(known));
        };
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Ok(Choice { name: argv[0].clone(), argv, language, install: Some(known.install) })
    }

    fn own(&self, own: &LanguageServer, language: String) -> Result<Choice, Failure> {
        let program = own.command.first().cloned().unwrap_or_default();
        if !self.is_installed(&program) {
            let message = format!(
                "{program}, which config.toml names under [lsp.{}], is not installed, or not on the PATH; {INSTEAD}",
                own.name
            );
            return Err(Failure::new(FailureKind::NotInstalled, message));
        }
        Ok(Choice { name: own.name.clone(), argv: own.command.clone(), language, install: None })
    }

    /// Is it there, and outside the project, which could put another in its place?
    fn is_installed(&self, program: &str) -> bool {
        if !program.starts_with('/') {
            return facts::programs::find(&self.ground, program).is_some();
        }
        let real = Path::new(program).canonicalize();
        real.is_ok_and(|real| real.is_file() && !real.starts_with(&self.ground.root))
    }

    pub(crate) fn has_any(&self) -> bool {
        self.all().iter().any(|server| !server.is_gone())
    }

    /// The server of this choice, if it runs.
    pub(crate) fn running(&self, choice: &Choice) -> Option<Arc<LanguageServerProcess>> {
        let mut running = self.all();
        running.retain(|server| !server.is_gone());
        running.iter().find(|server| server.name() == choice.name).cloned()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<LanguageServerProcess>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts it within `fence`, unless it runs already.
    pub(crate) fn start(
        &self,
        choice: &Choice,
        fence: &SandboxLimits,
        patience: &Patience,
    ) -> Result<Arc<LanguageServerProcess>, Failure> {
        if let Some(server) = self.running(choice) {
            return Ok(server);
        }
        let root = self.ground.root.clone();
        let launch = Launch {
            shell: Shell { line: String::new(), argv: choice.argv.clone(), cwd: root.clone(), input: None, held: None },
            fence: fence.clone(),
            around: self.ground.surroundings.clone(),
            watched: self.watch.begin(&root),
            announces: ANNOUNCE.contains(&choice.name.as_str()),
        };
        let server = LanguageServerProcess::start(&choice.name, launch, &root, patience)
            .map_err(|failure| explained(failure, choice))?;
        let server = Arc::new(server);
        self.all().push(server.clone());
        Ok(server)
    }
}

fn not_installed(known: &Known) -> Failure {
    let names: Vec<&str> = known.servers.iter().filter_map(|line| line.split(' ').next()).collect();
    let message = format!(
        "no language server for {} is installed, or on the PATH ({}); install one with: {}; {INSTEAD}",
        known.language,
        names.join(", "),
        known.install
    );
    Failure::new(FailureKind::NotInstalled, message)
}

/// One that does not start may be there only by name.
fn explained(failure: Failure, choice: &Choice) -> Failure {
    let Some(install) = choice.install.filter(|_| failure.kind == FailureKind::Io) else { return failure };
    let message = failure.message.replace("; call lsp again to start it anew", "");
    Failure::new(FailureKind::Io, format!("{message}; it may be installed only in part: {install}; {INSTEAD}"))
}

#[cfg(test)]
impl Servers {
    /// Those of `ground`, of which `server` runs.
    pub(crate) fn with(ground: &Ground, server: LanguageServerProcess) -> Self {
        Servers { running: Mutex::new(vec![Arc::new(server)]), ..Servers::new(ground, &Watch::default()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(own: &[LanguageServer]) -> Servers {
        let ground = Ground::of_this_process("/nowhere".into()).unwrap();
        Servers::new(&Ground { servers: own.to_vec(), ..ground }, &Watch::default())
    }

    fn own(program: &str) -> LanguageServer {
        LanguageServer { name: "mine".into(), command: vec![program.into(), "-x".into()], extensions: vec!["q".into()] }
    }

    #[test]
    fn the_persons_own_server_comes_first() {
        let rust = LanguageServer { extensions: vec!["rs".into()], ..own("sh") };
        let chosen = servers(&[rust]).choice(Path::new("/a/b.RS"), "b.RS").unwrap();
        assert_eq!((chosen.name.as_str(), chosen.language.as_str()), ("mine", "rust"));
        assert_eq!(chosen.argv, ["sh", "-x"]);
    }

    #[test]
    fn a_file_nobody_has_a_server_for_is_told_what_else_there_is() {
        let failure = servers(&[]).choice(Path::new("/a.zzz"), "a.zzz").unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotInstalled);
        assert_eq!(
            failure.message,
            "no language server is known for a.zzz; the user can name one in config.toml under [lsp.NAME]; \
             find_references, search_code and grep_search work without one"
        );
        let failure = servers(&[own("no-such-server")]).choice(Path::new("/a.q"), "a.q").unwrap_err();
        assert!(
            failure.message.starts_with("no-such-server, which config.toml names under [lsp.mine], is not installed")
        );
    }

    #[test]
    fn what_is_not_installed_is_said_with_how_to_install_it() {
        for known in KNOWN {
            let failure = not_installed(known);
            assert_eq!(failure.kind, FailureKind::NotInstalled);
            assert!(failure.message.contains(known.install), "{}", failure.message);
        }
    }
}
