//! What flags set, in the words of a file of settings.

use super::Args;
use crate::config::listing::Flagged;
use toml::Value as Toml;

impl Args {
    /// The settings that these flags set.
    pub(crate) fn settings(&self) -> Vec<Flagged> {
        let text = |text: &str| Toml::String(text.to_owned());
        let wishes = &self.wishes;
        let groups = || Toml::Array(wishes.tools.iter().map(|group| text(group)).collect());
        let form = wishes.form.as_deref().map(mode_of);
        let window = self.num_ctx.map(|window| Toml::Integer(window.cast_signed()));
        [
            ("model", self.model.as_deref().map(text), "--model"),
            ("host", self.model_server.host.as_deref().map(text), "--host"),
            ("num_ctx", window, "--num-ctx"),
            ("mode", wishes.unsafe_mode.then(|| text("unsafe")), "--unsafe"),
            ("mode", wishes.plan.then(|| text("plan")), "--plan"),
            ("tools.mode", form.map(text), "--form"),
            ("tools.groups", (!wishes.tools.is_empty()).then(groups), "--tools"),
            ("screen.inline", wishes.inline.then_some(Toml::Boolean(true)), "--inline"),
        ]
        .into_iter()
        .filter_map(|(name, value, flag)| Some((name, value?, flag)))
        .collect()
    }
}

/// What `[tools] mode` calls a form of work.
pub(crate) fn mode_of(form: &str) -> &str {
    if form == "calls" { "native" } else { form }
}
