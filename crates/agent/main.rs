//! The front door: reads arguments and config, wires the house, and leaves with an exit code.

mod args;
mod config;
mod demo;
mod session;
mod start;
mod words;

use agent_clean::clean_text;
use args::{Args, Command};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(Command::Completions { shell }) = args.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Args::command(), "agent", &mut script);
        return say(&mut std::io::stdout(), &script);
    }
    match start::run(args) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// Says what went wrong, with its causes. A closed standard error is no reason to fail twice.
fn complain(error: &anyhow::Error) {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    let words = format!("agent: {}\n", causes.join(": "));
    // The words may quote a file of the project.
    say(&mut std::io::stderr(), clean_text(&words).as_bytes());
}

fn say(stream: &mut dyn Write, bytes: &[u8]) -> ExitCode {
    match stream.write_all(bytes).and_then(|()| stream.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
