//! Tells where the tokens go and what the model would be sent.

use crate::Effect;
use crate::machine::{Machine, State};
use crate::turn::rescue::Asked;
use agent_context::is_summary;
use agent_protocol::{ContextReport, Event, NoticeLevel, Trouble};

impl Machine {
    pub(crate) fn tell_context(&mut self) {
        if !self.link.is_ready() {
            return self.say_no_model();
        }
        let report = Box::new(self.report());
        self.out.emit(Event::Context { report });
    }

    fn report(&self) -> ContextReport {
        let measure = &self.link.measure;
        let messages = self.history.messages();
        let summary = messages.iter().position(is_summary);
        let parts = measure.gauge.parts(messages, self.sent_tools(), summary);
        let estimator = measure.gauge.estimator();
        ContextReport {
            model: self.link.model_name(),
            window: measure.window.clone(),
            used: parts.iter().map(|part| part.tokens).sum(),
            parts,
            reserve: measure.room.reserve,
            longest_reply: measure.room.longest_reply,
            checked: measure.gauge.checked(),
            characters_per_token: estimator.characters_per_token(),
            samples: estimator.samples(),
            reading: measure.speeds.reading(),
            writing: measure.speeds.writing(),
            reused: measure.reused,
            fitted: measure.fitted,
            cuts_silently: measure.cuts,
        }
    }

    /// Asks what the next request would look like.
    pub(crate) fn show_prompt(&mut self) {
        if !self.link.is_ready() {
            return self.say_no_model();
        }
        let request = Box::new(self.request(Asked::Plainly));
        self.out.carry_out(Effect::Render { request });
    }

    pub(crate) fn rendered(&mut self, request: String, result: Result<String, Trouble>) {
        let (rendered, trouble) = match result {
            Ok(rendered) => (Some(rendered), None),
            Err(trouble) => (None, Some(trouble)),
        };
        self.out.emit(Event::Prompt { request, rendered, trouble });
    }

    pub(crate) fn say_no_model(&mut self) {
        self.out.notice(NoticeLevel::Warning, "no model is chosen yet; /model chooses one");
    }

    /// Is nothing under way, and no session being opened?
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle) && self.resuming.is_none()
    }
}
