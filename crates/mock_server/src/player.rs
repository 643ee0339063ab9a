//! Plays the steps of a reply: says each in its time and keeps the counts that the last line tells.

use crate::api_format::Closing;
use crate::http::{AnswerHead, JSON, Outlet};
use crate::prompt::Prompt;
use crate::prose::Prose;
use crate::reply_writer::ReplyWriter;
use crate::said::Said;
use crate::state::House;
use crate::wire::{Function, ReplyFigures, WireCall, go_json, made_up_id};
use crate::{CallStyle, Model, Step};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Result;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The answer is complete; another request may follow.
    Complete,
    /// The connection is to be closed as it is.
    Cut,
}

/// What is settled about a reply before its first token.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) call_style: CallStyle,
    pub(crate) arrived: Instant,
    pub(crate) load: Duration,
    pub(crate) prompt: Prompt,
    /// Tokens of it that the model had not in mind.
    pub(crate) new: u64,
    /// How long its new part is read, where the script says so.
    pub(crate) reading: Option<Duration>,
    /// How many tokens may be written before the reply ends with `length`.
    pub(crate) allowed: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct Player<'a> {
    house: &'a House,
    model: &'a Model,
    writer: ReplyWriter<'a>,
    plan: Plan,
    reading: Instant,
    first_token: Option<Instant>,
    due: Instant,
    written: u64,
    said: Said,
    calls: usize,
    held_calls: Vec<WireCall>,
}

/// Whether the reply goes on after a step.
enum Next {
    On,
    End(Ending),
}

/// Ways for a reply to end.
enum Ending {
    Done(String),
    Silent,
    Error(String),
    Status(u16, BTreeMap<String, String>, Value),
    Cut,
}

impl<'a> Player<'a> {
    pub(crate) fn new(house: &'a House, model: &'a Model, writer: ReplyWriter<'a>, plan: Plan) -> Self {
        let now = Instant::now();
        Player {
            house,
            model,
            writer,
            plan,
            reading: now,
            first_token: None,
            due: now,
            written: 0,
            said: Said::by(house.script.counts),
            calls: 0,
            held_calls: Vec::new(),
        }
    }

    pub(crate) async fn play(mut self, steps: Vec<Step>) -> Result<Finish> {
        let mut ending = Ending::Done("stop".into());
        for step in steps {
            if let Next::End(reached) = self.step(step).await? {
                ending = reached;
                break;
            }
        }
        self.end(ending).await
    }

    async fn step(&mut self, step: Step) -> Result<Next> {
        self.due = Instant::now();
        match step {
            Step::Text { pieces, tokens_per_second } => return self.text(&pieces, tokens_per_second).await,
            Step::Thinking { pieces, tokens_per_second } => return self.thinking(&pieces, tokens_per_second).await,
            Step::Call { name, arguments } => return self.call(name, arguments).await,
            Step::Prose { count, per_second } => return self.prose(count, per_second).await,
            Step::Wait { ms } => self.pause(ms).await?,
            Step::Garbage { line } => self.raw(format!("{line}\n").as_bytes(), None).await?,
            Step::Raw { bytes, byte_ms } => self.raw(&bytes, byte_ms).await?,
            Step::HugeLine { bytes } => self.huge_line(bytes).await?,
            Step::Error { message } => return Ok(Next::End(Ending::Error(message))),
            Step::Status { status, headers, body } => return Ok(Next::End(Ending::Status(status, headers, body))),
            Step::Cut => return Ok(Next::End(Ending::Cut)),
            Step::EndWithoutDone => return Ok(Next::End(Ending::Silent)),
            Step::Done { reason } => return Ok(Next::End(Ending::Done(reason))),
        }
        Ok(Next::On)
    }

    async fn text(&mut self, pieces: &[String], rate: Option<f64>) -> Result<Next> {
        let rate = self.house.script.rate(rate);
        for piece in pieces {
            if !self.say(piece, rate).await? {
                return Ok(Next::End(Ending::Done("length".into())));
            }
        }
        Ok(Next::On)
    }

    async fn thinking(&mut self, pieces: &[String], rate: Option<f64>) -> Result<Next> {
        let rate = self.house.script.rate(rate);
        for piece in pieces {
            let tokens = self.said.tokens_of_thinking(piece);
            if !self.write(tokens, rate).await? {
                return Ok(Next::End(Ending::Done("length".into())));
            }
            self.said.thinking(piece);
            self.writer.thinking(piece).await?;
        }
        Ok(Next::On)
    }

    async fn prose(&mut self, count: u64, rate: Option<f64>) -> Result<Next> {
        let rate = rate.and_then(|rate| self.house.script.rate(Some(rate)));
        for piece in Prose::default().take(usize::try_from(count).unwrap_or(usize::MAX)) {
            if !self.say(&piece, rate).await? {
                return Ok(Next::End(Ending::Done("length".into())));
            }
        }
        Ok(Next::On)
    }

    /// Says a piece of text, if it may still be said.
    async fn say(&mut self, piece: &str, rate: Option<f64>) -> Result<bool> {
        let tokens = self.said.tokens_of_text(piece);
        if !self.write(tokens, rate).await? {
            return Ok(false);
        }
        self.said.text(piece);
        self.writer.text(piece).await?;
        Ok(true)
    }

