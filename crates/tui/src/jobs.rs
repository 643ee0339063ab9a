//! The commands in the background as far as a screen knows them: which there are, how each stands, and for how long.

use agent_protocol::{BackgroundCommand, BackgroundId, BackgroundState};
use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) card: BackgroundCommand,
    /// When it was first heard of, and when of its end.
    began: Duration,
    ended: Option<Duration>,
}

/// All that were heard of, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jobs(Vec<Job>);

impl Jobs {
    /// They stand like this now. Gives a line for each that ended of itself meanwhile.
    pub(crate) fn take(&mut self, cards: Vec<BackgroundCommand>, now: Duration) -> Vec<String> {
        let news = cards.iter().filter(|card| self.runs(card.id)).filter_map(news).collect();
        let known = std::mem::take(&mut self.0);
        let job = |card: BackgroundCommand| {
            let earlier = known.iter().find(|job| job.card.id == card.id);
            let over = card.state != BackgroundState::Running;
            let ended = over.then(|| earlier.and_then(|job| job.ended).unwrap_or(now));
            Job { began: earlier.map_or(now, |job| job.began), ended, card }
        };
        self.0 = cards.into_iter().map(job).collect();
        news
    }

    pub(crate) fn all(&self) -> &[Job] {
        &self.0
    }

    pub(crate) fn running(&self) -> usize {
        self.0.iter().filter(|job| job.runs()).count()
    }

    /// Does the one of this number run?
    pub(crate) fn runs(&self, id: BackgroundId) -> bool {
        self.0.iter().any(|job| job.card.id == id && job.runs())
    }

    /// `2 jobs`, while any runs.
    pub(crate) fn status(&self) -> Option<String> {
        match self.running() {
            0 => None,
            1 => Some("1 job".into()),
            many => Some(format!("{many} jobs")),
        }
    }
}

impl Job {
    pub(crate) fn runs(&self) -> bool {
        self.card.state == BackgroundState::Running
    }

    /// How long it runs, or ran.
    pub(crate) fn time(&self, now: Duration) -> Duration {
        self.ended.unwrap_or(now).saturating_sub(self.began)
    }
}

/// That it ended; nothing for one that runs, or that was stopped: whoever did that knows.
fn news(card: &BackgroundCommand) -> Option<String> {
    let BackgroundState::Ended { code } = card.state else { return None };
    let how = code.map_or("by a signal".to_owned(), |code| format!("with exit code {code}"));
    let command = card.command.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("number {} in the background ended {how}: {command}", card.id.0))
}
