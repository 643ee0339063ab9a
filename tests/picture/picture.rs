//! Takes the pictures for the README: plays the demo up to the question with the diff, and the demo of the bench to its end,
//! and writes what the screen shows to `assets/screen.svg` and `assets/bench.svg`. `cargo run --release --example picture` does all of it, the building of the binary included.

#[expect(dead_code, reason = "the benchmark asks more of a terminal than a photographer does")]
#[path = "../measure/terminal.rs"]
mod terminal;

mod svg;

use anyhow::{Context, Result, ensure};
use portable_pty::CommandBuilder;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use terminal::Terminal;

/// Columns and rows.
const SIZE: (u16, u16) = (100, 30);
const BENCH_SIZE: (u16, u16) = (110, 38);
/// Longer than a question waits before it takes keys, and than typing keeps them from it.
const THOUGHT: Duration = Duration::from_millis(1_200);
/// So often the end of a run is waited for.
const PATIENT: u32 = 9;
/// What stands under every question.
const QUESTION: &str = "approve once";

fn main() -> Result<()> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = build(top)?;
    session(&binary, top)?;
    bench(&binary, top)
}

/// A question with its diff.
fn session(binary: &Path, top: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut terminal = Terminal::start(demo(binary, home.path(), &["demo"]), SIZE)?;
    terminal.wait_for("Find out why")?;
    terminal.watch(THOUGHT);
    terminal.press("\r")?;
    terminal.wait_for(QUESTION)?;
    terminal.watch(THOUGHT);
    terminal.press("y")?;
    terminal.wait(|screen| {
        let text = screen.contents();
        text.contains(QUESTION) && text.contains("quantity * price")
    })?;
    terminal.watch(THOUGHT);
    std::fs::write(
        top.join("assets/screen.svg"),
        svg::draw(terminal.screen(), SIZE, "agent asks before it changes a file"),
    )?;
    Ok(())
}

/// The last table of a run, and what it found.
fn bench(binary: &Path, top: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut terminal = Terminal::start(demo(binary, home.path(), &["bench", "--demo"]), BENCH_SIZE)?;
    // The whole run takes longer than a terminal is waited for.
    let ended = (0..PATIENT).any(|_| terminal.wait_for("This was the demo").is_ok());
    ensure!(ended, "the demo of the bench does not end; the screen is\n{}", terminal.screen().contents());
    std::fs::write(top.join("assets/bench.svg"), svg::draw(terminal.screen(), BENCH_SIZE, "agent bench at its end"))?;
    Ok(())
}

/// Builds the binary, which a cargo example does not bring along, and says where it is.
fn build(top: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut building = Command::new(cargo);
    building.args(["build", "--release", "--bin", "agent"]).current_dir(top);
    // What cargo told us of our own package would make some of the dependencies build anew.
    let told = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(told)) {
        building.env_remove(name);
    }
    let built = building.status()?;
    ensure!(built.success(), "the binary does not build");
    // This example lies in `target/release/examples`.
    let own = std::env::current_exe()?;
    let target = own.ancestors().nth(3).context("the example lies in the target folder")?;
    Ok(target.join("release/agent"))
}

fn demo(binary: &Path, home: &Path, args: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(binary);
    command.env_clear();
    command.env("HOME", home);
    command.env("PATH", "/usr/bin:/bin");
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    command.env("LANG", "C.UTF-8");
    command.args(args);
    command.cwd(home);
    command
}
