//! Hostile programs against the sandbox of the built binary: each is first run without it, where it must succeed, then as
//! a command of a model, where it must not. Others say whether it did: those who listen outside, files, processes.
//!
//! It is all played in namespaces of its own, in which every address, socket, home and key is made for it. `AGENT_PROBES`
//! plays those alone whose names hold one of its words (`AGENT_PROBES=docker,kill`).

mod judging;
mod listeners;
mod lookups;
mod outer;
mod playing;
mod probe;
mod questions;
mod report;
mod upstream;
mod world;

use probe::Probe;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// At least so many have to be played, or the battery says too little.
const ENOUGH: usize = 45;

#[test]
fn no_hostile_program_gets_out_of_the_sandbox() {
    match std::env::var(outer::BASE) {
        Ok(base) => play(Path::new(&base)),
        Err(_) => enter("no_hostile_program_gets_out_of_the_sandbox"),
    }
}

#[test]
fn every_probe_has_a_name_of_its_own() {
    let probes = probe::all();
    let names: BTreeSet<&str> = probes.iter().map(|probe| probe.name.as_str()).collect();
    assert_eq!(names.len(), probes.len());
    // A word goes over the wire as a label of a name, too, and of those each has at most 63 letters.
    assert!(names.iter().all(|name| name.len() <= 45));
}

#[expect(clippy::print_stdout, reason = "the table is for whoever asks for it")]
fn enter(test: &str) {
    let mut command = match outer::command(test) {
        Ok(command) => command,
        Err(why) => return println!("skipped: no world around can be made here ({why})"),
    };
    let output = command.output().expect("unshare starts");
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile.txt");
    // Whoever runs the test need not be who built it.
    let _ = std::fs::write(kept, said.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[expect(clippy::print_stdout, reason = "the table is for whoever asks for it")]
fn play(base: &Path) {
    let wanted = std::env::var("AGENT_PROBES").ok();
    let is_wanted =
        |probe: &Probe| wanted.as_ref().is_none_or(|words| words.split(',').any(|word| probe.name.contains(word)));
    let needed: BTreeSet<String> = probe::all().into_iter().filter_map(|probe| probe.needs).collect();
    let missing: BTreeSet<String> = needed.into_iter().filter(|need| !is_there(need)).collect();
    let lacks = |probe: &Probe| probe.needs.as_ref().is_some_and(|need| missing.contains(need));
    let (skipped, probes): (Vec<Probe>, Vec<Probe>) = probe::all().into_iter().filter(is_wanted).partition(lacks);
    let begun = Instant::now();
    let without = playing::without(base, &probes);
    let between = Instant::now();
    let within = playing::within(base, &probes);
    let took = [between - begun, between.elapsed()];
    println!("\n{}", report::table(&skipped, &probes, (&without, &within), took));
    let faults = report::faults(&probes, &without, &within);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(wanted.is_some() || probes.len() >= ENOUGH, "only {} probes could be played", probes.len());
}

/// Paths that are needed are those of the world around, which is not made yet.
fn is_there(need: &str) -> bool {
    match need.strip_prefix("path /var/run") {
        Some(_) => std::fs::canonicalize("/var/run").is_ok_and(|path| path == Path::new("/run")),
        None => outer::has(need),
    }
}
