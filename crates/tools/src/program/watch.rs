//! Keeps the tripwire as long as anything may write: a command, one in the background, a language server. There is one for
//! all of them, looked at whenever one begins or ends and before a call is judged, so that each change is told once and
//! soon. What is known of the project is kept in between and saves reading it anew.

use crate::tripwire::{Protected, Tripwire};
use agent_policy::SandboxLimits;
use agent_protocol::Profile;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::spawn_blocking;

/// What watches over a session. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Held while it is looked, on threads that may block.
    standing: Mutex<Standing>,
    /// Held for a moment only.
    news: Mutex<News>,
}

#[derive(Debug, Default)]
struct Standing {
    /// So many may write just now.
    writers: usize,
    /// How it was at the last look, while there are any.
    last: Option<Tripwire>,
    known: Protected,
}

/// What was found and not told yet.
#[derive(Debug, Default)]
struct News {
    tampered: Vec<String>,
    made: Vec<String>,
    incomplete: bool,
    told_incomplete: bool,
}

/// What was seen until now.
#[derive(Debug, Default)]
pub(crate) struct WatchedSince {
    /// What was changed of what others obey.
    pub(crate) tampered: Vec<String>,
    pub(super) made: Vec<String>,
    /// There is more that others obey than can be watched; told once, for it stays so.
    pub(super) incomplete: bool,
}

/// Stands for one who may write. Dropping it looks at what it did, which is told with what happens next.
#[derive(Debug)]
pub(crate) struct Armed {
    watch: Watch,
    /// False for a command that writes nothing, and once it was looked at.
    writes: bool,
}

impl Watch {
    /// Watches these files of the project at `root`, too: what hooks run. Before anything is started.
    pub(crate) fn guard(&self, root: &Path, files: &[PathBuf]) {
        self.standing().known.guard(root, files);
    }

    /// A look at what others obey, before a command that may change it.
    pub(crate) async fn arm(&self, fence: &SandboxLimits) -> Armed {
        let (root, watch) = (fence.root().to_owned(), self.clone());
        let armed = match fence.profile() {
            Profile::ReadOnly => None,
            Profile::Project | Profile::Network | Profile::Unfenced => {
                spawn_blocking(move || watch.begin(&root)).await.ok()
            }
        };
        armed.unwrap_or_else(|| Armed { watch: self.clone(), writes: false })
    }

    /// The same, for whoever may block.
    pub(crate) fn begin(&self, root: &Path) -> Armed {
        let mut standing = self.standing();
        self.look_at(&mut standing);
        if standing.last.is_none() {
            standing.last = Some(Tripwire::set(root, &standing.known));
        }
        standing.writers += 1;
        Armed { watch: self.clone(), writes: true }
    }

    /// What was changed and not told yet; it is told then. Looks, where anybody may write. Blocking.
    pub(crate) fn tampered(&self) -> Vec<String> {
        self.look_at(&mut self.standing());
        // What was made is told with a result, of which there is none here.
        std::mem::take(&mut self.news().tampered)
    }

    /// These files were changed by who asks the user first. Blocking.
    pub(crate) fn accept(&self, paths: &[PathBuf]) {
        if let Some(last) = &mut self.standing().last {
            last.accept(paths);
        }
    }

    fn end(&self) {
        let mut standing = self.standing();
        self.look_at(&mut standing);
        standing.writers = standing.writers.saturating_sub(1);
        if standing.writers == 0
            && let Some(last) = standing.last.take()
        {
            standing.known = last.found;
        }
    }

    fn look_at(&self, standing: &mut Standing) {
        let Some(last) = &standing.last else { return };
        let (noticed, now) = last.sprung();
        let mut news = self.news();
        add(&mut news.tampered, noticed.tampered);
        add(&mut news.made, noticed.made);
        news.incomplete |= now.is_incomplete();
        standing.last = Some(now);
    }

