//! What is believed of a server's counting before it has counted anything.
//!
//! Several ways are held possible, and what a server counts shows soon which comes nearest: pieces, as the tokenisers of today
//! make them; so many characters a token; so many bytes; words and signs, with or without a word for each Chinese character. The figures are rounded from what the published
//! tokenisers of common models make of code, prose and Chinese.

use super::features::{CHARACTERS, FEATURES, Feature, Matrix};

/// A belief.
#[derive(Debug, Clone)]
pub(super) struct Prior {
    /// Tokens a unit of each feature takes.
    pub(super) weights: [f64; FEATURES],
    /// Standard deviations of each weight by itself.
    own: [f64; FEATURES],
    /// In which directions the weights move together, as far as one standard deviation.
    together: Vec<[f64; FEATURES]>,
    /// By how much of a count it is off even where its weights are right.
    pub(super) inexact: f64,
    /// By how much of a token each token is off, some more, some less: that evens out in long texts.
    pub(super) uneven: f64,
    /// How likely it is beside the others.
    pub(super) likely: f64,
}

/// Weights and standard deviations of what stands around text, whatever the text is counted by.
const AROUND: [(Feature, f64, f64); 6] = [
    (Feature::Messages, 4.0, 3.0),
    (Feature::Results, 2.0, 3.0),
    (Feature::Calls, 10.0, 9.0),
    (Feature::Tools, 8.0, 9.0),
    (Feature::Separators, 0.2, 0.5),
    (Feature::Prompts, 10.0, 25.0),
];

/// Weights and standard deviations for pieces.
const PIECES: [(Feature, f64, f64); 19] = [
    (Feature::Letters, 0.02, 0.02),
    (Feature::Words, 0.95, 0.15),
    (Feature::Pieces, 0.45, 0.25),
    (Feature::Humps, 0.45, 0.25),
    (Feature::Digits, 0.55, 0.25),
    (Feature::Numbers, 0.3, 0.25),
    (Feature::Names, 0.02, 0.1),
    (Feature::Marks, 0.45, 0.2),
    (Feature::Underscores, 0.6, 0.25),
    (Feature::Clusters, 0.45, 0.25),
    (Feature::Blanks, 0.01, 0.03),
    (Feature::Lines, 0.2, 0.2),
    (Feature::Gaps, 0.65, 0.25),
    (Feature::Ideographs, 0.72, 0.1),
    (Feature::Kana, 0.7, 0.1),
    (Feature::Hangul, 0.85, 0.15),
    (Feature::Accented, 0.5, 0.25),
    (Feature::Wide, 0.9, 0.4),
    (Feature::Pictures, 2.0, 0.8),
];

/// Weights and standard deviations for words and signs.
const WORDS: [(Feature, f64, f64); 10] = [
    (Feature::Words, 0.1, 0.2),
    (Feature::Numbers, 0.1, 0.2),
    (Feature::Names, 0.9, 0.2),
    (Feature::Marks, 0.95, 0.1),
    (Feature::Underscores, 0.3, 0.4),
    (Feature::Clusters, 0.02, 0.1),
    (Feature::Lines, 0.1, 0.3),
    (Feature::Accented, 0.02, 0.1),
    (Feature::Wide, 0.9, 0.2),
    (Feature::Pictures, 1.0, 0.2),
];

/// Scripts of so many characters that few of them stand together in a vocabulary: where one takes much, so do the others.
const EAST: [Feature; 3] = [Feature::Ideographs, Feature::Kana, Feature::Hangul];

impl Prior {
    /// All that are held possible.
    pub(super) fn all() -> [Prior; 5] {
        [Prior::pieces(), Prior::characters(), Prior::bytes(), Prior::words(0.0), Prior::words(1.0)]
    }

    /// What an earlier session learned from so many counts.
    pub(super) fn learned(weights: [f64; FEATURES], samples: u64) -> Prior {
        let counts = samples.min(30) as f64;
        let mut prior = Prior { weights, likely: 2.0 + counts, ..Prior::pieces() };
        let known = 1.0 / (1.0 + counts / 3.0);
        let kept = known.sqrt();
        prior.own.iter_mut().for_each(|own| *own *= kept);
        prior.together.iter_mut().flatten().for_each(|entry| *entry *= kept);
        prior
    }

    fn pieces() -> Prior {
        let (weights, own) = filled(&PIECES);
        let scale = weights.map(|weight| 0.15 * weight);
        let mut east = [0.0; FEATURES];
        EAST.iter().for_each(|script| east[*script as usize] = 0.25);
        Prior { weights, own, together: vec![text_only(scale), east], inexact: 0.01, uneven: 0.4, likely: 0.5 }
    }

    fn characters() -> Prior {
        Prior::by_size(|_| 1.0, 0.28, 0.06)
    }

    fn bytes() -> Prior {
        Prior::by_size(|bytes| bytes, 0.29, 0.06)
    }

    /// So many tokens for each unit of size; `of` tells the size of a character by its bytes.
    fn by_size(of: impl Fn(f64) -> f64, unit: f64, spread: f64) -> Prior {
        let (mut weights, mut own) = filled(&[]);
        let mut scale = [0.0; FEATURES];
        for (feature, bytes) in CHARACTERS {
            weights[feature as usize] = unit * of(bytes);
            own[feature as usize] = 0.004 * of(bytes);
            scale[feature as usize] = spread * of(bytes);
        }
        Prior { weights, own, together: vec![scale], inexact: 0.003, uneven: 0.0, likely: 0.15 }
    }

    /// A word a token, and so many for each Chinese character.
    fn words(ideograph: f64) -> Prior {
        let (mut weights, mut own) = filled(&WORDS);
        for script in EAST {
            (weights[script as usize], own[script as usize]) = (ideograph, 0.05);
        }
        let scale = weights.map(|weight| 0.1 * weight);
        Prior { weights, own, together: vec![text_only(scale)], inexact: 0.004, uneven: 0.15, likely: 0.1 }
    }

    pub(super) fn covariance(&self) -> Matrix {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let own = if row == column { self.own[row].powi(2) } else { 0.0 };
                own + self.together.iter().map(|direction| direction[row] * direction[column]).sum::<f64>()
            })
        })
    }
}

/// The figures of `table` and of what stands around text; zero for all else.
fn filled(table: &[(Feature, f64, f64)]) -> ([f64; FEATURES], [f64; FEATURES]) {
    let (mut weights, mut own) = ([0.0; FEATURES], [0.0; FEATURES]);
    for (feature, weight, deviation) in table.iter().chain(&AROUND) {
        weights[*feature as usize] = *weight;
        own[*feature as usize] = *deviation;
    }
    (weights, own)
}

/// What stands around text does not grow with what text takes.
fn text_only(mut weights: [f64; FEATURES]) -> [f64; FEATURES] {
    for (feature, _, _) in AROUND {
        weights[feature as usize] = 0.0;
    }
    weights
}
