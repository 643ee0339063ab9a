//! What a model thought aloud: templates differ in how much of it they give back in later prompts.

use crate::context::Features;
use std::ops::{Add, Sub};

/// How much of the errors is that of the last time.
const NEWEST: f64 = 0.1;

/// What is in a prompt, thinking apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PromptFeatures {
    pub(super) text: Features,
    /// Thinking since the user spoke last.
    pub(super) thoughts: Features,
    pub(super) earlier_thoughts: Features,
}

impl Add for PromptFeatures {
    type Output = PromptFeatures;

    fn add(self, other: PromptFeatures) -> PromptFeatures {
        PromptFeatures {
            text: self.text + other.text,
            thoughts: self.thoughts + other.thoughts,
            earlier_thoughts: self.earlier_thoughts + other.earlier_thoughts,
        }
    }
}

impl Sub for PromptFeatures {
    type Output = PromptFeatures;

    fn sub(self, other: PromptFeatures) -> PromptFeatures {
        PromptFeatures {
            text: self.text - other.text,
            thoughts: self.thoughts - other.thoughts,
            earlier_thoughts: self.earlier_thoughts - other.earlier_thoughts,
        }
    }
}

/// What a template gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GivenBack {
    OfTheTurn,
    All,
    Nothing,
}

const WAYS: [GivenBack; 3] = [GivenBack::OfTheTurn, GivenBack::All, GivenBack::Nothing];

/// What the template in use gives back, as far as the counts tell.
#[derive(Debug, Clone)]
pub(super) struct ThinkingTemplate {
    /// By how many tokens counts were off lately, had it been each of the ways; most templates go the first.
    off: [f64; WAYS.len()],
}

impl Default for ThinkingTemplate {
    fn default() -> Self {
        ThinkingTemplate { off: [0.0, 1.0, 1.0] }
    }
}

impl ThinkingTemplate {
    /// What of a prompt the model is given.
    pub(super) fn given(&self, prompt: &PromptFeatures) -> Features {
        let best = (0..WAYS.len()).min_by(|a, b| self.off[*a].total_cmp(&self.off[*b]));
        given(WAYS[best.unwrap_or(0)], prompt)
    }

    /// A prompt grew by so many tokens, by the estimate of `weigh` for each way.
    pub(super) fn learn(&mut self, grown: &PromptFeatures, tokens: f64, weigh: impl Fn(&Features) -> f64) {
        for (off, way) in self.off.iter_mut().zip(WAYS) {
            *off += NEWEST * ((tokens - weigh(&given(way, grown))).abs() - *off);
        }
    }
}

fn given(way: GivenBack, prompt: &PromptFeatures) -> Features {
    match way {
        GivenBack::Nothing => prompt.text,
        GivenBack::OfTheTurn => prompt.text + prompt.thoughts,
        GivenBack::All => prompt.text + prompt.thoughts + prompt.earlier_thoughts,
    }
}
