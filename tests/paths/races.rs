//! Somebody changes the file, its folder and the way there in a tight loop, while an approved write is carried out.

use crate::hands::{Dice, Hands, times};
use crate::tree::{Thing, thing, tree};
use crate::unprivileged;
use agent_protocol::{FailureKind, Status};
use std::fs::{create_dir, remove_file, rename, write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Barrier;

/// The number of races is read from `AGENT_RACES`.
#[test]
fn nothing_outside_changes_and_what_others_wrote_stands() {
    unprivileged::run("races::nothing_outside_changes_and_what_others_wrote_stands", || {
        let rounds = times("AGENT_RACES", 200);
        let mut tally = Tally::default();
        for round in 0..rounds {
            race(round, &mut tally);
        }
        say(rounds, &tally);
    });
}

#[derive(Debug, Default)]
struct Tally {
    written: u64,
    refused: u64,
    swaps: u64,
    set_aside: u64,
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is run for")]
fn say(rounds: u64, tally: &Tally) {
    println!("{rounds} races: {tally:?}");
}

const BASE: &str = "what the change was planned on\n";
const OURS: &str = "what was approved\n";

/// What the other left under the name last.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Last {
    Base,
    Text(String),
    Link,
    Folder,
    Nothing,
}

fn race(round: u64, tally: &mut Tally) {
    let folder = tempfile::Builder::new().prefix("race").tempdir_in(unprivileged::folder()).unwrap();
    let top = folder.path().canonicalize().unwrap();
    for name in ["ws", "ws/sub", "out", "aside"] {
        create_dir(top.join(name)).unwrap();
    }
    write(top.join("ws/sub/a"), BASE).unwrap();
    for name in ["a", "b", ".writing-00000000"] {
        write(top.join("out").join(name), format!("theirs: {name}")).unwrap();
    }
    let outside = tree(&top.join("out"));
    let hands = Hands::new(&top.join("ws"));
    let approved = hands.approved("sub/a", OURS);
    let start = Barrier::new(2);
    let (outcome, last, swaps) = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            start.wait();
            Other { top: top.clone(), dice: Dice::new(round + 1), made: 0 }.swaps()
        });
        start.wait();
        let outcome = hands.perform(approved);
        let (last, swaps) = other.join().unwrap();
        (outcome, last, swaps)
    });
    assert_eq!(tree(&top.join("out")), outside, "race {round}: {last:?} {outcome:?}");
    let done = outcome.status == Status::Done;
    let stale = outcome.status == Status::Failed { kind: FailureKind::Stale };
    assert!(done || stale, "race {round}: {outcome:?}");
    stands(&top, &last, done).unwrap_or_else(|now| panic!("race {round}: {last:?}, {now:?}, {outcome:?}"));
    tally.written += u64::from(done);
    tally.refused += u64::from(stale);
    tally.swaps += swaps;
    tally.set_aside += leftovers(&top.join("ws/sub"), round);
}

/// Is what the other wrote last still there? Ours may stand only where the other left what ours was planned on.
fn stands(top: &Path, last: &Last, done: bool) -> Result<(), Option<Thing>> {
    let now = thing(&top.join("ws/sub/a"));
    let text = match &now {
        Some(Thing::File { bytes, .. }) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Some(Thing::Link(_) | Thing::Folder | Thing::Special) | None => None,
    };
    let right = match last {
        Last::Base => text.as_deref() == Some(BASE) || done && text.as_deref() == Some(OURS),
        Last::Text(theirs) => text.as_ref() == Some(theirs),
        Last::Link => matches!(now, Some(Thing::Link(_))),
        Last::Folder => now == Some(Thing::Folder),
        // What was moved away while ours lay in its place for a moment comes back rather than being lost.
        Last::Nothing => text.as_deref() != Some(OURS),
    };
    if right { Ok(()) } else { Err(now) }
}

/// No file of ours is left; what had no place any more is beside, under a name that says so.
fn leftovers(folder: &Path, round: u64) -> u64 {
    let names = crate::tree::names(folder);
    let left: Vec<&String> = names.iter().filter(|name| name.starts_with('.')).collect();
    assert!(left.is_empty(), "race {round}: {left:?}");
    names.iter().filter(|name| name.contains(".kept-")).count() as u64
}

struct Other {
    top: PathBuf,
    dice: Dice,
    made: u64,
}

impl Other {
    fn swaps(mut self) -> (Last, u64) {
        let mut last = Last::Base;
        // A write takes its time to reach the disk; the other begins somewhere in it.
        for _ in 0..self.dice.below(500_000) {
            std::hint::spin_loop();
        }
        let swaps = 1 + self.dice.below(24);
        for _ in 0..swaps {
            for _ in 0..self.dice.below(6_000) {
                std::hint::spin_loop();
            }
            last = self.swap(last);
        }
        (last, swaps)
    }

    /// One change, made as an editor makes it: by a name that is moved into place.
    fn swap(&mut self, last: Last) -> Last {
        self.made += 1;
        match self.dice.below(8) {
            0..=2 => {
                let text = format!("what somebody else wrote, {}\n", self.made);
                self.put(|path| write(path, &text).unwrap());
                Last::Text(text)
            }
            3 => {
                self.put(|path| symlink("../../out/a", path).unwrap());
                Last::Link
            }
            4 => {
                self.move_away();
                // A folder has no place where something is put back in this very moment.
                match create_dir(self.file()) {
                    Ok(()) => Last::Folder,
                    Err(_) => last,
                }
            }
            5 => {
                self.move_away();
                Last::Nothing
            }
            6 => {
                self.put(|path| write(path, BASE).unwrap());
                Last::Base
            }
            _ => {
                self.turn_the_folder_away();
                last
            }
        }
    }

    fn file(&self) -> PathBuf {
        self.top.join("ws/sub/a")
    }

    fn new_name(&self) -> PathBuf {
        self.top.join("aside").join(self.made.to_string())
    }

    /// Makes something elsewhere and moves it into place, until it is there.
    fn put(&self, make: impl FnOnce(&Path)) {
        let made = self.top.join("aside").join(format!("new-{}", self.made));
        make(&made);
        let mut tries = 0;
        while rename(&made, self.file()).is_err() {
            // A folder is not replaced by a file.
            tries += 1;
            let _ = rename(self.file(), self.top.join("aside").join(format!("{}-{tries}", self.made)));
        }
    }

    fn move_away(&self) {
        let _ = rename(self.file(), self.new_name());
    }

    /// For a moment the folder's name leads outside.
    fn turn_the_folder_away(&mut self) {
        let (sub, real) = (self.top.join("ws/sub"), self.top.join("ws/real"));
        rename(&sub, &real).unwrap();
        symlink("../out", &sub).unwrap();
        for _ in 0..self.dice.below(6_000) {
            std::hint::spin_loop();
        }
        remove_file(&sub).unwrap();
        rename(&real, &sub).unwrap();
    }
}
