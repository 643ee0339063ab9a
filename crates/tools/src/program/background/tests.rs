//! The commands in the background as a whole, with real ones that carry a mark, by which those that live on are found.

use super::*;
use agent_policy::Grounds;
use agent_protocol::SandboxKind;
use std::ffi::OsString;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(60);

struct House {
    folder: TempDir,
    background: Background,
    mark: String,
}

impl House {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}x{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        env.push(("BACKGROUND_TEST".into(), mark.clone().into()));
        let surroundings = Arc::new(Surroundings::new(env, &["BACKGROUND_TEST".into()], &root).unwrap());
        let secret_values = vec!["hunter2-hunter2".to_owned()];
        let ground = Ground { surroundings, secret_values, ..Ground::of_this_process(root).unwrap() };
        House { folder, background: Background::new(&ground, Network::new(&ground)), mark }
    }

    fn start(&self, line: &str) -> Result<Starting, Failure> {
        let root = self.folder.path().canonicalize().unwrap();
        let grounds = Grounds { root: root.clone(), writable: Vec::new(), ports: Vec::new() };
        self.background.start(BackgroundStart {
            shell: Shell { line: line.into(), argv: Vec::new(), cwd: root, input: None, held: None },
            fence: SandboxLimits::for_server(&grounds, SandboxKind::Off),
            command: line.into(),
            description: String::new(),
            at_end: Box::new(|_, _| ()),
        })
    }

    /// Started, and announced with what it had said until then unread.
    fn goes(&self, line: &str) -> BackgroundId {
        let starting = self.start(line).unwrap();
        let id = starting.id;
        starting.set(Stage::Announced);
        id
    }

    async fn says(&self, id: BackgroundId, since: Option<u64>) -> String {
        self.background.moves(id, LONG).await;
        self.background.read(id, since).await.unwrap().1.head
    }

    fn state(&self, id: BackgroundId) -> BackgroundState {
        self.background.list().iter().find(|look| look.card.id == id).unwrap().card.state
    }

    fn survivors(&self) -> usize {
        let entry = format!("BACKGROUND_TEST={}\0", self.mark);
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let environments = processes.filter_map(|process| std::fs::read(process.path().join("environ")).ok());
        environments.filter(|env| env.windows(entry.len()).any(|window| window == entry.as_bytes())).count()
    }

    async fn all_are_gone(&self) {
        while self.survivors() > 0 {
            // A kill takes effect when the system gets to it.
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn all_that_a_chatty_one_says_is_kept() {
    let house = House::new();
    let id = house.goes("seq 1 100000; exit 4");
    house.background.ends(id, LONG).await;
    assert_eq!(house.state(id), BackgroundState::Ended { code: Some(4) });
    let (_, kept) = house.background.read(id, Some(0)).await.unwrap();
    let all: String = (1..=100_000).map(|number| format!("{number}\n")).collect();
    assert!(kept == Kept { head: all, ..Kept::default() }, "{} bytes, lost {:?}", kept.head.len(), kept.lost);
}

#[tokio::test]
async fn what_it_wrote_before_the_question_is_read() {
    let house = House::new();
    let id = house.goes("mkfifo go done; while read n <go; do echo said $n; : >done; done; exec sleep 311");
    let fifo = |name: &str| house.folder.path().join(name);
    while !fifo("done").exists() {
        tokio::task::yield_now().await;
    }
    for number in 0..50 {
        // The runtime has one thread, and this one blocks it: nobody has read what was said by then.
        std::fs::write(fifo("go"), format!("{number}\n")).unwrap();
        std::fs::read(fifo("done")).unwrap();
        let (_, kept) = house.background.read(id, None).await.unwrap();
        assert_eq!(kept.head, format!("said {number}\n"));
    }
    house.background.wind_up().await;
}

#[tokio::test]
async fn the_last_that_it_wrote_before_it_was_stopped_is_read() {
    let house = House::new();
    let id = house.goes("mkfifo done; echo on; printf 'half a line'; : >done; exec sleep 312");
    let done = house.folder.path().join("done");
    while !done.exists() {
        tokio::task::yield_now().await;
    }
    std::fs::read(done).unwrap();
    house.background.stop(Some(id));
    house.background.ends(id, LONG).await;
    let (_, kept) = house.background.read(id, None).await.unwrap();
    assert_eq!(kept.head, "on\nhalf a line");
}

#[tokio::test]
async fn only_what_is_new_is_read_and_all_of_it_where_that_is_asked_for() {
    let house = House::new();
    let id = house.goes("echo one; while [ ! -e go ]; do sleep 0.01; done; echo two; exec sleep 300");
    assert_eq!(house.says(id, None).await, "one\n");
    std::fs::write(house.folder.path().join("go"), "").unwrap();
    assert_eq!(house.says(id, None).await, "two\n");
    let (look, kept) = house.background.read(id, None).await.unwrap();
    assert_eq!((look.total, kept.head.as_str()), (8, ""));
    assert_eq!(house.background.read(id, Some(0)).await.unwrap().1.head, "one\ntwo\n");
    assert_eq!(house.background.read(id, Some(4)).await.unwrap().1.head, "two\n");
    house.background.wind_up().await;
}

#[tokio::test]
async fn stopping_one_ends_all_that_it_started_and_leaves_the_others() {
    let house = House::new();
    let stubborn = house.goes("trap '' TERM; sleep 301 & echo on; while :; do sleep 302; done");
    let other = house.goes("echo on; exec sleep 303");
    house.says(stubborn, None).await;
    house.says(other, None).await;
    house.background.stop(Some(stubborn));
    house.background.ends(stubborn, LONG).await;
    // What is told as stopped is gone, however slow the machine is.
    assert_eq!((house.state(stubborn), house.state(other)), (BackgroundState::Stopped, BackgroundState::Running));
    assert_eq!(house.survivors(), 1);
    house.background.wind_up().await;
    house.all_are_gone().await;
    assert_eq!(house.state(other), BackgroundState::Stopped);
}

#[tokio::test]
async fn nothing_outlives_the_last_who_knows_of_it() {
    let mut house = House::new();
    let id = house.goes("sleep 304 & echo on; exec sleep 305");
    house.says(id, None).await;
    assert!(house.survivors() > 0);
    let ground = Ground::of_this_process(house.folder.path().into()).unwrap();
    house.background = Background::new(&ground, Network::new(&ground));
    house.all_are_gone().await;
}

#[tokio::test]
async fn one_that_is_given_up_at_its_beginning_is_gone_and_was_never_heard_of() {
    let house = House::new();
    let heard = house.background.cards();
    drop(house.start("echo on; exec sleep 306").unwrap());
    house.background.wind_up().await;
    house.all_are_gone().await;
    assert!(house.background.list().is_empty() && !heard.has_changed().unwrap());
}

#[tokio::test]
async fn each_change_is_heard_of() {
    let house = House::new();
    let mut heard = house.background.cards();
    let id = house.goes("exec sleep 307");
    heard.changed().await.unwrap();
    assert_eq!(heard.borrow_and_update()[0].state, BackgroundState::Running);
    house.background.stop(Some(id));
    heard.changed().await.unwrap();
    assert_eq!(heard.borrow_and_update()[0].state, BackgroundState::Stopped);
}

#[tokio::test]
async fn secrets_do_not_come_through() {
    let house = House::new();
    let id = house.goes("echo password is hunter2-hunter2 now; exec sleep 308");
    let said = house.says(id, None).await;
    assert!(said.contains("[redacted: ") && !said.contains("hunter2"), "{said}");
    house.background.wind_up().await;
}

#[tokio::test]
async fn there_is_an_end_to_how_many_run_and_to_those_remembered() {
    let house = House::new();
    for _ in 0..MOST_RUNNING {
        house.goes("exec sleep 309");
    }
    let refused = house.start("exec sleep 310").unwrap_err();
    assert_eq!(refused.kind, FailureKind::NotReady);
    house.background.stop(None);
    for number in 1..=MOST_RUNNING as u64 {
        house.background.ends(BackgroundId(number), LONG).await;
    }
    for number in 1..=3 {
        let id = house.goes("true");
        house.background.ends(id, LONG).await;
        assert_eq!(id, BackgroundId(MOST_RUNNING as u64 + number));
    }
    let kept: Vec<u64> = house.background.list().iter().map(|look| look.card.id.0).collect();
    assert_eq!(kept, (4..=19).collect::<Vec<u64>>());
    house.background.wind_up().await;
    assert!(house.start("true").is_err(), "a session that is over starts nothing");
}
