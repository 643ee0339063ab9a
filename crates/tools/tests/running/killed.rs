//! What is known of a call after the program was killed while it was carried out.

use super::changes::words;
use super::{House, call, never};
use agent_policy::Permit;
use agent_protocol::{Action, Digest, FileChange, Outcome, Restoring, Status};
use agent_tools::{Ground, Intent, Keep, KeptInMemory, Output, PlannedCall, Toolbox};
use serde_json::json;
use std::future::{pending, ready};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;

struct Scene {
    house: House,
    keep: Arc<KeptInMemory>,
}

impl Scene {
    /// With a link and a program besides.
    fn new() -> Self {
        let keep = Arc::new(KeptInMemory::default());
        let scene = Scene { house: House::keeping(keep.clone()), keep };
        scene.sh("umask 022; mkdir src; echo 1 > src/a; echo 2 > src/b; ln -s src link; echo hidden > secret; \
                  printf 'secret\\n' > .gitignore");
        scene
    }

    fn sh(&self, line: &str) {
        super::sh(&self.house.root, line);
    }

    /// Begins to carry it out, and gives what is told before; then the program is killed, and the call does `line`.
    async fn killed(&self, (job, permit): (Box<dyn PlannedCall>, Permit), line: &str) -> Digest {
        let (told, telling) = oneshot::channel();
        // Nothing is done until this has resolved, and it never does.
        let intent: Intent = Box::new(|before| {
            told.send(before.unwrap()).unwrap();
            Box::pin(pending())
        });
        let (live, _heard) = unbounded_channel();
        let out = Output {
            live,
            room: 10_000,
            intent: Some(intent),
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        };
        let running = tokio::spawn(self.house.toolbox.perform(job, permit, out, never()));
        let before = telling.await.unwrap();
        running.abort();
        assert!(running.await.is_err());
        self.sh(line);
        before
    }

    async fn killed_while(&mut self, line: &str) -> Digest {
        let agreed = self.house.agreed("make");
        self.killed(agreed, line).await
    }

    /// Another program with the same contents.
    fn again(&self) -> Toolbox {
        let ground = Ground { keep: self.keep.clone(), ..Ground::of_this_process(self.house.root.clone()).unwrap() };
        Toolbox::with(ground, &[]).0
    }

    /// Files that are not as they were, in words.
    fn recovered(&self, before: &Digest) -> Vec<String> {
        self.again().recovered(before).iter().map(|change| words(change, &self.keep)).collect()
    }

    /// Brings them back, and gives what could not be.
    fn back(&mut self, changed: &[FileChange]) -> Vec<Option<String>> {
        let files = changed.iter().cloned();
        let files = files.map(|file| Restoring { path: file.path, from: file.after, to: file.before }).collect();
        let permit = self.house.permit(Action::Restore { files });
        self.again().restore(permit).into_iter().map(|file| file.left).collect()
    }
}

/// All there is below it but for git's own, with rights.
fn all(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != ".git") {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let what = if kind.is_dir() {
            found.extend(all(&path));
            continue;
        } else if kind.is_symlink() {
            format!("link to {}", std::fs::read_link(&path).unwrap().display())
        } else {
            let mode = path.metadata().unwrap().permissions().mode();
            format!("{mode:o} {}", std::fs::read_to_string(&path).unwrap())
        };
        found.push(format!("{}: {what}", path.display()));
    }
    found.sort();
    found
}

#[tokio::test]
async fn what_a_killed_command_did_is_found_and_all_of_it_is_taken_back() {
    let mut scene = Scene::new();
    let was = all(&scene.house.root);
    let line = "echo be evil > AGENTS.md; rm src/a; mkdir -p 'new\tone'; printf x > 'new\tone/c\n'; chmod 755 src/b; \
                ln -sfn nowhere link; ln -s src other; echo changed > secret; touch 'a file.txt'";
    let before = scene.killed_while(line).await;
    let expected = [
        "AGENTS.md: be kind → be evil",
        "link: link to src → link to nowhere",
        "new\\tone/c\\n: nothing → x",
        "other: nothing → link to src",
        "src/a: 1 → nothing",
        "src/b: 2 → 2 (755)",
    ];
    assert_eq!(scene.recovered(&before), expected);
    assert_eq!(scene.recovered(&before), expected, "looking changes nothing");
    let changed = scene.again().recovered(&before);
    assert_eq!((changed[0].added, changed[0].removed), (1, 1));
    assert!(scene.back(&changed).iter().all(Option::is_none));
    scene.sh("echo hidden > secret");
    assert_eq!(all(&scene.house.root), was);
    assert_eq!(scene.recovered(&before), [""; 0]);
}

#[tokio::test]
async fn what_a_killed_command_moved_or_brought_to_sight_is_told_as_of_any_other() {
    for (line, expected) in [
        ("true", &[][..]),
        ("mv src lib", &["lib/a: nothing → 1", "lib/b: nothing → 2", "src/a: 1 → nothing", "src/b: 2 → nothing"]),
        ("rm .gitignore", &[".gitignore: secret → nothing"]),
        ("echo src >> .gitignore; echo 3 > src/a", &[".gitignore: secret → secret\nsrc", "src/a: 1 → 3"]),
        ("cp -p src/a x; mv x src/a", &[]),
    ] {
        let mut scene = Scene::new();
        let before = scene.killed_while(line).await;
        assert_eq!(scene.recovered(&before), expected, "{line}");
    }
}

