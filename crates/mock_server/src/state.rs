//! What changes while the server runs: installed and loaded models, downloads, which rules are used up.

use crate::journal::Journal;
use crate::prompt::{Prompt, PromptPart};
use crate::request::{Chat, OF_THE_RUNNER};
use crate::script_steps::Progress;
use crate::{Answer, AtStart, Model, Script, Step};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// How long a model stays loaded where nobody says.
const USUAL_STAY: Duration = Duration::from_secs(300);
/// What the server takes for "for ever".
const FOR_EVER: Duration = Duration::from_secs(9_223_372_036);

/// Everything that the connections share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) script: Script,
    pub(crate) journal: Arc<Journal>,
    state: Mutex<ServerState>,
    desks: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

#[derive(Debug)]
struct ServerState {
    installed: Vec<Model>,
    loaded: Vec<Loaded>,
    chats: u64,
    calls: u64,
    rules_used: Vec<u32>,
    progress: Progress,
    answers_used: Vec<u32>,
    downloaded: HashMap<String, u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) window: u64,
    pub(crate) expires: SystemTime,
    runner: Runner,
    /// The prompt it read last, and its reply to it. Gone with the model.
    in_mind: Vec<PromptPart>,
}

/// What a model was loaded with. A request that wants it otherwise loads it again.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Runner {
    /// By the script, ready for anything.
    Any,
    For {
        window: u64,
        shift: Option<bool>,
        options: Vec<Value>,
    },
}

impl House {
    pub(crate) fn new(script: Script, journal: Arc<Journal>) -> Self {
        let state = ServerState {
            installed: script.models.clone(),
            loaded: Vec::new(),
            chats: 0,
            calls: 0,
            rules_used: vec![0; script.replies.len()],
            progress: Progress::default(),
            answers_used: vec![0; script.answers.len()],
            downloaded: HashMap::new(),
        };
        let house = House { script, journal, state: Mutex::new(state), desks: Mutex::default() };
        house.load_from_the_start();
        house
    }

    fn load_from_the_start(&self) {
        for at_start in &self.script.loaded {
            let (name, earlier) = match at_start {
                AtStart::Ready(name) => (name, None),
                AtStart::For(earlier) => (&earlier.model, Some(earlier)),
            };
            let Some(model) = self.installed(name) else { continue };
            let window = self.given_window(&model, earlier.and_then(|earlier| earlier.num_ctx));
            let runner = earlier.map_or(Runner::Any, |earlier| Runner::For {
                window,
                shift: earlier.shift,
                options: vec![Value::Null; OF_THE_RUNNER.len()],
            });
            let expires = SystemTime::now() + USUAL_STAY;
            self.state().loaded.push(Loaded { model, window, expires, runner, in_mind: Vec::new() });
        }
    }

    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn models(&self) -> Vec<Model> {
        self.state().installed.iter().cloned().map(|model| self.as_told(model)).collect()
    }

    pub(crate) fn loaded(&self) -> Vec<Loaded> {
        self.state().loaded.clone()
    }

    pub(crate) fn installed(&self, name: &str) -> Option<Model> {
        let found = self.state().installed.iter().find(|model| model.is_called(name)).cloned()?;
        Some(self.as_told(found))
    }

    /// Takes a model off the disk; says whether it was there.
    pub(crate) fn remove(&self, name: &str) -> bool {
        let mut state = self.state();
        let before = state.installed.len();
        state.installed.retain(|model| !model.is_called(name));
        state.installed.len() < before
    }

    /// A server from before capabilities tells none, whatever the model can do.
    fn as_told(&self, model: Model) -> Model {
        if self.script.old { Model { capabilities: None, ..model } } else { model }
    }

    pub(crate) fn install(&self, model: Model) {
        let mut state = self.state();
        state.installed.retain(|known| !known.is_called(&model.name));
        state.installed.insert(0, model);
    }

    /// A model answers one request at a time; others wait here.
    pub(crate) fn desk(&self, model: &Model) -> Arc<tokio::sync::Mutex<()>> {
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(desks.entry(model.name.clone()).or_default())
    }

    /// The window that a request gets.
    pub(crate) fn window(&self, model: &Model, chat: &Chat) -> u64 {
        self.given_window(model, chat.number("num_ctx", model).map(|number| number as u64))
    }

    /// The window of a request that asks for this one.
    pub(crate) fn given_window(&self, model: &Model, asked: Option<u64>) -> u64 {
        let own = || model.parameters.get("num_ctx").and_then(Value::as_u64);
        let wanted = asked.or_else(own).unwrap_or(self.script.default_window);
        wanted.min(model.context_length).min(self.script.most_window.unwrap_or(u64::MAX)).max(4)
    }

    fn runner(&self, model: &Model, chat: &Chat) -> Runner {
        let shift = chat.shift.filter(|_| !self.script.old);
        Runner::For { window: self.window(model, chat), shift, options: chat.of_the_runner(model) }
    }

