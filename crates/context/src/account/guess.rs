//! One guess at how a server counts: tokens are a sum over features, and each weight is known so well and no better.
//!
//! A count makes the weights that it bears on better known, together with those that go with them (recursive least squares
//! with a prior). What is foretold badly makes the guess as a whole less likely.

use super::features::{FEATURES, Features, Matrix};
use super::prior::Prior;

/// Counts that lie further off than so many standard deviations weigh less, the less the further.
const SURPRISING: f64 = 3.0;

/// How much of what was known once is taken as unknown again with each count: what a server writes changes with what is
/// talked about.
const FORGETTING: f64 = 0.002;

/// What a guess foretold well long ago counts less than what it foretells now.
const FADING: f64 = 0.95;

/// One guess.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    weights: [f64; FEATURES],
    /// How uncertain they are, and how they hang together.
    covariance: Box<Matrix>,
    /// The variance of each weight before anything was known.
    at_first: [f64; FEATURES],
    /// By how much of a count the guess is off even where its weights are right.
    inexact: f64,
    /// By how much of a token each token is.
    uneven: f64,
    /// How well it foretold so far: the logarithm of its likelihood.
    score: f64,
}

/// What a count is expected to be.
struct Foretold {
    tokens: f64,
    variance: f64,
    /// The covariance times the features.
    bearing: [f64; FEATURES],
}

impl Guess {
    pub(super) fn new(prior: &Prior) -> Self {
        let covariance = prior.covariance();
        let at_first = std::array::from_fn(|index| covariance[index][index]);
        Guess {
            weights: prior.weights,
            covariance: Box::new(covariance),
            at_first,
            inexact: prior.inexact,
            uneven: prior.uneven,
            score: prior.likely.ln(),
        }
    }

    pub(super) fn weights(&self) -> &[f64; FEATURES] {
        &self.weights
    }

    pub(super) fn score(&self) -> f64 {
        self.score
    }

    /// These features were so many tokens, known as well as `doubt` says: a standard deviation in tokens.
    pub(super) fn learn(&mut self, features: &Features, tokens: f64, doubt: f64) {
        let counts = features.counts();
        let foretold = self.foretell(counts);
        let noise = (self.inexact * tokens).powi(2) + self.uneven * self.uneven * tokens + doubt * doubt + 1.0;
        let expected = foretold.variance + noise;
        let off = tokens - foretold.tokens;
        let surprise = off * off / expected;
        self.score = self.score * FADING - 0.5 * (capped(surprise) + expected.ln());
        let damped = foretold.variance + noise * (surprise / (SURPRISING * SURPRISING)).max(1.0);
        for (weight, bearing) in self.weights.iter_mut().zip(foretold.bearing) {
            *weight += bearing / damped * off;
        }
        for (row, left) in self.covariance.iter_mut().zip(foretold.bearing) {
            for (entry, right) in row.iter_mut().zip(foretold.bearing) {
                *entry -= left * right / damped;
            }
        }
        self.forget();
        self.keep_from_below_zero();
    }

    /// The score is only good for comparison; it is kept near zero.
    pub(super) fn rescore(&mut self, best: f64) {
        self.score -= best;
    }

    fn foretell(&self, counts: &[f64; FEATURES]) -> Foretold {
        let bearing: [f64; FEATURES] = std::array::from_fn(|index| dot(&self.covariance[index], counts));
        Foretold { tokens: dot(counts, &self.weights), variance: dot(&bearing, counts).max(0.0), bearing }
    }

    fn forget(&mut self) {
        for (index, row) in self.covariance.iter_mut().enumerate() {
            let at_first = self.at_first[index];
            row[index] = (row[index] + FORGETTING * at_first).clamp(0.0, at_first);
        }
    }

    /// Nothing takes less than no tokens. A weight that would is held at zero, and those that hang together with it move as
    /// they would had that been counted.
    fn keep_from_below_zero(&mut self) {
        for _ in 0..FEATURES {
            let lowest = (0..FEATURES).min_by(|a, b| self.weights[*a].total_cmp(&self.weights[*b]));
            let Some(lowest) = lowest.filter(|index| self.weights[*index] < -1e-9) else { break };
            let variance = self.covariance[lowest][lowest];
            if variance < 1e-12 {
                self.weights[lowest] = 0.0;
                continue;
            }
            let step = self.weights[lowest] / variance;
            for (index, weight) in self.weights.iter_mut().enumerate() {
                *weight -= self.covariance[index][lowest] * step;
            }
        }
        self.weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    }
}

/// One count that is far off says that a guess is wrong, but not that it is impossible.
fn capped(surprise: f64) -> f64 {
    surprise.min(25.0)
}

pub(super) fn dot(left: &[f64; FEATURES], right: &[f64; FEATURES]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}
