//! Fills a task from a seed, so that a published one is not solved from memory. The same seed fills it the same on every
//! machine.

use crate::tree::Files;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What a key may become.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Choice {
    Listed(Vec<Value>),
    /// One number from the first to the last, both included.
    Between {
        /// The first.
        from: i64,
        /// The last.
        to: i64,
    },
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Number(i64),
    Text(String),
}

/// What `seed` chooses for each key of the task.
pub(super) fn chosen(seed: u64, task: &str, fill: &BTreeMap<String, Choice>) -> BTreeMap<String, String> {
    fill.iter().map(|(key, choice)| (key.clone(), choice.at(&format!("{seed}/{task}/{key}")))).collect()
}

impl Choice {
    fn at(&self, name: &str) -> String {
        match self {
            Choice::Listed(values) if values.is_empty() => String::new(),
            Choice::Listed(values) => match &values[remainder(name, values.len() as u64) as usize] {
                Value::Number(number) => number.to_string(),
                Value::Text(text) => text.clone(),
            },
            Choice::Between { from, to } => {
                let count = u64::try_from(to.saturating_sub(*from)).unwrap_or(0).saturating_add(1);
                from.saturating_add_unsigned(remainder(name, count)).to_string()
            }
        }
    }
}

/// SHA-256 of `name`, read as one number, modulo `count`.
fn remainder(name: &str, count: u64) -> u64 {
    let digest = Sha256::digest(name.as_bytes());
    let count = u128::from(count.max(1));
    let rest = digest.iter().fold(0_u128, |rest, byte| ((rest << 8) | u128::from(*byte)) % count);
    u64::try_from(rest).unwrap_or(0)
}

pub(super) fn filled(text: &str, chosen: &BTreeMap<String, String>) -> String {
    chosen.iter().fold(text.to_owned(), |text, (key, value)| text.replace(&format!("@@{key}@@"), value))
}

/// Files that are text filled; others as they are.
pub(super) fn files(files: &Files, chosen: &BTreeMap<String, String>) -> Files {
    let fill = |content: &Vec<u8>| match std::str::from_utf8(content) {
        Ok(text) => filled(text, chosen).into_bytes(),
        Err(_) => content.clone(),
    };
    files.iter().map(|(name, content)| (name.clone(), fill(content))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_chooses_the_same_everywhere() {
        // int(sha256("1/py-mend-laps/SPORT"), 16) % 3 and the like, reckoned elsewhere.
        let of = |seed: u64, key: &str, count| remainder(&format!("{seed}/py-mend-laps/{key}"), count);
        let all = [of(1, "SPORT", 3), of(2, "SPORT", 3), of(3, "MEAN", 3), of(1, "PAUSE", 2), of(7, "N", 1000)];
        assert_eq!(all, EXPECTED);
    }

    const EXPECTED: [u64; 5] = [0, 0, 0, 0, 667];

    #[test]
    fn a_range_reaches_both_ends_and_no_further() {
        let range = Choice::Between { from: 3, to: 5 };
        let seen: std::collections::BTreeSet<String> = (0..60).map(|seed| range.at(&format!("{seed}/t/N"))).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["3", "4", "5"]);
    }
}
