//! What was learned of a model in earlier sessions, in words.

use agent_protocol::sanitize::figures::{brief, counted, rate, window};
use agent_protocol::{Examined, LoadedModel, ModelCard, ModelProfile, ToolsBy};
use std::sync::Arc;
use std::time::Duration;

/// What was learned of models, as it is kept at the moment: another session may learn more at any time.
pub type Learned = Arc<dyn Fn() -> Vec<ModelProfile> + Send + Sync>;

/// What is known of the model of `card`: the digest tells, and where a server gives none, the name.
pub(crate) fn known_of<'a>(card: &ModelCard, known: &'a [ModelProfile]) -> Option<&'a ModelProfile> {
    known.iter().find(|profile| match &card.digest {
        Some(digest) => profile.digest == *digest,
        None => profile.name == card.name,
    })
}

/// One line a matter; none where nothing was learned.
pub(crate) fn learned(profile: &ModelProfile) -> Vec<String> {
    let speed = [
        profile.reading.map(|tokens| format!("reads {} tokens/s", rate(tokens))),
        profile.writing.map(|tokens| format!("writes {} tokens/s", rate(tokens))),
        profile.load_ms.map(|ms| format!("loads in {}", brief(Duration::from_millis(ms)))),
    ];
    let place = [
        profile.window.map(|tokens| format!("window {}", window(tokens))),
        profile.gpu_percent.map(|percent| format!("{percent} % GPU")),
    ];
    let counts = profile
        .calibration
        .as_ref()
        .map(|counts| format!("how many characters a token holds, from {}", counted(counts.samples, "count")));
    let mut lines: Vec<String> = [joined(&speed), joined(&place), counts].into_iter().flatten().collect();
    if let Some(examined) = &profile.examined {
        lines.extend(found(examined));
    }
    lines.extend(profile.tuned.iter().flat_map(|tuned| &tuned.found).map(|found| format!("suits it: {found}")));
    lines
}

fn joined(parts: &[Option<String>]) -> Option<String> {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// What an examination found of its calls.
fn found(examined: &Examined) -> Vec<String> {
    let tools = match examined.tools_by {
        Some(ToolsBy::Server) => "tools are best offered by the server",
        Some(ToolsBy::Text) => "tools are best described in the prompt",
        Some(ToolsBy::Files) => "it works best by files, without calls",
        None => "it could call no tool",
    };
    let ways: Vec<&str> = examined.ways.iter().map(|way| way.words()).collect();
    let dialects =
        if examined.dialects.is_empty() { String::new() } else { format!(" ({})", examined.dialects.join(", ")) };
    let came = (!ways.is_empty()).then(|| format!("its calls came {}{dialects}", ways.join(", ")));
    let faults = examined.faults.iter().map(|fault| format!("fault: {fault}"));
    [Some(tools.to_owned()), came].into_iter().flatten().chain(faults).collect()
}

/// How a model lies in memory: `window 32k · 21.3 GB · 100 % GPU`.
pub(crate) fn in_memory(loaded: &LoadedModel) -> String {
    let parts = [
        loaded.context_length.map(|tokens| format!("window {}", window(tokens))),
        loaded.size_bytes.map(agent_protocol::sanitize::figures::bytes),
        loaded.gpu_percent().map(|percent| format!("{percent} % GPU")),
    ];
    joined(&parts).unwrap_or_else(|| "loaded".to_owned())
}