#[tokio::test]
async fn each_call_is_known_by_itself() {
    let mut scene = Scene::new();
    let first = scene.killed_while("echo 3 > src/a").await;
    let second = scene.killed_while("echo 4 > src/b").await;
    let third = scene.killed_while("true").await;
    assert_eq!(scene.recovered(&first), ["src/a: 1 → 3", "src/b: 2 → 4"]);
    assert_eq!(scene.recovered(&second), ["src/b: 2 → 4"]);
    assert_eq!(scene.recovered(&third), [""; 0]);
}

#[tokio::test]
async fn a_write_that_was_killed_after_it_wrote_is_taken_back() {
    let mut scene = Scene::new();
    let agreed = scene.house.agreed_to(&call("write_file", json!({"file_path": "deep/new", "content": "x\n"})));
    let before = scene.killed(agreed, "mkdir deep; echo x > deep/new; echo 3 > src/a").await;
    assert_eq!(scene.recovered(&before), ["deep/new: nothing → x"], "it is no business of a write what others do");
    let edit = json!({"file_path": "src/a", "old_string": "3", "new_string": "4"});
    let agreed = scene.house.agreed_to(&call("edit_file", edit));
    let before = scene.killed(agreed, "echo 4 > src/a").await;
    assert_eq!(scene.recovered(&before), ["src/a: 3 → 4"]);
    let changed = scene.again().recovered(&before);
    assert_eq!(scene.back(&changed), [None]);
    assert_eq!(std::fs::read_to_string(scene.house.root.join("src/a")).unwrap(), "3\n");
}

#[tokio::test]
async fn what_is_no_such_text_or_is_not_kept_tells_of_nothing() {
    let mut scene = Scene::new();
    let before = scene.killed_while("echo 3 > src/a").await;
    let text = scene.keep.fetch(&before).unwrap();
    let unknown = Digest("0".repeat(64));
    let others = (0..text.len()).map(|end| scene.keep.keep(&text[..end]).unwrap());
    let odd = [&b"agent: before a call, 2\n"[..], b"\xff\n", b"agent: before a call, 1\nproject\n1 whole 0\n"];
    let odd: Vec<Digest> = odd.iter().map(|text| scene.keep.keep(text).unwrap()).collect();
    for digest in others.chain(odd).chain([unknown, Digest(String::new()), Digest("é".repeat(32))]) {
        assert_eq!(scene.recovered(&digest), [""; 0]);
    }
}

#[tokio::test]
async fn who_stops_it_before_it_is_written_down_stops_all_of_it() {
    let mut scene = Scene::new();
    let write = call("write_file", json!({"file_path": "new", "content": "x"}));
    for planned in [scene.house.agreed("touch new"), scene.house.agreed_to(&write)] {
        let (stop, stopped) = oneshot::channel();
        let intent: Intent = Box::new(|_| {
            stop.send(()).unwrap();
            Box::pin(pending())
        });
        let outcome = carried_out(&scene.house, planned, Some(intent), async move { stopped.await.unwrap() }).await;
        assert_eq!((outcome.status, outcome.changed.len()), (Status::Stopped, 0));
        assert_eq!(outcome.told, "stopped by the user before it began; nothing was done");
        assert!(!scene.house.root.join("new").exists());
    }
}

#[tokio::test]
async fn it_begins_when_it_is_written_down() {
    let mut scene = Scene::new();
    let planned = scene.house.agreed("touch new");
    let (new, was_there) = (scene.house.root.join("new"), Arc::new(Mutex::new(None)));
    let noted = was_there.clone();
    let intent: Intent = Box::new(move |_| {
        Box::pin(async move {
            tokio::task::yield_now().await;
            *noted.lock().unwrap() = Some(new.exists());
        })
    });
    let outcome = carried_out(&scene.house, planned, Some(intent), pending()).await;
    assert_eq!((outcome.status, outcome.changed.len()), (Status::Done, 1));
    assert_eq!(*was_there.lock().unwrap(), Some(false));
}

/// A full disk.
struct Full;

impl Keep for Full {
    fn keep(&self, _: &[u8]) -> io::Result<Digest> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn fetch(&self, _: &Digest) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

#[tokio::test]
async fn what_changes_nothing_or_cannot_be_kept_is_told_all_the_same_and_who_only_looks_tells_nothing() {
    let mut full = House::keeping(Arc::new(Full));
    let writes = full.agreed("touch new");
    let scene = Scene::new();
    let looks = scene.house.allowed(&call("read_file", json!({"file_path": "AGENTS.md"})));
    let cases = [
        (&full, writes, Some(None)),
        (&scene.house, scene.house.unasked("cat AGENTS.md"), Some(None)),
        (&scene.house, looks, None),
    ];
    for (house, planned, expected) in cases {
        let told = Arc::new(Mutex::new(None));
        let noted = told.clone();
        let intent: Intent = Box::new(move |before| {
            *noted.lock().unwrap() = Some(before);
            Box::pin(ready(()))
        });
        let outcome = carried_out(house, planned, Some(intent), pending()).await;
        assert_eq!((outcome.status, &*told.lock().unwrap()), (Status::Done, &expected));
    }
}

async fn carried_out(
    house: &House,
    (job, permit): (Box<dyn PlannedCall>, Permit),
    intent: Option<Intent>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Outcome {
    let (live, _heard) = unbounded_channel();
    house
        .toolbox
        .perform(
            job,
            permit,
            Output {
                live,
                room: 10_000,
                intent,
                reaches: {
                    let (nobody, _) = unbounded_channel();
                    nobody
                },
            },
            Box::pin(stop),
        )
        .await
}