    fn tell(&self) -> WatchedSince {
        let mut news = self.news();
        let incomplete = news.incomplete && !news.told_incomplete;
        news.told_incomplete |= incomplete;
        let (tampered, made) = (std::mem::take(&mut news.tampered), std::mem::take(&mut news.made));
        WatchedSince { tampered, made, incomplete }
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.0.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn news(&self) -> MutexGuard<'_, News> {
        self.0.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Each once.
fn add(told: &mut Vec<String>, names: Vec<String>) {
    for name in names {
        if !told.contains(&name) {
            told.push(name);
        }
    }
}

impl Armed {
    /// What was changed until now, the command at its end.
    pub(crate) async fn sprung(mut self) -> WatchedSince {
        let watch = self.watch.clone();
        // From here on nobody else needs to look at its end.
        if std::mem::take(&mut self.writes) && spawn_blocking(move || watch.end()).await.is_err() {
            self.watch.news().tampered.push("what is protected could not be looked at".into());
        }
        self.watch.tell()
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        if self.writes {
            let watch = self.watch.clone();
            std::thread::spawn(move || watch.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn project() -> (TempDir, Watch) {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("AGENTS.md"), "be kind").unwrap();
        (folder, Watch::default())
    }

    fn write(folder: &TempDir, name: &str) -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, "be evil").unwrap();
        path
    }

    #[test]
    fn what_one_does_that_goes_on_is_told_once_and_before_the_next_begins() {
        let (folder, watch) = project();
        let server = watch.begin(folder.path());
        assert_eq!(watch.tampered(), Vec::<String>::new());
        write(&folder, "AGENTS.md");
        let command = watch.begin(folder.path());
        assert_eq!(watch.tampered(), ["AGENTS.md (changed)"]);
        assert_eq!(watch.tampered(), Vec::<String>::new());
        write(&folder, ".envrc");
        watch.end();
        assert_eq!(watch.tampered(), [".envrc (new)"], "the other goes on, and so does the watch");
        drop((server, command));
    }

    #[test]
    fn what_one_did_until_its_end_is_told_when_nobody_else_is_there() {
        let (folder, watch) = project();
        let mut server = watch.begin(folder.path());
        write(&folder, "AGENTS.md");
        server.writes = false;
        watch.end();
        write(&folder, ".envrc");
        assert_eq!(watch.tampered(), ["AGENTS.md (changed)"], "nobody is left who could have made the other");
    }

    #[test]
    fn what_hooks_run_is_watched_whatever_it_is_called() {
        let (folder, watch) = project();
        let guarded = ["guard.sh", "missing.sh", "deep/er/guard.py"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(folder.path().join("deep/er")).unwrap();
        write(&folder, "guard.sh");
        write(&folder, "deep/er/guard.py");
        watch.guard(folder.path(), &guarded);
        for round in 0..2 {
            let server = watch.begin(folder.path());
            std::fs::write(folder.path().join("guard.sh"), format!("exit {round}")).unwrap();
            write(&folder, "other.sh");
            assert_eq!(watch.tampered(), ["guard.sh (changed)"], "{round}");
            drop(server);
        }
        let server = watch.begin(folder.path());
        write(&folder, "missing.sh");
        std::fs::rename(folder.path().join("deep"), folder.path().join("away")).unwrap();
        assert_eq!(watch.tampered(), ["deep/er/guard.py (gone)", "missing.sh (new)"]);
        drop(server);
    }

    #[test]
    fn what_the_person_has_seen_is_no_alarm() {
        let (folder, watch) = project();
        let server = watch.begin(folder.path());
        let seen = [write(&folder, "AGENTS.md"), write(&folder, ".envrc"), write(&folder, "a.rs")];
        watch.accept(&seen);
        assert_eq!(watch.tampered(), Vec::<String>::new());
        std::fs::remove_file(&seen[1]).unwrap();
        std::fs::write(&seen[2], "more").unwrap();
        assert_eq!(watch.tampered(), [".envrc (gone)"], "from then on they are watched like others");
        drop(server);
    }
}
