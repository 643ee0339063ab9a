//! What a model server tells of itself around a trial, and what of it makes the trial say nothing of the model. Pure: whoever
//! runs the trials has somebody who asks the server.

use crate::variant::Variant;
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

/// By so many points the share of a model on the graphics card may differ from load to load.
const SHARE: u8 = 5;
/// Clocks that drift apart by less have only been set right.
const SLEEP: Duration = Duration::from_secs(10);

/// What a server tells of itself and of an arm's model. What it does not tell is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerFacts {
    /// What the product is called.
    pub product: String,
    /// Its version, as it says.
    pub version: String,
    /// What stands for the model's weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Like `Q4_K_M`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantization: Option<String>,
    /// Like `24B`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// The window that the model was loaded with, in tokens; none: it is not loaded, or the server does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// How much of it lies in the graphics card's memory, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_percent: Option<u8>,
}

/// What a look at a server comes to: what it tells, or why it does not answer.
pub type Look<'a> = Pin<Box<dyn Future<Output = Result<ServerFacts, String>> + 'a>>;

pub trait Watch {
    /// Looks at the server of `arm`. It takes a moment, and loads nothing.
    fn look<'a>(&'a self, arm: &'a Variant) -> Look<'a>;
}

/// Who or what besides the model is to blame for a trial. Each holds the words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The server does not answer.
    Gone(String),
    /// It is not as it was when the arm began.
    Changed(String),
    /// It loaded the model again in the middle of the trial.
    Reloaded(String),
    Slept(String),
}

impl Blame {
    pub(crate) fn words(&self) -> &str {
        match self {
            Blame::Gone(words) | Blame::Changed(words) | Blame::Reloaded(words) | Blame::Slept(words) => words,
        }
    }
}

impl ServerFacts {
    /// In a line.
    pub fn words(&self) -> String {
        let known = |label: &str, value: &Option<String>| value.as_ref().map(|value| format!("{label}{value}"));
        let server = format!("{} {}", self.product, self.version).trim().to_owned();
        let digest = self.digest.as_ref().map(|digest| digest.chars().take(12).collect());
        let parts = [
            Some(server).filter(|server| !server.is_empty()),
            known("", &self.parameters),
            known("", &self.quantization),
            self.window.map(|window| format!("window {window}")),
            self.gpu_percent.map(|percent| format!("{percent} % on the graphics card")),
            known("digest ", &digest),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// In which way `now` is another model than this.
    fn other_model(&self, now: &ServerFacts) -> Option<String> {
        let differs = self.digest.is_some() && now.digest.is_some() && self.digest != now.digest;
        differs.then(|| "the server has another build of the model under this name now".to_owned())
    }

    /// In which way `now` is not what this was. What one of them does not tell is no difference.
    fn change(&self, now: &ServerFacts) -> Option<String> {
        match (self.window, now.window) {
            (Some(before), Some(after)) if before != after => {
                return Some(format!("the model has a window of {after} tokens now; it had {before}"));
            }
            (Some(_), None) => {
                return Some("the model is no longer in the server's memory: another program used it".to_owned());
            }
            (Some(_) | None, _) => {}
        }
        match (self.gpu_percent, now.gpu_percent) {
            (Some(before), Some(after)) if before.abs_diff(after) > SHARE => {
                Some(format!("{after} % of the model are on the graphics card now; it was {before} %"))
            }
            (_, _) => self.other_model(now),
        }
    }
}

/// What of the server keeps a trial from beginning. Another program may have loaded the model otherwise: the trial's own
/// first request puts that right.
pub(crate) fn before(began: Option<&ServerFacts>, look: Option<&Result<ServerFacts, String>>) -> Option<Blame> {
    match (began, look?) {
        (Some(began), Ok(now)) => began.other_model(now).map(Blame::Changed),
        (None, Ok(_)) | (_, Err(_)) => None,
    }
}

/// Who is to blame for a trial that has ended.
pub(crate) fn after(
    began: Option<&ServerFacts>,
    look: Option<&Result<ServerFacts, String>>,
    slept: Option<Duration>,
    reloads: u64,
) -> Option<Blame> {
    if let Some(slept) = slept {
        let words = format!("the machine slept for {} s, or its clock was set", slept.as_secs());
        return Some(Blame::Slept(words));
    }
    match (began, look) {
        (_, Some(Err(why))) => return Some(Blame::Gone(format!("the server does not answer any more: {why}"))),
        (Some(began), Some(Ok(now))) => {
            if let Some(words) = began.change(now) {
                return Some(Blame::Changed(words));
            }
        }
        (None, Some(Ok(_))) | (_, None) => {}
    }
    let words = || "the server loaded the model again in the middle of the trial".to_owned();
    (reloads > 0).then(|| Blame::Reloaded(words()))
}

/// Two clocks, of which one stands still while the machine sleeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clocks {
    wall: SystemTime,
    awake: Instant,
}

impl Clocks {
    pub(crate) fn now() -> Self {
        Clocks { wall: SystemTime::now(), awake: Instant::now() }
    }

