//! What a process and all its descendants take of the machine, read from `/proc`.

use anyhow::{Context, Result};
use std::fs;

/// Ticks a second in `/proc/PID/stat`: `USER_HZ`, the same on every Linux that Rust runs on.
const TICKS_PER_SECOND: f64 = 100.0;

/// Where the fields of `/proc/PID/stat` stand, counted from the one after the program's name (see proc(5)).
const PARENT: usize = 1;
const TIMES: std::ops::Range<usize> = 11..15;

/// CPU seconds so far, user and system, those of ended children included.
pub(crate) fn cpu_seconds(process: u32) -> Result<f64> {
    let mut ticks = 0.0;
    for process in family(process)? {
        let fields = fields(process)?;
        ticks += fields[TIMES].iter().sum::<i64>() as f64;
    }
    Ok(ticks / TICKS_PER_SECOND)
}

/// Resident memory in MiB.
pub(crate) fn resident(process: u32) -> Result<f64> {
    let mut kib = 0.0;
    for process in family(process)? {
        let status = fs::read_to_string(format!("/proc/{process}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS in its status")?;
        kib += line.trim().trim_end_matches(" kB").parse::<f64>()?;
    }
    Ok(kib / 1024.0)
}

/// The process with its children and theirs.
fn family(process: u32) -> Result<Vec<u32>> {
    let entries = fs::read_dir("/proc").context("memory and processor time are read from /proc")?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    // A process that ended between the two looks has no parent any more.
    let pairs: Vec<(u32, u32)> =
        names.filter_map(|name| Some((name, u32::try_from(fields(name).ok()?[PARENT]).ok()?))).collect();
    let mut family = vec![process];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        family.extend(pairs.iter().filter(|pair| pair.1 == parent).map(|pair| pair.0));
        next += 1;
    }
    Ok(family)
}

/// The numbers after the name, which is in brackets and may itself hold brackets; the state, a letter, counts as 0.
fn fields(process: u32) -> Result<Vec<i64>> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, rest) = stat.rsplit_once(')').context("no name in its stat")?;
    Ok(rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect())
}
