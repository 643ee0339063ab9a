//! What a run is measured by: its window, its speed, and what was made shorter.

use agent_protocol::{Compaction, ContextEvent, Event, Reused, ServerEvent, TurnEvent, Usage, WindowState};
use serde_json::{Map, Value, json};

/// Figures gathered from the events of a run. What was never said is absent, not 0.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    asked: Option<u64>,
    trained: Option<u64>,
    measured: Option<WindowState>,
    used: Option<u64>,
    written: Usage,
    read: Read,
    reused: Option<Reused>,
    pub(crate) fitted: Vec<Value>,
}

/// What was really read, over all replies of which that is known.
#[derive(Debug, Default)]
struct Read {
    tokens: u64,
    ns: u64,
}

impl Figures {
    /// Takes from `event` what it tells.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::Server(ServerEvent::ModelSet { window, card }) => {
                (self.asked, self.trained, self.measured) = (Some(*window), card.context_length, None);
            }
            Event::Context(ContextEvent::WindowMeasured { window }) => self.measured = Some(window.clone()),
            Event::Context(ContextEvent::Window { used, .. }) => self.used = Some(*used),
            Event::Turn(TurnEvent::Replied { usage, reused }) => self.replied(usage, *reused),
            Event::Context(ContextEvent::Fitted { how, before, after }) => {
                self.fitted.push(fitted(how, *before, *after))
            }
            _ => {}
        }
    }

    fn replied(&mut self, usage: &Usage, reused: Option<Reused>) {
        let Usage { reply_tokens, reply_ns, prompt_ns, .. } = *usage;
        if let (Some(tokens), Some(ns)) = (reply_tokens, reply_ns) {
            self.written.reply_tokens = Some(self.written.reply_tokens.unwrap_or(0).saturating_add(tokens));
            self.written.reply_ns = Some(self.written.reply_ns.unwrap_or(0).saturating_add(ns));
        }
        let Some(part) = reused else { return };
        let sum = self.reused.get_or_insert(Reused { tokens: 0, of: 0 });
        sum.tokens = sum.tokens.saturating_add(part.tokens);
        sum.of = sum.of.saturating_add(part.of);
        if let Some((read, ns)) = part.telling_read(prompt_ns) {
            self.read.tokens = self.read.tokens.saturating_add(read);
            self.read.ns = self.read.ns.saturating_add(ns);
        }
    }

    /// The window: what was asked for and how that was chosen, what the server really gives, how full it is.
    pub(crate) fn window(&self) -> Value {
        let measured = self.measured.as_ref();
        let Some(asked) = measured.map(|window| window.asked).or(self.asked) else { return Value::Null };
        json!({
            "asked": asked,
            "chosen": measured.map(|window| window.chosen),
            "trained": measured.and_then(|window| window.trained).or(self.trained),
            "effective": measured.and_then(|window| window.effective),
            "gpu_percent": measured.and_then(|window| window.gpu_percent),
            "used": self.used,
        })
    }

    /// `usage` with how fast it went, and how much of the prompts the server had still in mind (from 0 to 1).
    pub(crate) fn usage(&self, usage: &Usage) -> serde_json::Result<Value> {
        let mut told = match serde_json::to_value(usage)? {
            Value::Object(told) => told,
            _ => Map::new(),
        };
        told.insert("reading_tokens_per_second".into(), json!(self.reading().map(tenths)));
        told.insert("writing_tokens_per_second".into(), json!(self.written.tokens_per_second().map(tenths)));
        told.insert("reused_share".into(), json!(self.reused_share()));
        Ok(told.into())
    }

    fn reading(&self) -> Option<f64> {
        (self.read.ns > 0 && self.read.tokens > 0).then(|| self.read.tokens as f64 * 1e9 / self.read.ns as f64)
    }

    fn reused_share(&self) -> Option<f64> {
        let reused = self.reused.filter(|reused| reused.of > 0)?;
        Some((reused.tokens as f64 / reused.of as f64 * 1_000.0).round() / 1_000.0)
    }
}

fn tenths(rate: f64) -> f64 {
    (rate * 10.0).round() / 10.0
}

fn fitted(how: &Compaction, before: u64, after: u64) -> Value {
    let mut told = json!(how);
    (told["before"], told["after"]) = (before.into(), after.into());
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{ModelCard, WindowChoice};

    fn replied(prompt: (u64, u64), reply: (u64, u64), reused: Option<u64>) -> Event {
        let usage = Usage {
            prompt_tokens: Some(prompt.0),
            prompt_ns: Some(prompt.1),
            reply_tokens: Some(reply.0),
            reply_ns: Some(reply.1),
            ..Usage::default()
        };
        Event::Turn(TurnEvent::Replied { usage, reused: reused.map(|tokens| Reused { tokens, of: prompt.0 }) })
    }

    fn after(events: &[Event]) -> Figures {
        let mut figures = Figures::default();
        events.iter().for_each(|event| figures.take(event));
        figures
    }

    #[test]
    fn speed_is_told_over_all_replies_and_only_of_what_was_really_read() {
        let events = [
            replied((1_000, 2_000_000_000), (10, 1_000_000_000), None),
            replied((2_000, 1_000_000_000), (30, 1_000_000_000), Some(1_000)),
            replied((3_000, 1_000_000), (20, 1_000_000_000), Some(3_000)),
        ];
        let usage = after(&events).usage(&Usage::default()).unwrap();
        assert_eq!(usage["reading_tokens_per_second"], 1_000.0, "the first and the last tell nothing of it");
        assert_eq!(usage["writing_tokens_per_second"], 20.0);
        assert_eq!(usage["reused_share"], 0.8);
    }

    #[test]
    fn what_was_never_said_is_absent() {
        let figures = Figures::default();
        let usage = figures.usage(&Usage::default()).unwrap();
        for name in ["reading_tokens_per_second", "writing_tokens_per_second", "reused_share"] {
            assert_eq!(usage[name], Value::Null, "{name}");
        }
        assert_eq!((figures.window(), figures.fitted.as_slice()), (Value::Null, &[][..]));
    }

    #[test]
    fn the_window_is_told_as_it_was_asked_for_and_as_it_is() {
        let card = ModelCard { context_length: Some(262_144), ..ModelCard::default() };
        let set = Event::Server(ServerEvent::ModelSet { card, window: 32_768 });
        let unmeasured = after(std::slice::from_ref(&set)).window();
        assert_eq!((&unmeasured["asked"], &unmeasured["trained"]), (&json!(32_768), &json!(262_144)));
        let window = WindowState {
            asked: 32_768,
            chosen: WindowChoice::Remembered,
            trained: Some(262_144),
            effective: Some(16_384),
            gpu_percent: Some(80),
        };
        let events = [
            set,
            Event::Context(ContextEvent::WindowMeasured { window }),
            Event::Context(ContextEvent::Window { used: 1_200, of: 16_384 }),
        ];
        let expected = json!({"asked": 32_768, "chosen": "remembered", "trained": 262_144, "effective": 16_384,
            "gpu_percent": 80, "used": 1_200});
        assert_eq!(after(&events).window(), expected);
    }

    #[test]
    fn what_was_made_shorter_stands_there_with_how() {
        let event =
            Event::Context(ContextEvent::Fitted { how: Compaction::Stubbed { results: 3 }, before: 900, after: 400 });
        assert_eq!(after(&[event]).fitted, [json!({"how": "stubbed", "results": 3, "before": 900, "after": 400})]);
    }
}
