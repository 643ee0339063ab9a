//! What text costs in tokens: so many for each of a class of characters, corrected by the server's counts.
//!
//! Servers count by rules that a client does not know. At first a token holds of each class what it usually holds; each count
//! moves what is known least among that which bears on it most (a Kalman filter).

mod features;

pub use features::Features;

use agent_protocol::Calibration;
use features::CLASSES;
pub(crate) use features::TokenClass;

/// Of what a thousand characters of code and prose consist, more or less: for telling how many characters a token holds.
const TYPICAL: &str = include_str!("estimator/typical.txt");

/// Tokens that one of each class usually takes, and how far that may be off (a standard deviation). The figures lie between
/// those of published tokenisers and those of servers that count characters, bytes or words, so that each of these is learned
/// within two turns: `tests/estimate.rs` holds them to that.
const USUAL: [(TokenClass, f64, f64); CLASSES] = [
    (TokenClass::Letters, 0.14, 0.08),
    (TokenClass::Digits, 0.3, 0.3),
    (TokenClass::Signs, 0.7, 0.42),
    (TokenClass::Blanks, 0.04, 0.14),
    (TokenClass::Lines, 0.25, 0.29),
    (TokenClass::East, 0.54, 0.45),
    (TokenClass::Accented, 0.36, 0.3),
    (TokenClass::Wide, 1.26, 0.98),
    (TokenClass::Words, 0.55, 0.4),
    (TokenClass::Gaps, 0.36, 0.56),
    (TokenClass::Messages, 4.0, 4.2),
    (TokenClass::Calls, 10.0, 12.6),
    (TokenClass::Tools, 8.0, 4.6),
    (TokenClass::Separators, 0.2, 1.4),
    (TokenClass::Prompts, 10.0, 18.0),
];

/// By how much of a count it may be off even where all rates are right.
const INEXACT: f64 = 0.012;

/// By how much of a token each token is off, some more, some less: that evens out in long texts.
const UNEVEN: f64 = 0.42;

/// Counts that lie further off than so many standard deviations weigh less, the less the further.
const SURPRISING: f64 = 2.7;

/// How much of what was known once is taken as unknown again with each count.
const FORGETTING: f64 = 0.003;

/// By which share of them the rates of all kinds of text are off together (a standard deviation).
const TOGETHER: f64 = 0.19;

type Matrix = [[f64; CLASSES]; CLASSES];

/// Learns how many tokens each class takes, from the server's counts.
#[derive(Debug, Clone)]
pub struct Estimator {
    rates: [f64; CLASSES],
    covariance: Box<Matrix>,
    samples: u64,
}

impl Estimator {
    /// One that goes on from what is `known`. Where that is of another length, or makes no sense, it begins anew.
    pub fn new(known: Option<&Calibration>) -> Self {
        let earlier = known.and_then(|known| Some((learned(known)?, known.samples)));
        let (rates, samples) = earlier.unwrap_or((USUAL.map(|(_, tokens, _)| tokens), 0));
        let unsure = 1.0 / (1.0 + samples.min(30) as f64 / 3.0);
        let covariance = Box::new(at_first().map(|row| row.map(|entry| entry * unsure)));
        Estimator { rates, covariance, samples }
    }

    /// Tokens that text with these features takes.
    pub fn tokens(&self, features: &Features) -> u64 {
        self.weigh(features).round() as u64
    }

    /// What was learned, to be kept between sessions.
    pub fn calibration(&self) -> Calibration {
        Calibration { weights: self.rates.to_vec(), samples: self.samples }
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
        dot(features.counts(), &self.rates)
    }

    /// How many tokens texts are apart that differ by these features.
    pub(crate) fn distance(&self, difference: &Features) -> f64 {
        dot(&difference.counts().map(f64::abs), &self.rates)
    }

    /// Text with these features was so many tokens, give or take `doubt` (a standard deviation).
    pub(crate) fn learn(&mut self, features: &Features, tokens: f64, doubt: f64) {
        let counts = features.counts();
        let bearing = self.covariance.map(|row| dot(&row, counts));
        let variance = dot(&bearing, counts).max(0.0);
        let noise = (INEXACT * tokens).powi(2) + UNEVEN * UNEVEN * tokens.abs() + doubt * doubt + 1.0;
        let off = tokens - self.weigh(features);
        let surprise = off * off / (variance + noise);
        let damped = variance + noise * (surprise / (SURPRISING * SURPRISING)).max(1.0);
        for (index, rate) in self.rates.iter_mut().enumerate() {
            *rate += bearing[index] / damped * off;
            for (entry, other) in self.covariance[index].iter_mut().zip(bearing) {
                *entry -= bearing[index] * other / damped;
            }
        }
        self.keep_from_below_zero();
        self.forget();
        self.samples = self.samples.saturating_add(1);
    }

    /// Nothing takes less than no tokens. A rate that would is held at zero, and those that hang together with it move as they
    /// would had that been counted.
    fn keep_from_below_zero(&mut self) {
        for index in 0..CLASSES {
            let (rate, row) = (self.rates[index], self.covariance[index]);
            if rate < 0.0 && row[index] > 0.0 {
                self.rates.iter_mut().zip(row).for_each(|(other, shared)| *other -= shared * rate / row[index]);
            }
        }
        self.rates.iter_mut().for_each(|rate| *rate = rate.max(0.0));
    }

    /// What a server writes changes with what is talked about: nothing stays known for ever.
    fn forget(&mut self) {
        for (index, row) in self.covariance.iter_mut().enumerate() {
            let most = USUAL[index].2.powi(2) + together(index).powi(2);
            row[index] = (row[index] + FORGETTING * most).clamp(0.0, most);
        }
    }
}

/// How uncertain the rates are before anything was counted, and how they hang together.
fn at_first() -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let own = if row == column { USUAL[row].2.powi(2) } else { 0.0 };
            own + together(row) * together(column)
        })
    })
}

/// Where a server counts more of one kind of text than usual, it mostly counts more of all: by so much.
fn together(index: usize) -> f64 {
    let (class, tokens, _) = USUAL[index];
    if class.is_text() { TOGETHER * tokens } else { 0.0 }
}

fn dot(left: &[f64; CLASSES], right: &[f64; CLASSES]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// The rates of an earlier session, where they can be used.
fn learned(known: &Calibration) -> Option<[f64; CLASSES]> {
    let rates = <[f64; CLASSES]>::try_from(known.weights.as_slice()).ok()?;
    let sound = rates.iter().all(|rate| (0.0..1e4).contains(rate)) && rates.iter().sum::<f64>() > 0.0;
    sound.then_some(rates)
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
            estimator.learn(&prose(times * 10), times as f64 * 230.0, 0.0);
        }
        let expected = 7 * 230;
        assert!(estimator.tokens(&prose(70)).abs_diff(expected) <= 8, "{}", estimator.tokens(&prose(70)));
        assert_eq!(estimator.samples(), 19);
        assert!((1.7..2.4).contains(&estimator.characters_per_token()), "{}", estimator.characters_per_token());
        let later = Estimator::new(Some(&estimator.calibration()));
        assert!(later.tokens(&prose(70)).abs_diff(expected) <= 80, "{}", later.tokens(&prose(70)));
        assert_eq!(later.samples(), 19);
    }
}