    /// How long it slept since then.
    pub(crate) fn slept(&self) -> Option<Duration> {
        slept(self.wall.elapsed().unwrap_or_default(), self.awake.elapsed())
    }
}

fn slept(wall: Duration, awake: Duration) -> Option<Duration> {
    wall.checked_sub(awake).filter(|apart| *apart >= SLEEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> ServerFacts {
        ServerFacts {
            product: "Ollama".into(),
            version: "0.13.0".into(),
            digest: Some("abc".into()),
            window: Some(8192),
            gpu_percent: Some(63),
            ..ServerFacts::default()
        }
    }

    fn blamed(now: Result<ServerFacts, String>) -> Option<Blame> {
        after(Some(&facts()), Some(&now), None, 0)
    }

    #[test]
    fn another_window_share_or_build_is_a_change_and_a_new_version_is_none() {
        let changed = |now: ServerFacts| blamed(Ok(now)).map(|blame| blame.words().to_owned()).unwrap_or_default();
        assert!(changed(ServerFacts { window: Some(4096), ..facts() }).contains("4096 tokens now; it had 8192"));
        assert!(changed(ServerFacts { window: None, ..facts() }).contains("no longer in the server's memory"));
        assert!(changed(ServerFacts { gpu_percent: Some(40), ..facts() }).contains("40 % of the model"));
        assert!(changed(ServerFacts { digest: Some("abd".into()), ..facts() }).contains("another build"));
        for same in [
            facts(),
            ServerFacts { gpu_percent: Some(66), ..facts() },
            ServerFacts { version: "0.14.0".into(), ..facts() },
            ServerFacts { digest: None, gpu_percent: None, ..facts() },
        ] {
            assert_eq!(blamed(Ok(same.clone())), None, "{same:?}");
        }
    }

    #[test]
    fn a_server_that_is_gone_a_reload_and_a_sleep_are_to_blame() {
        let words = "the server does not answer any more: connection refused".to_owned();
        assert_eq!(blamed(Err("connection refused".into())), Some(Blame::Gone(words)));
        assert!(matches!(after(None, Some(&Ok(facts())), None, 1), Some(Blame::Reloaded(_))));
        assert!(matches!(after(None, None, Some(Duration::from_secs(600)), 0), Some(Blame::Slept(_))));
        assert_eq!(after(None, None, None, 0), None);
    }

    #[test]
    fn before_a_trial_only_the_build_counts() {
        let look = |now: ServerFacts| before(Some(&facts()), Some(&Ok(now)));
        assert_eq!(look(ServerFacts { window: Some(1), gpu_percent: None, ..facts() }), None);
        assert!(matches!(look(ServerFacts { digest: Some("abd".into()), ..facts() }), Some(Blame::Changed(_))));
        assert_eq!(before(Some(&facts()), Some(&Err("gone".into()))), None, "the trial itself says so");
    }

    #[test]
    fn a_clock_that_is_set_right_by_a_little_is_no_sleep() {
        let secs = Duration::from_secs;
        assert_eq!(slept(secs(100), secs(97)), None);
        assert_eq!(slept(secs(97), secs(100)), None);
        assert_eq!(slept(secs(700), secs(100)), Some(secs(600)));
    }

    #[test]
    fn facts_are_said_in_a_line_without_what_is_unknown() {
        let words = facts().words();
        assert_eq!(words, "Ollama 0.13.0, window 8192, 63 % on the graphics card, digest abc");
        assert_eq!(ServerFacts::default().words(), "");
    }
}
