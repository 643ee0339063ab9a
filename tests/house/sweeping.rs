//! What a program that was killed leaves in the temporary folder, and what becomes of it at the next start.

use crate::stage::{House, alive, text};
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A house with a place for temporary folders of its own.
struct Place(House);

impl Place {
    fn new() -> Self {
        let house = House::new(&[text("Hello.")]);
        std::fs::create_dir(house.outside().join("temporary")).unwrap();
        Place(house)
    }

    fn path(&self) -> PathBuf {
        self.0.outside().join("temporary")
    }

    fn there(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.path()).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    fn start(&self, args: &[&str]) -> Terminal {
        let mut command = self.0.command(args);
        command.env("TMPDIR", self.path());
        command.env("AGENT_LOG", "info");
        command.env("EDITOR", format!("sh '{}'", self.0.project().join("editor.sh").display()));
        Terminal::start(command, (120, 40))
    }

    /// Starts a screen as the `count`-th, and waits until it has swept.
    fn start_and_sweep(&self, count: usize) -> Terminal {
        let screen = self.start(&["--model", "m"]);
        let swept = || std::fs::read_to_string(self.0.state().join("agent.log")).unwrap_or_default();
        screen.wait("the sweep to end", |_| swept().matches("temporary folders of earlier starts").count() == count);
        screen
    }
}

fn kill(pid: u32) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn what_a_killed_agent_left_is_gone_after_the_next_start_and_what_is_in_use_stays() {
    let place = Place::new();
    let living = place.start_and_sweep(1);
    let of_living = place.there();
    assert_eq!(of_living.len(), 1, "{of_living:?}");
    let mut killed = place.start_and_sweep(2);
    let precious = place.0.outside().join("precious");
    std::fs::create_dir(&precious).unwrap();
    std::fs::write(precious.join("file"), "x").unwrap();
    symlink(&precious, place.path().join("agent-0123456789abcdef")).unwrap();
    let left: Vec<String> = place.there().into_iter().filter(|name| !of_living.contains(name)).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    kill(killed.pid());
    killed.wait_exit();
    let next = place.start_and_sweep(3);
    let there = place.there();
    let own = there.iter().filter(|name| !of_living.contains(*name) && !left.contains(name)).count();
    assert!(of_living.is_subset(&there), "that of a living one stays: {there:?}");
    assert_eq!((own, there.len()), (1, 3), "its own, that of the living one, and the link: {there:?}");
    assert!(precious.join("file").exists());
    drop((living, next));
}

#[test]
fn what_somebody_writes_in_an_editor_stays_while_they_write_though_the_agent_was_killed() {
    let place = Place::new();
    // As one with a window of its own, which does not end with the terminal.
    place.0.write("editor.sh", "trap '' HUP; echo $$ > pid.new && mv pid.new pid && exec sleep 1000\n");
    let mut screen = place.start_and_sweep(1);
    let before = place.there();
    screen.keys("a long message<c-g>");
    let pid = place.0.project().join("pid");
    let begun = Instant::now();
    while !pid.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the editor does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid: u32 = std::fs::read_to_string(pid).unwrap().trim().parse().unwrap();
    let made: Vec<String> = place.there().difference(&before).cloned().collect();
    assert_eq!(made.len(), 1, "{made:?}");
    kill(screen.pid());
    let draft = place.path().join(&made[0]).join("text.md");
    let next = place.start_and_sweep(2);
    assert!(alive(&pid.to_string()) && draft.exists(), "somebody writes in it");
    kill(pid);
    let begun = Instant::now();
    while alive(&pid.to_string()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the editor does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let last = place.start_and_sweep(3);
    assert!(!draft.exists(), "nobody does any more: {:?}", place.there());
    drop((next, last));
}

#[test]
fn the_folder_of_a_demo_goes_the_same_way() {
    let place = Place::new();
    let mut demo = place.start(&["demo"]);
    assert_eq!(place.there().len(), 2, "the sample project, and what is around commands: {:?}", place.there());
    kill(demo.pid());
    demo.wait_exit();
    let swept = place.start_and_sweep(2);
    assert_eq!(place.there().len(), 1, "{:?}", place.there());
    drop(swept);
}
