//! Takes the pictures for the README: plays the demo up to the question with the diff (`assets/screen.svg`) and the demo of the
//! bench to its end (`bench.svg`), and a session with a scripted model for a change that is reviewed hunk by hunk (`review.svg`),
//! side by side (`split.svg`), and for the composer (`composer.svg`). `cargo run --release --example picture` does all of it, the
//! building of the binary included.

#[expect(dead_code, reason = "the benchmark asks more of a terminal than a photographer does")]
#[path = "../measure/terminal.rs"]
mod terminal;

mod svg;

use agent_mock_server::{Script, Server};
use anyhow::{Context, Result, ensure};
use portable_pty::CommandBuilder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use terminal::Terminal;

/// Columns and rows.
const SIZE: (u16, u16) = (100, 30);
const BENCH_SIZE: (u16, u16) = (110, 38);
/// Wide enough for two texts side by side.
const SPLIT_SIZE: (u16, u16) = (146, 26);
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
    review(&binary, top)?;
    composer(&binary, top)?;
    bench(&binary, top)
}

/// A file, and what a model makes of it: three hunks.
const BEFORE: &str = include_str!("prices_before.txt");
const AFTER: &str = include_str!("prices_after.txt");

/// A change of which one hunk is left out, and the same side by side.
fn review(binary: &Path, top: &Path) -> Result<()> {
    for (size, keys, name, title) in [
        (SIZE, &["]", " "][..], "review.svg", "a change is reviewed hunk by hunk"),
        (SPLIT_SIZE, &["t"][..], "split.svg", "the same change, side by side"),
    ] {
        let (home, server) = (Home::new()?, scripted()?);
        let mut terminal = Terminal::start(home.command(binary, &server), size)?;
        terminal.wait_for("/ 16k")?;
        terminal.press("Round prices to whole cents in prices.py.\r")?;
        terminal.wait_for(QUESTION)?;
        for key in keys {
            terminal.watch(THOUGHT);
            terminal.press(key)?;
        }
        terminal.watch(THOUGHT);
        std::fs::write(top.join("assets").join(name), svg::draw(terminal.screen(), size, title))?;
    }
    Ok(())
}

/// A message that is being written, and the files that it may mean.
fn composer(binary: &Path, top: &Path) -> Result<()> {
    let (home, server) = (Home::new()?, scripted()?);
    let mut terminal = Terminal::start(home.command(binary, &server), SIZE)?;
    terminal.wait_for("/ 16k")?;
    for letter in "Why does @pri".chars() {
        terminal.press(&letter.to_string())?;
    }
    terminal.wait_for("prices.py")?;
    terminal.watch(THOUGHT);
    let picture = svg::draw(terminal.screen(), SIZE, "@ finds files while you write");
    std::fs::write(top.join("assets/composer.svg"), picture)?;
    Ok(())
}

/// A model that reads the file and changes it.
fn scripted() -> Result<Server> {
    let script = json!({
        "models": [{"name": "coder:30b", "context_length": 16_384}],
        "replies": [
            {"times": 1, "say": [{"text": "I read it first."}, {"call": {"name": "read_file", "arguments": {"file_path": "prices.py"}}}]},
            {"times": 1, "say": [{"text": "Three places have to round:"}, {"call": {"name": "write_file", "arguments": {
                "file_path": "prices.py", "content": AFTER
            }}}]},
        ],
    });
    Server::start(Script::from_value(script)?).context("no port can be had")
}

/// A home and a project with a few files.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let project = folder.path().join("shop");
        std::fs::create_dir_all(project.join("tests"))?;
        for (name, text) in
            [("prices.py", BEFORE), ("basket.py", "import prices\n"), ("tests/test_prices.py", "import prices\n")]
        {
            std::fs::write(project.join(name), text)?;
        }
        Ok(Home(folder))
    }

    fn command(&self, binary: &Path, server: &Server) -> CommandBuilder {
        let mut command = demo(binary, self.0.path(), &["--host", &server.url(), "--model", "coder:30b"]);
        command.cwd(self.0.path().join("shop"));
        command
    }
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
