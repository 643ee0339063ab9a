//! What fills the prompt, part by part.

use crate::context::compaction::is_summary;
use crate::context::{Estimator, Features};
use agent_protocol::{ContextPart, Message, PartKind, Role, ToolSpec};

/// The parts of a prompt of `used` tokens, in its order, scaled so that they add up to that; empty ones are left out. `features`
/// are those of the messages.
pub(super) fn parts(
    (messages, tools): (&[Message], &[ToolSpec]),
    features: &[Features],
    used: u64,
    estimator: &Estimator,
) -> Vec<ContextPart> {
    let mut parts = PartTotals::default();
    parts.add(PartKind::Tools, tools.len(), estimator.weigh(&tools.iter().map(Features::of_tool).sum()));
    for (message, features) in messages.iter().zip(features) {
        let tokens = estimator.weigh(features);
        match message.role {
            Role::System => parts.add_system(&message.content, tokens, tools.is_empty(), estimator),
            Role::User if is_summary(message) => parts.add(PartKind::Summary, 1, tokens),
            Role::User => parts.add(PartKind::Person, 1, tokens),
            Role::Assistant => parts.add(PartKind::Model, 1, tokens),
            Role::Tool => parts.add(PartKind::Results, 1, tokens),
        }
    }
    parts.scaled_to(used)
}

#[derive(Default)]
struct PartTotals(Vec<(PartKind, u64, f64)>);

impl PartTotals {
    fn add(&mut self, kind: PartKind, count: usize, tokens: f64) {
        let count = count as u64;
        match self.0.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, all, sum)) => (*all, *sum) = (*all + count, *sum + tokens),
            None => self.0.push((kind, count, tokens)),
        }
    }

    /// The system message holds our own words, those of the project, and the tools where they go by text.
    fn add_system(&mut self, text: &str, tokens: f64, tools_by_text: bool, estimator: &Estimator) {
        let split = crate::context::prompt::split(text, tools_by_text);
        let weigh = |text: &str| estimator.weigh(&Features::of_text(text));
        let (words, tools) = (weigh(split.words), weigh(split.tools));
        self.add(PartKind::System, 1, (tokens - words - tools).max(0.0));
        self.add(PartKind::ProjectWords, split.sources, words);
        self.add(PartKind::Tools, 0, tools);
    }

    /// Each reaches from where the one before ends, rounded, to where it ends itself: so none is lost by rounding.
    fn scaled_to(mut self, used: u64) -> Vec<ContextPart> {
        self.0.retain(|(_, _, tokens)| *tokens > 0.0);
        self.0.sort_by_key(|(kind, ..)| *kind);
        let sum: f64 = self.0.iter().map(|(_, _, tokens)| tokens).sum();
        let (mut end, mut told) = (0.0, 0);
        let parts = self.0.into_iter().map(|(kind, count, tokens)| {
            end += tokens;
            let tokens = (end / sum * used as f64).round() as u64 - told;
            told += tokens;
            ContextPart { kind, tokens, count }
        });
        parts.collect()
    }
}
