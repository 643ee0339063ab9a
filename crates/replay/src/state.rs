//! What changes while the server runs: installed and loaded models, downloads, which rules are used up.

use crate::journal::Journal;
use crate::request::Chat;
use crate::{Answer, Model, Script, Step};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// The window a server uses on its own account, on a machine without much video memory.
const USUAL_WINDOW: u64 = 4096;
/// How long a model stays loaded where nobody says.
const USUAL_STAY: Duration = Duration::from_secs(300);
/// What the server takes for "for ever".
const FOR_EVER: Duration = Duration::from_secs(9_223_372_036);

/// Everything that the connections share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) script: Script,
    pub(crate) journal: Arc<Journal>,
    state: Mutex<State>,
    desks: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

#[derive(Debug)]
struct State {
    installed: Vec<Model>,
    loaded: Vec<Loaded>,
    chats: u64,
    calls: u64,
    rules_used: Vec<u32>,
    answers_used: Vec<u32>,
    downloaded: HashMap<String, u64>,
}

/// A model in memory.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) window: u64,
    pub(crate) expires: SystemTime,
    runner: Runner,
}

/// What a model was loaded with. A request that wants it otherwise loads it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// By the script, ready for anything.
    Any,
    /// For a request.
    For { window: u64, shift: Option<bool> },
}

impl House {
    pub(crate) fn new(script: Script, journal: Arc<Journal>) -> Self {
        let state = State {
            installed: script.models.clone(),
            loaded: Vec::new(),
            chats: 0,
            calls: 0,
            rules_used: vec![0; script.replies.len()],
            answers_used: vec![0; script.answers.len()],
            downloaded: HashMap::new(),
        };
        let house = House { script, journal, state: Mutex::new(state), desks: Mutex::default() };
        for name in &house.script.loaded {
            if let Some(model) = house.installed(name) {
                let window = USUAL_WINDOW.min(model.context_length);
                let expires = SystemTime::now() + USUAL_STAY;
                house.state().loaded.push(Loaded { model, window, expires, runner: Runner::Any });
            }
        }
        house
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn models(&self) -> Vec<Model> {
        self.state().installed.clone()
    }

    pub(crate) fn loaded(&self) -> Vec<Loaded> {
        self.state().loaded.clone()
    }

    pub(crate) fn installed(&self, name: &str) -> Option<Model> {
        self.state().installed.iter().find(|model| model.is_called(name)).cloned()
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
    pub(crate) fn window(model: &Model, chat: &Chat) -> u64 {
        chat.num_ctx.unwrap_or(USUAL_WINDOW).min(model.context_length).max(4)
    }

    /// Must the model be loaded for this request? If so it is not in memory from now on.
    pub(crate) fn must_load(&self, model: &Model, chat: &Chat) -> bool {
        let wanted = Runner::For { window: House::window(model, chat), shift: chat.shift };
        let mut state = self.state();
        let fits = |loaded: &Loaded| loaded.runner == Runner::Any || loaded.runner == wanted;
        if state.loaded.iter().any(|loaded| loaded.model.name == model.name && fits(loaded)) {
            return false;
        }
        state.loaded.retain(|loaded| loaded.model.name != model.name);
        true
    }

    pub(crate) fn keep_loaded(&self, model: &Model, chat: &Chat) {
        let window = House::window(model, chat);
        let expires = SystemTime::now() + stay(chat.keep_alive.as_ref());
        let runner = Runner::For { window, shift: chat.shift };
        let mut state = self.state();
        state.loaded.retain(|loaded| loaded.model.name != model.name);
        state.loaded.insert(0, Loaded { model: model.clone(), window, expires, runner });
    }

    pub(crate) fn unload(&self, model: &Model) {
        self.state().loaded.retain(|loaded| loaded.model.name != model.name);
    }

    /// What the script says to this request, the `number`-th to arrive. A rule that may be used so many times is used once more by this.
    pub(crate) fn reply_to(&self, chat: &Chat, number: u64) -> Vec<Step> {
        let mut state = self.state();
        for (rule, used) in self.script.replies.iter().zip(&mut state.rules_used) {
            if rule.times.is_none_or(|times| *used < times) && rule.when.fits(chat, number) {
                *used += 1;
                return rule.say.clone();
            }
        }
        vec![Step::text("The script has no reply to this.")]
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
