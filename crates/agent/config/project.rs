//! What a project's own file may do: make things safer, and nothing else.

use super::file::File;
use agent_protocol::Mode;
use std::num::NonZeroU32;

/// Takes from `layer` what is safer than `merged`, and says what was not taken. Which tools it leaves is asked beside
/// the person's own choice, so that it can only narrow that.
pub(crate) fn tighten(merged: &mut File, layer: &File, notices: &mut Vec<String>) {
    let mut refused = Vec::new();
    match layer.mode {
        Some(Mode::Safe) => merged.mode = Some(Mode::Safe),
        Some(Mode::Unsafe) => refused.push("mode = \"unsafe\""),
        None => {}
    }
    lower(&mut merged.limits.steps, layer.limits.steps, "limits.steps", &mut refused);
    lower(&mut merged.limits.repeats, layer.limits.repeats, "limits.repeats", &mut refused);
    lower(&mut merged.limits.alternations, layer.limits.alternations, "limits.alternations", &mut refused);
    lower(&mut merged.limits.same_words, layer.limits.same_words, "limits.same_words", &mut refused);
    let others = [
        ("host", layer.host.is_some()),
        ("model", layer.model.is_some()),
        ("num_ctx", layer.num_ctx.is_some()),
        ("keep_alive", layer.keep_alive.is_some()),
        ("think", layer.think.is_some()),
        ("options", !layer.options.is_empty()),
        ("tools.mode", layer.tools.mode.is_some()),
        ("screen", layer.screen != super::file::Screen::default()),
        ("keys", !layer.keys.is_empty()),
    ];
    refused.extend(others.iter().filter(|(_, said)| *said).map(|(name, _)| *name));
    if !refused.is_empty() {
        notices.push(format!(
            "this project's .agent/config.toml sets {}; a project can only make things safer, so that was not taken",
            refused.join(", ")
        ));
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
