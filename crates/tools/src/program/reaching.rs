//! The way out of a running command: a proxy of its own in the sandbox's network, the variables that lead programs to
//! it, and what it does not see because it could carry it out.
//!
//! Does not decide who may reach what: each host that its permit does not name is a wish, which somebody else answers.
//! The command is held meanwhile.

mod secrets;
#[cfg(test)]
mod tests;
mod variables;

use crate::facts::git::GitIndex;
use crate::{Ground, Outside, Wish};
use agent_policy::SandboxLimits;
use agent_protocol::{BackgroundId, Host, Profile};
use agent_sandbox::proxy::{Gate, Proxy, Refusal, serve};
use agent_sandbox::{Hold, More, Surroundings};
use futures_util::future::BoxFuture;
use secrets::{at_home, in_project};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// An answer that comes within this time needs no command held.
const AT_ONCE: Duration = Duration::from_millis(50);

/// How the commands of a session reach the net. Clones share what they know.
#[derive(Debug, Clone)]
pub(crate) struct Network(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    around: Arc<Surroundings>,
    root: PathBuf,
    home: Option<PathBuf>,
    outside: Outside,
    /// What no command with a network sees; looked up once.
    kept_back: OnceLock<Vec<PathBuf>>,
    /// What git kept before any command of the session ran: no command says of a file that it is no secret.
    tracked: OnceLock<GitIndex>,
    /// Where the wishes of commands in the background go.
    jobs: UnboundedSender<Wish>,
    /// Until somebody takes it.
    wishes: Mutex<Option<UnboundedReceiver<Wish>>>,
    /// Commands that run. They share a loopback, and so what one of them may reach.
    running: Mutex<Vec<Weak<Standing>>>,
}

/// How one running command stands.
#[derive(Debug, Default)]
struct Standing {
    /// It may reach a host.
    reaches: AtomicBool,
    /// It sees what of the project holds secrets.
    sees: bool,
}

pub(crate) enum Asker {
    /// The command of a call.
    Call(UnboundedSender<Wish>),
    Job(BackgroundId),
}

/// The way out of one command, as long as it runs.
pub(crate) struct WayOut {
    /// `None`: none could be made, and nothing is reached.
    proxy: Option<Proxy>,
    variables: Vec<(String, String)>,
    hidden: Vec<PathBuf>,
    hold: Hold,
    _standing: Arc<Standing>,
}

/// What came of the way out.
#[derive(Debug, Default)]
pub(crate) struct Went {
    /// The hosts that were reached.
    pub(crate) hosts: Vec<Host>,
    /// What was not, though nobody said no to it: for the model, a sentence each.
    pub(crate) refused: Vec<String>,
}

impl Network {
    pub(crate) fn new(ground: &Ground) -> Self {
        let (jobs, wishes) = unbounded_channel();
        Network(Arc::new(Shared {
            around: ground.surroundings.clone(),
            root: ground.root.clone(),
            home: ground.home.clone(),
            outside: ground.outside.clone(),
            kept_back: OnceLock::new(),
            tracked: OnceLock::new(),
            jobs,
            wishes: Mutex::new(Some(wishes)),
            running: Mutex::default(),
        }))
    }

    /// The wishes of commands in the background, for whoever asks first.
    pub(crate) fn wishes(&self) -> Option<UnboundedReceiver<Wish>> {
        lock(&self.0.wishes).take()
    }

    /// The way out of a command within `fence`; `None` where it has no network of its own.
    pub(crate) async fn open(&self, fence: &SandboxLimits, asker: Asker) -> Option<WayOut> {
        if fence.profile() != Profile::Project {
            return None;
        }
        let around = self.0.around.clone();
        // Made in the sandbox's network, which a program of ours has to enter for it.
        let listener = spawn_blocking(move || around.inside().map(|inside| inside.listen())).await.ok()??;
        Some(self.open_on(listener.ok(), (fence.hosts(), fence.reaches(), fence.env()), asker).await)
    }

