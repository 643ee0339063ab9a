//! Keeps the tripwire across the commands of a session: what is known of the project saves reading it anew, and what a
//! command did that was stopped is told with the next one.

use crate::tripwire::{Found, Tripwire};
use agent_policy::Fence;
use agent_protocol::Profile;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio::task::spawn_blocking;

/// What is kept between commands.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch(Arc<Mutex<Between>>);

#[derive(Debug, Default)]
struct Between {
    known: Found,
    /// It was told that not everything can be watched.
    told_incomplete: bool,
    /// Looks that were begun when commands were stopped.
    looks: Vec<JoinHandle<(Vec<String>, Found)>>,
}

/// What was seen of one command.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What it changed of what others obey.
    pub(super) tampered: Vec<String>,
    /// There is more that others obey than can be watched; told once, for it stays so.
    pub(super) incomplete: bool,
}

/// The wire around one command.
#[derive(Debug)]
pub(super) struct Armed {
    watch: Watch,
    /// `None` for a command that writes nothing, and once it was looked at.
    wire: Option<Tripwire>,
    /// What commands before did that were stopped.
    earlier: Vec<String>,
}

impl Watch {
    /// A look at what others obey, before a command that may change it.
    pub(super) async fn arm(&self, fence: &Fence) -> Armed {
        let (root, watch) = (fence.root().to_owned(), self.clone());
        let armed = match fence.profile() {
            Profile::ReadOnly => None,
            Profile::Project | Profile::Network | Profile::Unfenced => {
                spawn_blocking(move || watch.set(&root)).await.ok()
            }
        };
        let (wire, earlier) = armed.map_or((None, Vec::new()), |(wire, earlier)| (Some(wire), earlier));
        Armed { watch: self.clone(), wire, earlier }
    }

    fn set(&self, root: &Path) -> (Tripwire, Vec<String>) {
        let looks = std::mem::take(&mut self.between().looks);
        let earlier: Vec<String> = looks.into_iter().filter_map(|look| Some(look.join().ok()?.0)).flatten().collect();
        let known = self.between().known.clone();
        (Tripwire::set(root, &known), earlier)
    }

    fn between(&self) -> MutexGuard<'_, Between> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Armed {
    /// What the command changed of it.
    pub(super) async fn sprung(mut self) -> Seen {
        let mut seen = Seen { tampered: std::mem::take(&mut self.earlier), incomplete: false };
        let Some(wire) = self.wire.take() else { return seen };
        match spawn_blocking(move || wire.sprung()).await {
            Ok((tampered, now)) => {
                seen.tampered.extend(tampered);
                let mut between = self.watch.between();
                seen.incomplete = now.is_incomplete() && !between.told_incomplete;
                between.told_incomplete |= seen.incomplete;
                between.known = now;
            }
            Err(_) => seen.tampered.push("what is protected could not be looked at".into()),
        }
        seen
    }
}

impl Drop for Armed {
    /// The command was stopped: it is looked at what it did until then, and told with the next one.
    fn drop(&mut self) {
        if let Some(wire) = self.wire.take() {
            self.watch.between().looks.push(std::thread::spawn(move || wire.sprung()));
        }
    }
}
