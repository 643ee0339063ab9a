//! What a file may do that is not the user's alone: make things safer, and nothing else.

use super::file::{File, Network, SandboxTable};
use agent_protocol::Mode;
use std::num::NonZeroU32;

/// Whose file it is, in the words that begin a sentence about it.
pub(crate) enum Whose<'a> {
    Project,
    /// The user's, which others can write to as well.
    Open(&'a std::path::Path),
}

impl Whose<'_> {
    fn refusal(&self, refused: &str) -> String {
        match self {
            Whose::Project => format!(
                "this project's .agent/config.toml sets {refused}; a project can only make things safer, so that was not \
                 taken"
            ),
            Whose::Open(path) => format!(
                "others can write to {path}, so its {refused} was not taken; `chmod 600 {path}` makes it yours alone",
                path = path.display()
            ),
        }
    }
}

/// Takes from `layer` what is safer than `merged`, and says what was not taken. Which tools it leaves is asked beside
/// the user's own choice, so that it can only narrow that.
pub(crate) fn tighten(merged: &mut File, layer: &File, whose: &Whose<'_>, notices: &mut Vec<String>) {
    let mut refused = Vec::new();
    tighten_mode(&mut merged.mode, layer.mode, &mut refused);
    lower(&mut merged.limits.steps, layer.limits.steps, "limits.steps", &mut refused);
    lower(&mut merged.limits.repeats, layer.limits.repeats, "limits.repeats", &mut refused);
    lower(&mut merged.limits.alternations, layer.limits.alternations, "limits.alternations", &mut refused);
    lower(&mut merged.limits.same_words, layer.limits.same_words, "limits.same_words", &mut refused);
    // Without sessions there are no traces, which a project may want. With less undo nothing is safer, and what is kept
    // of other projects would go with it.
    if layer.sessions.enabled == Some(false) {
        merged.sessions.enabled = Some(false);
    }
    let SandboxTable { mode, require, writable, network, hosts, upstream_proxy, ports, env, cache_gb } = &layer.sandbox;
    // To ask where the user's own file allows is safer, but nobody's but theirs to say.
    match network {
        Some(Network::Deny) => merged.sandbox.network = Some(Network::Deny),
        Some(Network::Ask) => refused.push("sandbox.network = \"ask\""),
        Some(Network::Allow) => refused.push("sandbox.network = \"allow\""),
        None => {}
    }
    if *require == Some(true) {
        merged.sandbox.require = Some(true);
    }
    let others = [
        ("sandbox.mode", mode.is_some()),
        ("sandbox.require", *require == Some(false)),
        ("sandbox.writable", writable.is_some()),
        ("sandbox.hosts", hosts.is_some()),
        ("sandbox.upstream_proxy", upstream_proxy.is_some()),
        ("sandbox.ports", ports.is_some()),
        ("sandbox.env", env.is_some()),
        ("sandbox.cache_gb", cache_gb.is_some()),
        ("host", layer.host.is_some()),
        ("server", layer.server != super::server::ServerTable::default()),
        ("servers", !layer.servers.is_empty()),
        ("proxy", layer.proxy.is_some()),
        ("model", layer.model.is_some()),
        ("num_ctx", layer.num_ctx.is_some()),
        ("keep_alive", layer.keep_alive.is_some()),
        ("release_on_exit", layer.release_on_exit.is_some()),
        ("think", layer.think.is_some()),
        ("options", !layer.options.is_empty()),
        ("tools.mode", layer.tools.mode.is_some()),
        ("checks.command", layer.checks.command.is_some()),
        ("checks.rounds", layer.checks.rounds.is_some()),
        ("harness", layer.harness != agent_protocol::LeverChanges::default()),
        ("undo", layer.undo != super::file::Undo::default()),
        ("web", layer.web != super::web::Web::default()),
        ("sessions.enabled", layer.sessions.enabled == Some(true)),
        ("mcp", !layer.mcp.is_empty()),
        ("screen", layer.screen != super::file::Screen::default()),
        ("composer", layer.composer != super::file::ComposerTable::default()),
        ("keys", !layer.keys.is_empty()),
        ("lsp", !layer.lsp.is_empty()),
        // A project's stand apart, and run only where they were approved.
        ("hooks", !layer.hooks.is_empty() && matches!(whose, Whose::Open(_))),
    ];
    refused.extend(layer.later("").into_iter().map(|(name, _)| name));
    refused.extend(others.iter().filter(|(_, said)| *said).map(|(name, _)| *name));
    if !refused.is_empty() {
        notices.push(whose.refusal(&refused.join(", ")));
    }
}

fn tighten_mode(merged: &mut Option<Mode>, wanted: Option<Mode>, refused: &mut Vec<&'static str>) {
    match wanted {
        // Plan mode is the safest of all.
        Some(Mode::Plan) => *merged = Some(Mode::Plan),
        Some(Mode::Safe) if *merged == Some(Mode::Plan) => refused.push("mode = \"safe\""),
        Some(Mode::Safe) => *merged = Some(Mode::Safe),
        Some(Mode::AcceptEdits) => refused.push("mode = \"accept_edits\""),
        Some(Mode::Unsafe) => refused.push("mode = \"unsafe\""),
        None => {}
    }
}

fn lower(
    merged: &mut Option<NonZeroU32>,
    wanted: Option<NonZeroU32>,
    name: &'static str,
    refused: &mut Vec<&'static str>,
) {
    let Some(wanted) = wanted else { return };
    if merged.is_none_or(|limit| wanted <= limit) {
        *merged = Some(wanted);
    } else {
        refused.push(name);
    }
}
