//! The table of all probes: what each tries, how it went without the sandbox and within, and what held it.

use crate::playing::Played;
use crate::probe::Probe;
use std::fmt::Write;
use std::time::Duration;

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
        let words: String = held.said.chars().filter(|letter| !letter.is_control()).take(90).collect();
        let _ = writeln!(text, "{} | {} | {bare} | {end} | {words}", probe.name, probe.tries);
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

/// What is not as it has to be.
pub(crate) fn faults(probes: &[Probe], without: &[Played], within: &[Played]) -> Vec<String> {
    let mut faults = Vec::new();
    for ((probe, bare), held) in probes.iter().zip(without).zip(within) {
        let name = &probe.name;
        let said = format!("(without: {:?}, within: {:?})", bare.said, held.said);
        if !bare.succeeded {
            faults.push(format!("{name} does not succeed without the sandbox, so it shows nothing {said}"));
        }
        if !held.ran {
            faults.push(format!("{name} was never begun in the sandbox, so it shows nothing"));
        }
        if held.succeeded != probe.control {
            faults.push(match probe.control {
                true => format!("{name} has to work in the sandbox {said}"),
                false => format!("{name} SUCCEEDS in the sandbox: {} {said}", probe.tries),
            });
        }
    }
    faults
}