    /// A call comes whole, after the silence in which the model writes it; one that is cut off vanishes.
    async fn call(&mut self, name: String, arguments: Value) -> Result<Next> {
        let tokens = self.said.tokens_of_call(&name, &arguments);
        let rate = self.house.script.rate(None);
        if !self.write(tokens, rate).await? {
            return Ok(Next::End(Ending::Done("length".into())));
        }
        self.said.call(&name, &arguments);
        let number = self.house.next_call_number();
        let function = Function { index: self.calls, name, arguments };
        self.calls += 1;
        match self.plan.call_style {
            CallStyle::OneLineEach => {
                let id = format!("call_{}", made_up_id(number, 8));
                self.writer.call(WireCall { id, function }).await?;
            }
            CallStyle::InLastLine => self.held_calls.push(WireCall { id: made_up_id(number, 32), function }),
        }
        Ok(Next::On)
    }

    async fn raw(&mut self, bytes: &[u8], byte_ms: Option<u64>) -> Result<()> {
        self.begin().await?;
        let Some(byte_ms) = byte_ms else { return self.writer.raw(bytes).await };
        for byte in bytes {
            self.pause(byte_ms).await?;
            self.writer.raw(std::slice::from_ref(byte)).await?;
            self.writer.flush().await?;
        }
        Ok(())
    }

    async fn huge_line(&mut self, bytes: u64) -> Result<()> {
        self.begin().await?;
        self.writer.text(&"A".repeat(usize::try_from(bytes).unwrap_or(usize::MAX))).await
    }

    /// Takes the time for so many tokens; says whether they may be written.
    async fn write(&mut self, tokens: u64, rate: Option<f64>) -> Result<bool> {
        self.begin().await?;
        if self.plan.allowed.is_some_and(|allowed| self.written + tokens > allowed) {
            return Ok(false);
        }
        self.written += tokens;
        if let Some(rate) = rate {
            self.due += Duration::from_secs_f64(tokens as f64 / rate);
            if self.due > Instant::now() {
                self.writer.flush().await?;
                sleep_until(self.due).await;
            }
        }
        Ok(true)
    }

    /// Reads the prompt, once.
    async fn begin(&mut self) -> Result<()> {
        if self.first_token.is_none() {
            self.writer.flush().await?;
            let usual = Duration::from_millis(self.house.script.reading_ms);
            self.house.script.wait_for(self.plan.reading.unwrap_or(usual)).await;
            self.house.keep_in_mind(self.model, self.plan.prompt.parts.clone());
            let now = Instant::now();
            (self.first_token, self.due) = (Some(now), now);
        }
        Ok(())
    }

    async fn pause(&mut self, ms: u64) -> Result<()> {
        self.writer.flush().await?;
        self.house.script.wait(ms).await;
        Ok(())
    }

    async fn end(mut self, ending: Ending) -> Result<Finish> {
        match ending {
            Ending::Done(reason) => {
                self.begin().await?;
                let counts = self.counts();
                let mut parts = self.plan.prompt.parts;
                parts.push(self.said.part(&self.house.script));
                self.house.keep_in_mind(self.model, parts);
                self.writer.close(Closing { reason: &reason, calls: &self.held_calls, counts }).await?;
            }
            Ending::Silent => self.writer.fall_silent().await?,
            Ending::Error(message) => self.writer.fail(&message).await?,
            Ending::Status(status, headers, body) => {
                send_fixed(self.writer.outlet, status, &headers, &body).await?;
            }
            Ending::Cut => {
                self.writer.flush().await?;
                return Ok(Finish::Cut);
            }
        }
        Ok(Finish::Complete)
    }

    fn counts(&self) -> ReplyFigures {
        let now = Instant::now();
        let first_token = self.first_token.unwrap_or(now);
        ReplyFigures {
            total_duration: nanoseconds(now - self.plan.arrived),
            load_duration: nanoseconds(self.plan.load),
            prompt_eval_count: self.plan.prompt.tokens,
            prompt_eval_duration: whole_microseconds(self.plan.reading.unwrap_or(first_token - self.reading)),
            eval_count: self.written + 1, // the token that ends a reply counts too
            eval_duration: whole_microseconds(now - first_token),
            cached: self.plan.prompt.tokens.saturating_sub(self.plan.new),
        }
    }
}

/// Sends an answer that the script fixed.
pub(crate) async fn send_fixed(
    outlet: &mut Outlet,
    status: u16,
    headers: &BTreeMap<String, String>,
    body: &Value,
) -> Result<()> {
    let (content_type, body) = match body {
        Value::Null => ("", String::new()),
        Value::String(text) => ("text/plain; charset=utf-8", text.clone()),
        value => (JSON, go_json(value)),
    };
    let more = headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    outlet.whole(AnswerHead { more, ..AnswerHead::new(status, content_type) }, body.as_bytes()).await
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The runner counts in microseconds, and never says zero.
fn whole_microseconds(time: Duration) -> u64 {
    nanoseconds(time) / 1000 * 1000 + if time.as_micros() == 0 { 1000 } else { 0 }
}
