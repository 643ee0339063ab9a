//! The same rows without us: a plain shell, as a person has it, behind the same proxy. What does not work there is no work
//! of this machine's, and is skipped by name.

use crate::cases::Row;
use crate::registry::Registry;
use crate::stage::Stage;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that one command may take.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(20);

/// By which programs find a proxy.
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];

/// A command that goes on in the background, and all that it started.
struct Background(Child);

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Nothing may be left of it.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        drop(self.0.wait());
    }
}

/// Why `row` does not go well without a sandbox either.
pub(crate) fn fails(stage: &Stage, row: &Row, registry: Option<&Registry>) -> Option<String> {
    let mut going_on = Vec::new();
    let mut said = String::new();
    for line in &row.run {
        let (line, background) = line.strip_prefix('&').map_or((line.as_str(), false), |line| (line, true));
        let out = stage.top().join("control.txt");
        let file = std::fs::File::create(&out).unwrap();
        let mut child = Background(start(stage, line, registry, &file));
        if background {
            going_on.push(child);
            continue;
        }
        let until = Instant::now() + PATIENCE;
        let ended = loop {
            match child.0.try_wait().unwrap() {
                Some(status) => break status.success(),
                None if Instant::now() > until => break false,
                None => std::thread::sleep(LOOK),
            }
        };
        said = std::fs::read_to_string(&out).unwrap_or_default();
        if !ended {
            return Some(format!("fails without a sandbox too: {}", last(&said)));
        }
    }
    (!said.contains(&row.says)).then(|| format!("says something else without a sandbox too: {}", last(&said)))
}

fn start(stage: &Stage, line: &str, registry: Option<&Registry>, out: &std::fs::File) -> Child {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("/bin/sh");
    shell.env_clear().envs(stage.environment()).env("GIT_TERMINAL_PROMPT", "0").args(["-c", line]);
    if let Some(registry) = registry {
        PROXIES.iter().for_each(|name| {
            shell.env(name, registry.proxy());
        });
        shell.env("no_proxy", "127.0.0.1,localhost").env("NO_PROXY", "127.0.0.1,localhost");
    }
    shell.current_dir(stage.project()).stdin(Stdio::null()).process_group(0);
    shell.stdout(out.try_clone().unwrap()).stderr(out.try_clone().unwrap()).spawn().unwrap()
}

/// The end of what it said, in one line.
fn last(said: &str) -> String {
    let line = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing");
    line.chars().take(160).collect()
}
