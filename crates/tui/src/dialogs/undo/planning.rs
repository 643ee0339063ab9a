//! Asks what an undo would change, one question at a time, and keeps the answer that is for what is chosen.
//!
//! **Invariant.** What is shown is what the house planned last: it does that, and nothing else, when it is told to.

use super::plan::PlanView;
use crate::dialogs::Surroundings;
use agent_protocol::{Op, SaidId, SessionOp, UndoDirection, UndoPlan};
use std::time::Duration;

/// After this time a question without an answer is given up, and another may be asked.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where to: back to before something was said, or forth to after it.
pub(crate) type Target = (UndoDirection, SaidId);

/// What would be changed: asked for, or known.
#[derive(Default)]
pub(crate) struct Planning {
    wanted: Option<Target>,
    asked: Option<(Target, Duration)>,
    view: Option<PlanView>,
}

impl Planning {
    /// From now on it is about `target`; what to ask the house, if it is not busy with a question.
    pub(crate) fn want(&mut self, target: Target, now: Duration) -> Option<Op> {
        if self.wanted != Some(target) {
            (self.wanted, self.view) = (Some(target), None);
        }
        let busy = self.asked.is_some_and(|(_, at)| now < at + PATIENCE);
        if busy || self.view.is_some() { None } else { self.ask(now) }
    }

    fn ask(&mut self, now: Duration) -> Option<Op> {
        let (direction, said) = self.wanted?;
        self.asked = Some(((direction, said), now));
        Some(Op::Session(SessionOp::PlanUndo { direction, said }))
    }

    /// Takes up a plan; where it is not the one wanted by now, says what to ask.
    pub(crate) fn take(&mut self, plan: &UndoPlan, around: &Surroundings<'_>) -> Option<Op> {
        let target = (plan.direction, plan.said);
        let awaited = self.asked.is_none_or(|(asked, _)| asked == target);
        // A part is planned for others, who may have gone meanwhile.
        if !awaited || plan.part.is_some() {
            return None;
        }
        self.asked = None;
        if self.wanted == Some(target) {
            self.view = Some(PlanView::new(plan.clone(), self.view.take(), around.palette, around.highlighter));
            return None;
        }
        self.ask(around.now)
    }

    /// Nothing is wanted any more.
    pub(crate) fn forget(&mut self) {
        (self.wanted, self.view) = (None, None);
    }

    /// What the plan in view is for.
    pub(crate) fn target(&self) -> Option<Target> {
        self.wanted.filter(|_| self.view.is_some())
    }

    /// The letters of the plan in view, besides the one that agrees to it.
    pub(crate) fn keys(&self) -> &'static str {
        self.view.as_ref().map_or("", PlanView::keys)
    }

    /// The plan for what is chosen, once it is here.
    pub(crate) fn view(&mut self) -> Option<&mut PlanView> {
        self.view.as_mut()
    }
}
