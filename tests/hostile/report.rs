//! The table of all probes: what each tries, how it went without the sandbox and within, and what held it.

use crate::playing::Played;
use crate::probe::Probe;
use std::fmt::Write;
use std::time::Duration;

/// Probes that the sandbox does not hold yet, and controls that do not work yet, each with its reason. One that is held or
/// works has to leave this list.
pub(crate) const WAITING: &[(&str, &str)] = &[
    ("granted-host-works", "no host can be granted yet"),
    ("any-granted-host-works", "no host can be granted yet"),
    ("own-loopback-works", "there is no loopback for commands yet"),
    ("own-path-socket-works", "there are no sockets for commands yet"),
    ("shared-memory", "the memory that programs share by number is not apart yet"),
    ("plant-shm", "/dev/shm is shared yet"),
    ("read-shm", "/dev/shm is shared yet"),
    ("read-tmp", "/tmp can be read yet"),
    ("next-project-tmp", "/dev/shm is shared yet"),
    ("mode", "modes of files outside are not held yet"),
    ("times", "times of files outside are not held yet"),
];

/// The table as text.
pub(crate) fn table(
    skipped: &[Probe],
    probes: &[Probe],
    (without, within): (&[Played], &[Played]),
    took: [Duration; 2],
) -> String {
    let mut text =
        String::from("probe | tries to reach or change | without | in the sandbox | last words in the sandbox\n");
    for ((probe, bare), held) in probes.iter().zip(without).zip(within) {
        let bare = if bare.succeeded { "succeeds" } else { "FAILS" };
        let end = match (held.succeeded, probe.control) {
            (true, true) => "works",
            (true, false) => "SUCCEEDS",
            (false, true) => "DOES NOT WORK",
            (false, false) => "held",
        };
        let waits = if is_waiting(probe) { " (waits)" } else { "" };
        let words: String = held.said.chars().filter(|letter| !letter.is_control()).take(90).collect();
        let _ = writeln!(text, "{} | {} | {bare} | {end}{waits} | {words}", probe.name, probe.tries);
    }
    for probe in skipped {
        let need = probe.needs.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{} | {} | skipped: this machine has no {need} | |", probe.name, probe.tries);
    }
    let hostile = probes.iter().filter(|probe| !probe.control).count();
    let out = probes.iter().zip(within).filter(|(probe, held)| !probe.control && held.succeeded).count();
    let _ = writeln!(text, "{out} of {hostile} succeed in the sandbox; {} skipped; {took:.0?}", skipped.len());
    text
}

fn is_waiting(probe: &Probe) -> bool {
    WAITING.iter().any(|(name, _)| *name == probe.name)
}

/// What is not as it has to be.
pub(crate) fn faults(probes: &[Probe], without: &[Played], within: &[Played]) -> Vec<String> {
    let mut faults = Vec::new();
    for ((probe, bare), held) in probes.iter().zip(without).zip(within) {
        let waits = is_waiting(probe);
        let name = &probe.name;
        let said = format!("(without: {:?}, within: {:?})", bare.said, held.said);
        if !bare.succeeded {
            faults.push(format!("{name} does not succeed without the sandbox, so it shows nothing {said}"));
        }
        if !held.ran {
            faults.push(format!("{name} was never begun in the sandbox, so it shows nothing"));
        }
        match (held.succeeded == probe.control, waits) {
            (true, false) | (false, true) => {}
            (true, true) => faults.push(format!("{name} is as it has to be: take it off the list of what waits")),
            (false, false) if probe.control => faults.push(format!("{name} has to work in the sandbox {said}")),
            (false, false) => faults.push(format!("{name} SUCCEEDS in the sandbox: {} {said}", probe.tries)),
        }
    }
    faults
}
