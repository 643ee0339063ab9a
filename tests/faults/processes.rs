//! What the system says of processes: memory, time, who is left.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long what is ending may take to be gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// Linux counts a process's time in hundredths of a second wherever it tells it.
const TICKS: f64 = 100.0;

/// Notes the most memory that a process holds, until it is gone: where it ends by itself nobody else can ask in time.
pub(crate) struct Memory {
    pid: u32,
    most: Arc<AtomicU64>,
}

impl Memory {
    pub(crate) fn of(pid: u32) -> Memory {
        let most = Arc::new(AtomicU64::new(peak(pid).unwrap_or(0)));
        let noted = most.clone();
        std::thread::spawn(move || {
            while let Some(now) = peak(pid) {
                noted.fetch_max(now, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        Memory { pid, most }
    }

    /// In MB.
    pub(crate) fn most(&self) -> u64 {
        self.most.fetch_max(peak(self.pid).unwrap_or(0), Ordering::SeqCst);
        self.most.load(Ordering::SeqCst)
    }
}

/// The most memory that the process ever held, in MB; `None` once it is gone.
fn peak(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? / 1024)
}

/// Seconds on a processor so far; `None` once it is gone.
pub(crate) fn cpu(pid: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}

/// How ready the system is to end the process when memory runs out: -1000 to 1000; `None` once it is gone.
pub(crate) fn ready_to_die(pid: u32) -> Option<i32> {
    fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).ok()?.trim().parse().ok()
}

/// Waits until no process is left that has anything to do with `folder`: works in it, or has it in its environment.
pub(crate) fn wait_none_left(folder: &Path) {
    let until = Instant::now() + PATIENCE;
    loop {
        let left = left(folder);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "processes were left behind: {left:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Such processes, each with its command line.
pub(crate) fn left(folder: &Path) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").expect("/proc can be read").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| *pid != std::process::id() && is_of(*pid, folder) && !is_over(*pid))
        .map(|pid| (pid, command_line(pid)))
        .collect()
}

/// The process below `top` (itself, a child, a child of one …) whose program is called `name`.
pub(crate) fn below(top: u32, name: &str) -> Option<u32> {
    if is_program(top, name) {
        return Some(top);
    }
    let children = fs::read_to_string(format!("/proc/{top}/task/{top}/children")).ok()?;
    children.split_whitespace().find_map(|child| below(child.parse().ok()?, name))
}

/// Does `pid` run a program called `name`?
pub(crate) fn is_program(pid: u32, name: &str) -> bool {
    fs::read_link(format!("/proc/{pid}/exe"))
        .is_ok_and(|program| program.file_name().is_some_and(|found| found == name))
}

/// Is it gone, or only waits to be noticed?
pub(crate) fn is_over(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    state.is_none_or(|state| matches!(state, 'Z' | 'X'))
}

fn is_of(pid: u32, folder: &Path) -> bool {
    let works_there = fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|place| place.starts_with(folder));
    let name = folder.as_os_str().as_encoded_bytes();
    works_there || fs::read(format!("/proc/{pid}/environ")).is_ok_and(|all| holds(&all, name))
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn command_line(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ").trim().to_owned()
}
