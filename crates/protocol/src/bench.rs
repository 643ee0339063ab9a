//! What `agent bench` found of a model, kept to be shown where models are chosen.

use crate::ModelCard;
use serde::{Deserialize, Serialize};

/// What Ollama leaves out of names.
const USUAL_TAG: &str = ":latest";

/// The last result of one model on one server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchResult {
    /// The address of the server.
    pub host: String,
    /// The model, as it was named.
    pub model: String,
    /// The digest of its weights, where it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The share of tasks solved, and its interval, each from 0 to 1.
    pub solved: (f64, f64, f64),
    pub course: String,
    /// The day, like `2026-11-26`.
    pub date: String,
    /// The version of this program.
    pub agent: String,
}

impl BenchResult {
    /// Is it of this model, or of one that had its name?
    pub fn is_of(&self, card: &ModelCard) -> bool {
        fn bare(name: &str) -> &str {
            name.strip_suffix(USUAL_TAG).unwrap_or(name)
        }
        bare(&self.model) == bare(&card.name)
    }

    /// Other weights have its name now.
    pub fn is_stale(&self, card: &ModelCard) -> bool {
        matches!((&self.digest, &card.digest), (Some(then), Some(now)) if bare_digest(then) != bare_digest(now))
    }

    /// `42 % (28–57) core, 2026-11-26`, and whether that is of the model as it is now.
    pub fn words(&self, card: &ModelCard) -> String {
        let points = |share: f64| (share * 100.0).round();
        let (share, low, high) = self.solved;
        let stale = if self.is_stale(card) { ", of earlier weights" } else { "" };
        format!("{} % ({}–{}) {}, {}{stale}", points(share), points(low), points(high), self.course, self.date)
    }
}

/// Some servers put the kind of digest in front.
fn bare_digest(digest: &str) -> &str {
    digest.strip_prefix("sha256:").unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(digest: Option<&str>) -> BenchResult {
        BenchResult {
            host: "127.0.0.1:11434".into(),
            model: "qwen3".into(),
            digest: digest.map(str::to_owned),
            solved: (0.42, 0.281, 0.569),
            course: "core".into(),
            date: "2026-11-26".into(),
            agent: "0.1.0".into(),
        }
    }

    #[test]
    fn a_result_is_shown_with_its_day_and_says_when_the_weights_are_others() {
        let card = |digest: &str| ModelCard {
            name: "qwen3:latest".into(),
            digest: Some(digest.into()),
            ..ModelCard::default()
        };
        assert!(
            result(None).is_of(&card("a")) && !result(None).is_of(&ModelCard { name: "qwen3:8b".into(), ..card("a") })
        );
        assert_eq!(result(Some("a")).words(&card("sha256:a")), "42 % (28–57) core, 2026-11-26");
        assert_eq!(result(None).words(&card("a")), "42 % (28–57) core, 2026-11-26", "nobody knows");
        assert_eq!(result(Some("b")).words(&card("a")), "42 % (28–57) core, 2026-11-26, of earlier weights");
    }
}
