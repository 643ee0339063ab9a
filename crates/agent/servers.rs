//! Servers that bring tools of their own, as a session has them: those that the user approved, and that are still what
//! they approved. None is started for that.

use crate::config::Config;
use agent_store::{Pin, PinnedTool, Pins, Place};
use agent_tools::mcp::{Mark, Offered, Pinned, Server, Way};
use std::path::PathBuf;

/// How it stands with a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Approval {
    /// It is what was approved.
    Holds(Pin),
    /// It was never approved.
    Missing,
    /// It is another by now, in these words.
    Broken(String),
}

/// What a session offers, and what the user should know of the rest. `programs` are the folders in which programs are
/// looked for by their names.
pub(crate) fn approved(config: &Config, place: &Place, programs: &[PathBuf]) -> (Vec<Pinned>, Vec<String>) {
    let (mut pinned, mut notices) = (Vec::new(), Vec::new());
    if config.mcp.is_empty() {
        return (pinned, notices);
    }
    let pins = Pins::new(place.clone()).load();
    for server in &config.mcp {
        let name = &server.name;
        let pin = pins.iter().find(|pin| pin.server == *name);
        match standing(server, pin, programs) {
            Approval::Holds(pin) => {
                let tools = pin.tools.into_iter().map(offered).collect();
                pinned.push(Pinned { server: server.clone(), mark: pin.mark, tools });
            }
            Approval::Missing => notices.push(format!(
                "the server {name} of your config is not used before you approved it: `agent mcp approve {name}`"
            )),
            Approval::Broken(why) => notices.push(format!(
                "the tools of the server {name} are not offered: {why}; `agent mcp approve {name}` looks at it again"
            )),
        }
    }
    (pinned, notices)
}

/// Looks at the files of `server`, and reads them only where they look otherwise than when they were approved.
pub(crate) fn standing(server: &Server, pin: Option<&Pin>, programs: &[PathBuf]) -> Approval {
    let Some(pin) = pin else { return Approval::Missing };
    match Mark::glance(server, programs) {
        Err(error) => return Approval::Broken(error.to_string()),
        Ok(glance) if glance == pin.glance => return Approval::Holds(pin.clone()),
        Ok(_) => {}
    }
    match Mark::of(server, programs) {
        Ok(mark) if mark.whole == pin.mark => Approval::Holds(pin.clone()),
        Ok(_) => Approval::Broken("its program or its settings changed since you approved it".into()),
        Err(error) => Approval::Broken(error.to_string()),
    }
}

pub(crate) fn offered(tool: PinnedTool) -> Offered {
    Offered { name: tool.name, description: tool.description, schema: tool.schema }
}

/// The variables whose values are sent along to servers elsewhere.
pub(crate) fn sent(config: &Config) -> impl Iterator<Item = &str> {
    let elsewhere = |server: &&Server| matches!(server.way, Way::Address { .. });
    config.mcp.iter().filter(elsewhere).flat_map(Server::variables)
}

/// The values that are sent along to servers elsewhere, whatever their variables are called: secrets.
pub(crate) fn secret_values(config: &Config) -> Vec<String> {
    sent(config).filter_map(|name| std::env::var(name).ok()).filter(|value| value.len() >= 8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;

    #[test]
    fn what_was_approved_holds_until_its_program_or_its_settings_change() {
        let folder = tempfile::tempdir().unwrap();
        let programs = [folder.path().to_owned()];
        let program = folder.path().join("notes");
        fs::write(&program, "one").unwrap();
        let way = Way::Program { argv: vec!["notes".into()], env: Vec::new() };
        let server = Server { name: "notes".into(), way, timeout: Duration::from_secs(1) };
        let Mark { whole, glance, .. } = Mark::of(&server, &programs).unwrap();
        let pin = Pin { server: "notes".into(), mark: whole, glance, tools: Vec::new(), since: String::new() };
        let stands = |server: &Server| standing(server, Some(&pin), &programs);
        assert_eq!(standing(&server, None, &programs), Approval::Missing);
        assert_eq!(stands(&server), Approval::Holds(pin.clone()));
        fs::remove_file(&program).unwrap();
        assert!(matches!(stands(&server), Approval::Broken(_)));
        fs::write(&program, "one").unwrap();
        assert_eq!(stands(&server), Approval::Holds(pin.clone()), "another file with the same bytes");
        fs::write(&program, "two").unwrap();
        assert!(matches!(stands(&server), Approval::Broken(_)));
        fs::write(&program, "one").unwrap();
        let way = Way::Program { argv: vec!["notes".into(), "--all".into()], env: Vec::new() };
        assert!(matches!(stands(&Server { way, ..server.clone() }), Approval::Broken(_)));
    }
}
