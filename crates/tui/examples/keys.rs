//! Writes the page of all keys: `cargo run -p agent-tui --example keys > docs/KEYS.md`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(agent_tui::keymap::page().as_bytes())
}
