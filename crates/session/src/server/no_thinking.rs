//! A server that does not take what is asked of a model's thinking: from then on nothing is asked of it in this session.

use crate::context::one_line;
use crate::out::Out;
use crate::server::Server;
use agent_protocol::{NoticeLevel, ServerEvent, Think};

/// So much of the server's words is shown, in bytes.
const WORDS: usize = 160;

impl Server {
    /// The server refused a request with `think`, in these words. True where the same can be asked without it: once for each
    /// model, until the user sets it anew.
    pub(crate) fn stop_asking_to_think(&mut self, think: Option<Think>, words: &str, out: &mut Out) -> bool {
        let Some(think) = think.filter(|_| !self.refuses_thinking()) else { return false };
        let set_by = if self.think == Some(think) {
            " (set by you: think in the config, or /think)"
        } else if self.measure.tuned().and_then(|tuned| tuned.think) == Some(think) {
            " (found by measuring this model)"
        } else if self.family().and_then(|family| family.think) == Some(think) {
            " (usual for this family of models)"
        } else {
            ""
        };
        let (name, words) = (self.model_name(), one_line(words, WORDS));
        let level = serde_json::to_string(&think).unwrap_or_default();
        let text = format!("the server refuses think = {level} for {name}{set_by}; asked again without it ({words})");
        out.notice(NoticeLevel::Warning, text);
        let shown = self.think().is_some();
        self.unthinking.insert(name);
        if shown {
            out.emit(ServerEvent::ThinkSet { think: None });
        }
        true
    }

    /// Has the server refused to be asked about this model's thinking?
    pub(super) fn refuses_thinking(&self) -> bool {
        self.unthinking.contains(&self.model_name())
    }
}
