//! Serves a script until it is stopped: `cargo run -p agent-mock-server --example serve -- SCRIPT.json [--port N]`.
//!
//! Without a script it serves the demo's.

use agent_mock_server::{Script, Server, demo};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut script = demo::script();
    let mut port = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--port" => port = arguments.next().ok_or("--port wants a number")?.parse()?,
            path => script = Script::from_json(&std::fs::read_to_string(path)?)?,
        }
    }
    let server = Server::start_on(port, script)?;
    writeln!(std::io::stdout(), "{}", server.url())?;
    loop {
        std::thread::park();
    }
}