    /// The same where this is what the proxy listens on. With the hosts that its permit names, whether it names any at
    /// all, and the variables that it sets.
    async fn open_on(
        &self,
        listener: Option<TcpListener>,
        (hosts, named, env): (&[Host], bool, &[(String, String)]),
        asker: Asker,
    ) -> WayOut {
        let network = self.clone();
        let looked = spawn_blocking(move || network.hidden(named)).await;
        let (hidden, sees) = looked.unwrap_or((Vec::new(), true));
        let standing = Arc::new(Standing { reaches: AtomicBool::new(named), sees });
        let hold = Hold::new();
        {
            let mut running = lock(&self.0.running);
            running.retain(|other| other.strong_count() > 0);
            running.push(Arc::downgrade(&standing));
        }
        let gate = Asking {
            network: self.clone(),
            standing: standing.clone(),
            hold: hold.clone(),
            granted: hosts.to_vec(),
            asker,
        };
        let rules = self.0.outside.rules.clone();
        let proxy = listener.and_then(|listener| serve(listener, rules.clone(), Arc::new(gate)).ok());
        let variables = proxy.as_ref().map(|proxy| {
            let behind = variables::Behind::of(rules.upstream.is_some(), env);
            variables::leading_to(proxy.port(), behind, |name| self.0.around.variable(name).map(str::to_owned))
        });
        WayOut { proxy, variables: variables.unwrap_or_default(), hidden, hold, _standing: standing }
    }

    /// What a command that starts now does not see, and whether it sees what of the project holds secrets. `named`: it
    /// may reach hosts from its start. Blocking.
    fn hidden(&self, named: bool) -> (Vec<PathBuf>, bool) {
        let Shared { home, root, outside, kept_back, .. } = &*self.0;
        let tracked = self.tracked();
        let mut hidden = kept_back.get_or_init(|| at_home(home.as_deref(), root, &outside.own)).clone();
        if self.shows_all() {
            return (Vec::new(), true);
        }
        let beside = self.running().iter().any(|other| other.reaches.load(Ordering::Relaxed));
        if !named && !beside {
            return (hidden, true);
        }
        let found = in_project(root, home.as_deref(), tracked);
        hidden.extend(found.files);
        (hidden, !found.whole)
    }

    /// Does any command that runs see what holds secrets? Blocking.
    fn sees_secrets(&self) -> bool {
        if !self.running().iter().any(|standing| standing.sees) {
            return false;
        }
        let found = in_project(&self.0.root, self.0.home.as_deref(), self.tracked());
        self.shows_all() || !found.whole || !found.files.is_empty()
    }

    fn tracked(&self) -> &GitIndex {
        self.0.tracked.get_or_init(|| GitIndex::of(&self.0.root))
    }

    /// Commands have a network of their own here, and nothing can be hidden from them. May block.
    fn shows_all(&self) -> bool {
        self.0.around.inside().is_some_and(|inside| inside.covers().is_err())
    }

    fn running(&self) -> Vec<Arc<Standing>> {
        lock(&self.0.running).iter().filter_map(Weak::upgrade).collect()
    }
}

impl WayOut {
    pub(crate) fn more(&self) -> More {
        let (variables, hidden) = (self.variables.clone(), self.hidden.clone());
        More { variables, hidden, hold: Some(self.hold.clone()), ..More::default() }
    }

    pub(crate) fn went(self) -> Went {
        let Some(proxy) = &self.proxy else { return Went::default() };
        let refused = proxy.refused().into_iter().filter_map(|(host, why)| match why {
            // Whoever said no tells that.
            Refusal::NotAllowed => None,
            Refusal::Near(_)
            | Refusal::ModelServer
            | Refusal::Entrance
            | Refusal::NotFound
            | Refusal::Unreached(_)
            | Refusal::Upstream(_) => Some(why.words(&host)),
        });
        Went { hosts: proxy.reached(), refused: refused.collect() }
    }
}

/// Asks for each host that the permit does not name.
struct Asking {
    network: Network,
    standing: Arc<Standing>,
    hold: Hold,
    granted: Vec<Host>,
    asker: Asker,
}

impl Gate for Asking {
    fn may(&self, host: Host) -> BoxFuture<'static, bool> {
        let (job, wishes) = match &self.asker {
            Asker::Call(wishes) => (None, wishes.clone()),
            Asker::Job(job) => (Some(*job), self.network.0.jobs.clone()),
        };
        let (network, standing, hold) = (self.network.clone(), self.standing.clone(), self.hold.clone());
        let granted = self.granted.contains(&host);
        Box::pin(async move {
            let look = spawn_blocking(move || network.sees_secrets());
            let sees_secrets = look.await.unwrap_or(true);
            // A rule for good lets nobody send what may hold secrets: then it is judged again, with that.
            if granted && !sees_secrets {
                return true;
            }
            let (answer, mut answered) = oneshot::channel();
            if wishes.send(Wish { job, host, sees_secrets, answer }).is_err() {
                return false;
            }
            let allowed = match timeout(AT_ONCE, &mut answered).await {
                Ok(answer) => answer,
                Err(_elapsed) => {
                    let _held = hold.hold();
                    answered.await
                }
            };
            let allowed = allowed.unwrap_or(false);
            standing.reaches.fetch_or(allowed, Ordering::Relaxed);
            allowed
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