    /// Must the model be loaded for this request? If so it is not in memory from now on.
    pub(crate) fn must_load(&self, model: &Model, chat: &Chat) -> bool {
        let wanted = self.runner(model, chat);
        let mut state = self.state();
        let fits = |loaded: &Loaded| loaded.runner == Runner::Any || loaded.runner == wanted;
        if state.loaded.iter().any(|loaded| loaded.model.name == model.name && fits(loaded)) {
            return false;
        }
        state.loaded.retain(|loaded| loaded.model.name != model.name);
        true
    }

    /// The model is in memory as this request wants it. What it has in mind stays, if it was there before.
    pub(crate) fn keep_loaded(&self, model: &Model, chat: &Chat) {
        let window = self.window(model, chat);
        let expires = SystemTime::now() + stay(chat.keep_alive.as_ref());
        let runner = self.runner(model, chat);
        let mut state = self.state();
        let before = state.loaded.iter().position(|loaded| loaded.model.name == model.name);
        let in_mind = before.map(|at| state.loaded.remove(at).in_mind).unwrap_or_default();
        state.loaded.insert(0, Loaded { model: model.clone(), window, expires, runner, in_mind });
    }

    /// How many tokens of this prompt the model must read. What it had in mind behind the common beginning is lost.
    pub(crate) fn begin_reading(&self, model: &Model, prompt: &Prompt) -> u64 {
        let mut state = self.state();
        let Some(loaded) = state.loaded.iter_mut().find(|loaded| loaded.model.name == model.name) else {
            return prompt.tokens;
        };
        let new = prompt.new_since(&loaded.in_mind);
        loaded.in_mind.truncate(prompt.shared_with(&loaded.in_mind));
        new
    }

    /// From now on the model has this in mind.
    pub(crate) fn keep_in_mind(&self, model: &Model, parts: Vec<PromptPart>) {
        let mut state = self.state();
        if let Some(loaded) = state.loaded.iter_mut().find(|loaded| loaded.model.name == model.name) {
            loaded.in_mind = parts;
        }
    }

    pub(crate) fn unload(&self, model: &Model) {
        self.state().loaded.retain(|loaded| loaded.model.name != model.name);
    }

    /// What the script says to this request, the `number`-th to arrive. A rule that may be used so many times is used once more by this.
    pub(crate) fn reply_to(&self, chat: &Chat, number: u64) -> Vec<Step> {
        let mut state = self.state();
        let state = &mut *state;
        for (rule, used) in self.script.replies.iter().zip(&mut state.rules_used) {
            if rule.times.is_none_or(|times| *used < times) && rule.when.fits(chat, number) {
                *used += 1;
                return rule.say.clone();
            }
        }
        let next = state.progress.next(&self.script.course, chat);
        next.unwrap_or_else(|| vec![Step::text("The script has no reply to this.")])
    }

    /// The script's fixed answer for this path, if there is one left.
    pub(crate) fn fixed_answer(&self, path: &str) -> Option<Answer> {
        let mut state = self.state();
        for (answer, used) in self.script.answers.iter().zip(&mut state.answers_used) {
            if answer.path == path && answer.times.is_none_or(|times| *used < times) {
                *used += 1;
                return Some(answer.clone());
            }
        }
        None
    }

    /// The number of a chat request that has just arrived.
    pub(crate) fn next_chat_number(&self) -> u64 {
        let mut state = self.state();
        state.chats += 1;
        state.chats
    }

    pub(crate) fn next_call_number(&self) -> u64 {
        let mut state = self.state();
        state.calls += 1;
        state.calls
    }

    pub(crate) fn downloaded(&self, name: &str) -> u64 {
        self.state().downloaded.get(name).copied().unwrap_or(0)
    }

    pub(crate) fn keep_download(&self, name: &str, bytes: u64) {
        self.state().downloaded.insert(name.to_owned(), bytes);
    }
}

/// Does this request want the model out of memory afterwards?
pub(crate) fn wants_unload(keep_alive: Option<&Value>) -> bool {
    keep_alive.is_some_and(|value| value.as_f64() == Some(0.0) || matches!(value.as_str(), Some("0" | "0s" | "0m")))
}

fn stay(keep_alive: Option<&Value>) -> Duration {
    match keep_alive {
        Some(Value::Number(seconds)) => match seconds.as_f64() {
            Some(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds).unwrap_or(FOR_EVER),
            _ => FOR_EVER,
        },
        Some(Value::String(text)) if text.starts_with('-') => FOR_EVER,
        Some(Value::String(text)) => Duration::from_secs(seconds_of(text)),
        _ => USUAL_STAY,
    }
}

/// Whole seconds of a Go duration that was checked before; parts of a second don't matter here.
fn seconds_of(text: &str) -> u64 {
    let (mut total, mut figure) = (0, 0);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '0'..='9' => figure = figure * 10 + u64::from(sign as u8 - b'0'),
            'h' => total += std::mem::take(&mut figure) * 3600,
            'm' if signs.peek() != Some(&'s') => total += std::mem::take(&mut figure) * 60,
            's' => total += std::mem::take(&mut figure),
            _ => figure = 0,
        }
    }
    total
}
