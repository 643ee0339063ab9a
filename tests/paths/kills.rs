//! A process that writes is killed at any moment: the file is wholly the old one or the new one, and what was left lying
//! about is swept by a later session.

use crate::hands::{Dice, Hands, times};
use crate::tree::names;
use crate::unprivileged;
use agent_protocol::Status;
use std::fs::{Permissions, read_to_string, set_permissions, write};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Set for the process that is to be killed; names its project.
const VICTIM: &str = "AGENT_PATHS_VICTIM";
/// Large enough that writing takes a while.
const SIZE: usize = 300_000;
const READY: &str = "ready to be killed";

fn text(letter: char) -> String {
    let line: String = std::iter::repeat_n(letter, 99).collect();
    format!("{line}\n").repeat(SIZE / 100)
}

/// The number of kills is read from `AGENT_KILLS`.
#[test]
fn a_file_is_whole_whenever_its_writer_is_killed() {
    unprivileged::run("kills::a_file_is_whole_whenever_its_writer_is_killed", || {
        let project = unprivileged::folder().join("killed");
        std::fs::create_dir(&project).unwrap();
        let file = project.join("a.txt");
        write(&file, text('a')).unwrap();
        set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        let kills = times("AGENT_KILLS", 15);
        let (mut new, mut left) = (0, 0);
        let mut before = text('a');
        for kill in 0..kills {
            killed(&project, kill);
            let now = read_to_string(&file).unwrap();
            assert!(now == text('a') || now == text('b'), "kill {kill}: {} bytes", now.len());
            assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640, "kill {kill}");
            new += u64::from(now != before);
            left = names(&project).len() - 1;
            before = now;
        }
        let swept = swept(&project);
        say(kills, new, left, swept);
    });
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is run for")]
fn say(kills: u64, new: u64, left: usize, swept: usize) {
    println!(
        "{kills} kills: the file was whole each time, {new} times another; {left} files left at the end, {swept} swept"
    );
}

/// Starts a writer and kills it at some moment.
fn killed(project: &Path, kill: u64) {
    let mut writer = unprivileged::again(&unprivileged::folder(), "kills::writes_until_it_is_killed");
    let mut writer = writer.env(VICTIM, project).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains(READY)), "the writer did not start");
    // The moment is the point of it: nothing is waited for.
    std::thread::sleep(Duration::from_micros(Dice::new(kill + 1).below(60_000)));
    writer.kill().unwrap();
    writer.wait().unwrap();
}

/// Writes one text and then the other, for ever; does nothing unless it is to be killed.
#[test]
#[expect(clippy::print_stdout, reason = "it is waited for until it says so")]
fn writes_until_it_is_killed() {
    let Some(project) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let hands = Hands::new(&project);
    let file = project.join("a.txt");
    println!("{READY}");
    loop {
        let next = if read_to_string(&file).unwrap() == text('a') { text('b') } else { text('a') };
        let outcome = hands.perform(hands.approved("a.txt", &next));
        assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    }
}

/// Lets later sessions write until nothing is left lying about; says how much there was. What is younger than a session
/// may be somebody's who is still at it, and ages are told in whole seconds.
fn swept(project: &Path) -> usize {
    let left = names(project).len() - 1;
    let deadline = Instant::now() + Duration::from_secs(60);
    while names(project) != ["a.txt"] {
        assert!(Instant::now() < deadline, "{:?}", names(project));
        let hands = Hands::new(project);
        let outcome = hands.perform(hands.approved("a.txt", &format!("{:?}", Instant::now())));
        assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    }
    left
}
