//! The front door: reads arguments and config, wires the house, and leaves with an exit code.

mod args;
mod config;
mod demo;
mod session;
mod start;
mod words;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(Command::Completions { shell }) = args.command {
        clap_complete::generate(shell, &mut Args::command(), "agent", &mut std::io::stdout());
        return ExitCode::SUCCESS;
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
    use std::io::Write;
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    drop(writeln!(std::io::stderr(), "agent: {}", causes.join(": ")));
}
