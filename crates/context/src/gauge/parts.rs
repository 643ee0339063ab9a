//! What fills the prompt, part by part.

use crate::{Estimator, Features};
use agent_protocol::{ContextPart, Message, PartKind, Role, ToolSpec};

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) messages: &'a [Message],
    pub(super) tools: &'a [ToolSpec],
    pub(super) summary: Option<usize>,
    /// What the parts have to add up to.
    pub(super) used: u64,
}

/// The parts, in the order of the prompt; empty ones are left out.
pub(super) fn parts(asked: &Asked<'_>, features: &[Features], estimator: &Estimator) -> Vec<ContextPart> {
    let mut parts = Parts::default();
    parts.add(PartKind::Tools, asked.tools.len(), estimator.weigh(&asked.tools.iter().map(Features::of_tool).sum()));
    for (index, (message, features)) in asked.messages.iter().zip(features).enumerate() {
        let tokens = estimator.weigh(features);
        match message.role {
            _ if asked.summary == Some(index) => parts.add(PartKind::Summary, 1, tokens),
            Role::System => parts.add_system(&message.content, tokens, asked.tools.is_empty(), estimator),
            Role::User => parts.add(PartKind::Person, 1, tokens),
            Role::Assistant => parts.add(PartKind::Model, 1, tokens),
            Role::Tool => parts.add(PartKind::Results, 1, tokens),
        }
    }
    parts.scaled_to(asked.used)
}

#[derive(Default)]
struct Parts(Vec<(PartKind, u64, f64)>);

impl Parts {
    fn add(&mut self, kind: PartKind, count: usize, tokens: f64) {
        let count = count as u64;
        match self.0.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, all, sum)) => (*all, *sum) = (*all + count, *sum + tokens),
            None => self.0.push((kind, count, tokens)),
        }
    }

    /// The system message holds our own words, those of the project, and the tools where they go by text.
    fn add_system(&mut self, text: &str, tokens: f64, tools_by_text: bool, estimator: &Estimator) {
        let split = crate::prompt::split(text, tools_by_text);
        let weigh = |text: &str| estimator.weigh(&Features::of_text(text));
        let (words, tools) = (weigh(split.words), weigh(split.tools));
        self.add(PartKind::System, 1, (tokens - words - tools).max(0.0));
        self.add(PartKind::ProjectWords, split.sources, words);
        self.add(PartKind::Tools, 0, tools);
    }

    /// Rounded so that the sum is `used`; what is left over goes where the most was cut off.
    fn scaled_to(mut self, used: u64) -> Vec<ContextPart> {
        self.0.retain(|(_, _, tokens)| *tokens > 0.0);
        self.0.sort_by_key(|(kind, ..)| *kind);
        let sum: f64 = self.0.iter().map(|(_, _, tokens)| tokens).sum();
        let exact = |tokens: f64| tokens * used as f64 / sum;
        let mut parts: Vec<(ContextPart, f64)> = self
            .0
            .iter()
            .map(|(kind, count, tokens)| {
                let whole = exact(*tokens).floor();
                (ContextPart { kind: *kind, tokens: whole as u64, count: *count }, exact(*tokens) - whole)
            })
            .collect();
        let missing = used.saturating_sub(parts.iter().map(|(part, _)| part.tokens).sum());
        parts.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        parts.iter_mut().take(usize::try_from(missing).unwrap_or(usize::MAX)).for_each(|(part, _)| part.tokens += 1);
        parts.sort_by_key(|(part, _)| part.kind);
        parts.into_iter().map(|(part, _)| part).collect()
    }
}
