//! What text costs in tokens, learned from the server's counts.
//!
//! Servers count by rules that a client does not know. Several guesses are kept beside each other, each learns from every
//! count, and each counts for as much as it foretold well.

mod features;
mod guess;
mod prior;

pub use features::Features;

use agent_protocol::Calibration;
use features::FEATURES;
use guess::{Guess, dot};
use prior::Prior;

/// A count so many times larger or smaller than expected tells nothing of tokens.
const ABSURD: f64 = 8.0;

/// By so many tokens a count may be off in any case.
const SLACK: f64 = 100.0;

/// Of what a thousand characters of code and prose consist, more or less: for telling how many characters a token holds.
const TYPICAL: &str = include_str!("account/typical.txt");

/// Learns how many tokens each feature takes, from the server's counts.
#[derive(Debug, Clone)]
pub struct Estimator {
    guesses: Vec<Guess>,
    /// What all guesses come to, each as likely as it is.
    weights: [f64; FEATURES],
    samples: u64,
}

impl Estimator {
    /// One that goes on from what is `known`. Where that is of another length, or makes no sense, it begins anew.
    pub fn new(known: Option<&Calibration>) -> Self {
        let earlier = known.and_then(|known| Some((learned(known)?, known.samples)));
        let mut guesses: Vec<Guess> = Prior::all().iter().map(Guess::new).collect();
        if let Some((weights, samples)) = earlier {
            guesses.push(Guess::new(&Prior::learned(weights, samples)));
        }
        let mut estimator = Estimator { guesses, weights: [0.0; FEATURES], samples: earlier.map_or(0, |(_, n)| n) };
        estimator.weigh_guesses();
        estimator
    }

    /// Tokens that text with these features takes.
    pub fn tokens(&self, features: &Features) -> u64 {
        self.weigh(features).round() as u64
    }

    /// Text with these features was so many tokens. A count that cannot be is passed over.
    pub fn learn(&mut self, features: &Features, tokens: u64) {
        self.learn_with(features, tokens as f64, 0.0);
    }

    /// What was learned, to be kept between sessions.
    pub fn calibration(&self) -> Calibration {
        Calibration { weights: self.weights.to_vec(), samples: self.samples }
    }

    /// Characters that a token holds in code and prose, as far as learned.
    pub fn characters_per_token(&self) -> f64 {
        let typical = Features::of_text(TYPICAL);
        typical.characters() / self.weigh(&typical).max(1.0)
    }

    /// From how many counts this was learned.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The same as [`Estimator::tokens`], not rounded.
    pub(crate) fn weigh(&self, features: &Features) -> f64 {
        dot(features.counts(), &self.weights)
    }

    /// Learns from a count that is known as well as `doubt` says: a standard deviation in tokens. Was it taken?
    pub(crate) fn learn_with(&mut self, features: &Features, tokens: f64, doubt: f64) -> bool {
        if !self.makes_sense(features, tokens) {
            return false;
        }
        for guess in &mut self.guesses {
            guess.learn(features, tokens, doubt);
        }
        let best = self.guesses.iter().map(Guess::score).fold(f64::NEG_INFINITY, f64::max);
        self.guesses.iter_mut().for_each(|guess| guess.rescore(best));
        self.samples = self.samples.saturating_add(1);
        self.weigh_guesses();
        true
    }

    /// Can text with these features be so many tokens, for all that is known?
    pub(crate) fn makes_sense(&self, features: &Features, tokens: f64) -> bool {
        let expected = self.weigh(features);
        tokens >= 1.0 && tokens + SLACK >= expected / ABSURD && tokens <= expected * ABSURD + SLACK
    }

    fn weigh_guesses(&mut self) {
        let best = self.guesses.iter().map(Guess::score).fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = self.guesses.iter().map(|guess| (guess.score() - best).exp()).collect();
        let all: f64 = shares.iter().sum();
        self.weights = [0.0; FEATURES];
        for (guess, share) in self.guesses.iter().zip(shares) {
            for (sum, weight) in self.weights.iter_mut().zip(guess.weights()) {
                *sum += weight * share / all;
            }
        }
    }
}

/// The weights of an earlier session, where they can be used.
fn learned(known: &Calibration) -> Option<[f64; FEATURES]> {
    let weights = <[f64; FEATURES]>::try_from(known.weights.as_slice()).ok()?;
    let sound = weights.iter().all(|weight| weight.is_finite() && (0.0..1e4).contains(weight));
    let estimator_of_nothing = weights.iter().sum::<f64>() <= 0.0;
    (sound && !estimator_of_nothing).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(times: usize) -> Features {
        Features::of_text(&"The harbour was quiet when the ferry came in. ".repeat(times))
    }

    #[test]
    fn before_anything_is_learned_a_token_holds_what_it_usually_holds() {
        let estimator = Estimator::new(None);
        assert!((3.0..4.5).contains(&estimator.characters_per_token()), "{}", estimator.characters_per_token());
        let chinese = "渡轮比平时晚到了将近一个小时，船上的灯还亮着".repeat(40);
        let characters = Features::of_text(&chinese);
        let held = characters.characters() / estimator.tokens(&characters) as f64;
        assert!((1.0..2.0).contains(&held), "{held}");
        assert_eq!((estimator.samples(), estimator.tokens(&Features::default())), (0, 0));
    }

    #[test]
    fn counts_teach_and_are_counted() {
        let mut estimator = Estimator::new(None);
        for times in 1..20 {
            estimator.learn(&prose(times * 10), times as u64 * 10 * 23);
        }
        let expected = 7 * 230;
        assert!(estimator.tokens(&prose(70)).abs_diff(expected) <= 8, "{}", estimator.tokens(&prose(70)));
        assert_eq!(estimator.samples(), 19);
        assert!((1.7..2.4).contains(&estimator.characters_per_token()));
        let later = Estimator::new(Some(&estimator.calibration()));
        assert!(later.tokens(&prose(70)).abs_diff(expected) <= 80, "{}", later.tokens(&prose(70)));
        assert_eq!(later.samples(), 19);
    }

    #[test]
    fn a_count_that_cannot_be_teaches_nothing() {
        let mut estimator = Estimator::new(None);
        for absurd in [0, 1, 1_000_000_000_000_000, u64::MAX] {
            estimator.learn(&prose(200), absurd);
        }
        assert_eq!(estimator.calibration(), Estimator::new(None).calibration());
    }
}
