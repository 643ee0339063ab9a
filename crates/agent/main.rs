//! The front door: reads arguments and config, wires the house, and leaves with an exit code.

mod agents;
mod args;
mod config;
mod demo;
mod disposable;
mod editor;
mod guard;
mod hooks;
mod keeping;
mod lines;
mod look;
mod memory;
mod own_commands;
mod servers;
mod session;
mod skills;
mod start;
mod subcommands;
mod words;

use agent_headless::End;
use agent_protocol::sanitize::{clean_text, panic_words};
use args::{Args, Command};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // What panicked may have been about to print foreign text; the screen has a hook of its own.
    std::panic::set_hook(Box::new(|panic| {
        say(&mut std::io::stderr(), format!("{}\n", panic_words(panic)).as_bytes());
    }));
    let args = Args::read();
    if let Some(Command::Completions { shell }) = args.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut args::command(), "agent", &mut script);
        return say(&mut std::io::stdout(), &script);
    }
    if let Some(Command::Manual { folder }) = &args.command {
        return subcommands::manual(folder).unwrap_or_else(|error| {
            complain(&error);
            ExitCode::from(End::Failed.code())
        });
    }
    match start::run(args) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            ExitCode::from(End::WrongUsage.code())
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
