//! Writes the page of all tools: `cargo run -p agent-tools --example table > docs/TOOLS.md`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(agent_tools::table().as_bytes())
}
