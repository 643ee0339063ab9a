//! May this be looked at?
//!
//! Inside the project anything but a name that holds secrets; elsewhere after a question. In unsafe mode a secret file of
//! the project is let through by rule, and whoever reads it by rule is shown names and no values (see `Permit::leave`).

use super::{Asking, Free, Looked, Policy, Ruling, single};
use crate::{Facts, Leave, PathKind};
use agent_protocol::{Cause, Mode, Rule, RuleOffer};
use std::path::{Path, PathBuf};

/// Why a path is not simply looked at.
enum Reason {
    Outside,
    Secret,
}

impl Policy {
    pub(super) fn judge_look(&self, paths: &[PathBuf], facts: &Facts, looked: &Looked) -> Ruling {
        if let Some(path) = paths.iter().find(|path| self.own(path) && !self.readable(path)) {
            return Ruling::Deny(format!("{} is this program's own; nobody reads it for a model", path.display()));
        }
        // Where there is nothing, there is nothing to be seen; a file made there is asked about for itself.
        let there = |path: &PathBuf| facts.kind(path) != Some(PathKind::Missing);
        let reasons: Vec<(&PathBuf, Reason)> = paths
            .iter()
            .filter_map(|path| Some((path, self.reason_to_ask_look(path, looked)?)))
            .filter(|(path, _)| there(path))
            .collect();
        if reasons.is_empty() {
            return Ruling::Allow(self.let_look(paths, looked));
        }
        let why = match reasons[0].1 {
            Reason::Outside => "that is outside the project; to change something there would be asked again",
            Reason::Secret => "its name says that it holds secrets; the model would read them",
        };
        let warnings = reasons.iter().flat_map(|(path, reason)| self.look_warnings(path, reason)).collect();
        let offers = self.look_offers(paths);
        // What unsafe mode lets through is what its name alone speaks against.
        let by_name = |(path, reason): &(&PathBuf, Reason)| {
            matches!(reason, Reason::Secret) && !self.readable(path) && self.inside(path)
        };
        let asks_more = matches!(self.setup.mode, Mode::Safe | Mode::AcceptEdits);
        let unsafe_counts = asks_more && self.setup.held_back.is_none();
        let spared = unsafe_counts && reasons.iter().all(by_name);
        let cause = if spared { Cause::NotAllowed } else { Cause::Always };
        Ruling::Ask(Asking { offers, warnings, cause, ..Asking::because(why) })
    }

    fn let_look(&self, paths: &[PathBuf], looked: &Looked) -> Free {
        let asked =
            |path: &PathBuf| looked.paths.contains(path) && looked.leave == Leave::Person || self.said_yes(path);
        let leave = if !paths.is_empty() && paths.iter().all(asked) { Leave::Person } else { Leave::Rule };
        Free { leave, ..Free::because("it only looks, inside the project") }
    }

    fn reason_to_ask_look(&self, path: &Path, looked: &Looked) -> Option<Reason> {
        if looked.paths.iter().any(|seen| seen == path) || self.said_yes(path) {
            return None;
        }
        let secret = self.is_secret(path);
        if self.readable(path) {
            return secret.then_some(Reason::Secret);
        }
        if !self.is_open(path) {
            return Some(Reason::Outside);
        }
        let by_mode = self.setup.mode == Mode::Unsafe && self.inside(path);
        (secret && !by_mode).then_some(Reason::Secret)
    }

    fn said_yes(&self, path: &Path) -> bool {
        self.remembers(&Rule::Look { path: path.into() })
    }

    fn look_warnings(&self, path: &Path, reason: &Reason) -> Vec<String> {
        match reason {
            // Who looks at such a file may mean to change it; better to say so at once.
            Reason::Outside => std::iter::once(format!("outside the project: {}", path.display()))
                .chain(self.why_protected(path).map(|what| format!("protected: {} {what}", path.display())))
                .collect(),
            Reason::Secret => vec![format!("holds secrets: {}", self.shown(path))],
        }
    }

    fn look_offers(&self, paths: &[PathBuf]) -> Vec<RuleOffer> {
        let offer = single(paths).map(|path| RuleOffer {
            words: format!("don't ask again in this session to look at {}", self.shown(path)),
            rule: Rule::Look { path: path.clone() },
        });
        offer.into_iter().collect()
    }
}
