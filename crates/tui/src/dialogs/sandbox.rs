//! The panel of the sandbox: what holds commands in, how far each may reach, and how to change it.

use super::panel::{Panel, PanelRow, pair, sandbox_words};
use agent_frontend::Session;
use agent_protocol::{Profile, SandboxKind, SandboxSupport};

/// What each profile is for.
const PROFILES: &[(Profile, &str, &str)] = &[
    (Profile::ReadOnly, "read only", "commands proved to only read"),
    (Profile::Project, "project", "every other command, at first"),
    (Profile::Network, "network", "where you say so at its question: w"),
    (Profile::Unfenced, "none", "where you say so at its question: w, and again w"),
];

/// What can be set, in the words of the config.
const SETTINGS: &[(&str, &str)] = &[
    ("mode", "\"auto\" uses what the system has; \"off\" switches the sandbox off"),
    ("require", "true: without a sandbox no command runs at all"),
    ("writable", "folders besides the project that commands may write in"),
    ("ports", "the only ports that commands with network may talk to"),
    ("env", "variables besides the usual ones that commands get"),
];

impl Panel {
    /// What holds commands in.
    pub(crate) fn sandbox(session: &Session) -> Self {
        let mut rows = match &session.sandbox {
            Some(sandbox) => in_force(sandbox),
            None => vec![pair("sandbox", "not known yet")],
        };
        rows.push(PanelRow::Heading("How far commands reach"));
        rows.extend(PROFILES.iter().map(|(profile, name, who)| pair(name, format!("{} ({who})", profile.words()))));
        rows.push(PanelRow::Heading("[sandbox] in your config"));
        rows.extend(SETTINGS.iter().map(|(key, words)| pair(key, words)));
        Panel::new("The sandbox around commands", rows)
    }
}

fn in_force(sandbox: &SandboxSupport) -> Vec<PanelRow> {
    let mut rows = vec![pair("sandbox", sandbox_words(sandbox))];
    let more = match sandbox.kind {
        SandboxKind::Kernel => None,
        SandboxKind::None => Some("every command can do what you can, and is asked about in unsafe mode too"),
        SandboxKind::Off => Some("every command can do what you can; in unsafe mode nobody is asked"),
        SandboxKind::Disposable => Some("every command can do what you can, and nothing is asked"),
    };
    rows.extend(more.map(|more| pair("so", more)));
    let label = |number| if number == 0 { "details" } else { "" };
    rows.extend(sandbox.details.iter().enumerate().map(|(number, detail)| pair(label(number), detail)));
    rows
}
