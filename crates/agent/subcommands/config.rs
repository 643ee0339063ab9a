//! `agent config`: what is set, and who says so. No session is opened for it, no server is asked.

use crate::args::ConfigWish;
use crate::config::listing::Listing;
use crate::config::{self, DEFAULT, Faulty, Sources, writing};
use agent_headless::End;
use agent_protocol::sanitize::clean_text;
use anyhow::Result;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Prints what `wish` asks for; `user` is the user's folder of settings, `project` the folder at hand.
pub(crate) fn config(wish: &ConfigWish, user: &Path, project: &Path) -> Result<ExitCode> {
    if wish.defaults {
        return Ok(print(DEFAULT));
    }
    let env = |name: &str| std::env::var(name).ok();
    let sources = Sources { user_folder: user, project, env, faulty: Faulty::Say };
    if let Some(name) = wish.name.as_deref().filter(|_| wish.value.is_some() || wish.unset) {
        return Ok(write(&sources, name, wish.value.as_deref()));
    }
    for notice in config::load(&sources)?.notices {
        let line = format!("agent: {notice}\n");
        // What cannot be said here is not worth to end for: it is said at every start.
        drop(io::stderr().write_all(clean_text(&line).as_bytes()));
    }
    let mut listing = Listing::of(&sources);
    wish.name.as_deref().map_or(Ok(()), |name| listing.narrow(name))?;
    let text = if wish.json { format!("{}\n", listing.json()) } else { listing.text() };
    let end = print(&text);
    Ok(if listing.faulty { ExitCode::from(End::WrongUsage.code()) } else { end })
}

/// Writes one setting, and says what holds then.
fn write(sources: &Sources<'_>, name: &str, value: Option<&str>) -> ExitCode {
    match writing::set(sources.user_folder, name, value) {
        Ok(()) => {
            let mut listing = Listing::of(sources);
            // Where nothing else sets it there is nothing left to say of it.
            let text =
                listing.narrow(name).map_or_else(|_| format!("{name} is not set any more\n"), |()| listing.text());
            print(&text)
        }
        Err(error) => {
            drop(io::stderr().write_all(clean_text(&format!("agent: {error}\n")).as_bytes()));
            ExitCode::from(End::Failed.code())
        }
    }
}

/// What stands in files may be anybody's words.
fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(clean_text(text).as_bytes()).and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(End::PipeClosed.code()),
        Err(_) => ExitCode::from(End::Failed.code()),
    }
}
