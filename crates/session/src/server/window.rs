//! The window: chosen once when the model is, then measured as soon as the model is loaded.

use crate::context::{WindowWish, choose_window, grouped, window_warnings};
use crate::out::Out;
use crate::server::Server;
use crate::server::measure::{Measure, profile_of};
use crate::{Effect, Memory, ServerEffect};
use agent_protocol::{LoadedModel, ModelCard, NoticeLevel};

/// A reply of fewer tokens is not worth asking for.
const LEAST_REPLY: u64 = 256;

/// A prompt may have more tokens than were estimated, by this part of them.
const ESTIMATE_OFF_BY: u64 = 32;

impl Server {
    /// A model was chosen: which window it gets, and what is known of it from earlier sessions.
    pub(super) fn measure_model(&mut self, card: &ModelCard, loaded: Option<&LoadedModel>) {
        let known = profile_of(card, &self.profiles);
        let fixed = loaded.and_then(|loaded| loaded.context_length).filter(|_| self.fixes_windows());
        let wish = WindowWish {
            configured: self.settings.window,
            server: self.settings.server_window,
            remembered: known.window,
            fixed,
            loaded,
            card,
        };
        let window = choose_window(&wish);
        let longest = self.settings.max_reply_tokens.or_else(|| self.family()?.max_reply_tokens);
        self.measure = Measure::from_profile(known, window, longest);
        self.measure.server_decides = self.fixes_windows();
        if self.about().is_some_and(|server| server.refuses_overflow) {
            self.measure.refuses();
        }
        if let Some(loaded) = loaded.filter(|loaded| loaded.context_length == Some(self.measure.window.asked)) {
            self.measure.loaded(loaded);
            // It may be loaded otherwise in other ways: loading it our way tells, and costs nothing where it is not.
            self.measure.looked = false;
        }
    }

    /// Does the server alone decide how large the window is?
    pub(crate) fn fixes_windows(&self) -> bool {
        self.about().is_some_and(|server| !server.windows.is_request())
    }

    /// The longest reply to ask for beside a prompt of so many tokens. Servers that alone decide on the window refuse, or cut,
    /// what would not fit it together with the longest reply (vLLM, SGLang): what is left is asked for there.
    pub(crate) fn longest_reply_beside(&self, prompt: u64) -> u64 {
        let longest = self.measure.room.longest_reply;
        if !self.fixes_windows() {
            return longest;
        }
        let left = self.window().saturating_sub(prompt + prompt / ESTIMATE_OFF_BY + LEAST_REPLY / 4);
        longest.min(left.max(LEAST_REPLY))
    }

    /// Should the model be loaded before it is asked anything?
    pub(crate) fn wants_loading(&self) -> bool {
        self.is_ready() && !self.measure.looked && self.stays_loaded() && !self.is_cloud()
    }

    /// Does the model lie in memory, and is it to stay there while the user thinks?
    pub(crate) fn wants_renewal(&self) -> bool {
        self.is_ready() && self.is_up() && self.measure.looked && self.stays_loaded() && !self.is_cloud()
    }

    /// Does the model stay in memory at all? A request to load one that does not would take it out.
    fn stays_loaded(&self) -> bool {
        !matches!(self.settings.keep_alive.as_deref(), Some("0" | "0s" | "0m" | "0h"))
    }

    /// A load that failed is no reason to say anything: the first request will fail as well, and then it matters.
    pub(crate) fn preloaded(&mut self, name: &str, went_well: bool, out: &mut Out) {
        if went_well && name == self.model_name() {
            self.look_at_window(out);
        }
    }

    /// The model is in memory now, for something of a reply is here.
    pub(crate) fn look_at_window(&mut self, out: &mut Out) {
        if !std::mem::replace(&mut self.measure.looked, true) {
            out.carry_out(ServerEffect::LookLoaded);
        }
    }

    /// Says once what a person would change about the window.
    pub(crate) fn warn_of_window(&mut self, out: &mut Out) {
        let (window, server) = (self.measure.worth_telling(), self.about().cloned().unwrap_or_default());
        let warnings = window_warnings(&window, self.settings.window, &self.model_name(), &server);
        warnings.into_iter().for_each(|text| self.warn_once(text, out));
    }

    /// Says what the last reply shows of the server's other work.
    pub(crate) fn tell_setback(&mut self, out: &mut Out) {
        if let Some(text) = self.measure.setback.take() {
            out.notice(NoticeLevel::Info, text);
        }
    }

    /// The model in use has just answered, or was loaded: which of what lies in memory it is, as far as that can be told. Where
    /// several may be it, they tell its window only together.
    pub(crate) fn answering(&mut self, loaded: Vec<LoadedModel>, out: &mut Out) -> Option<LoadedModel> {
        let card = self.card()?;
        if let Some(found) = LoadedModel::of_answering(loaded.clone(), card) {
            return Some(found);
        }
        let possible: Vec<LoadedModel> = loaded.into_iter().filter(|loaded| loaded.may_be(card)).collect();
        let (first, rest) = possible.split_first()?;
        if rest.iter().all(|other| other.context_length == first.context_length) {
            return Some(LoadedModel { vram_bytes: None, ..first.clone() });
        }
        let names: Vec<&str> = possible.iter().map(|loaded| loaded.name.as_str()).collect();
        let (names, name, asked) = (names.join(" and "), self.model_name(), self.measure.window.asked);
        let text = format!(
            "{names} are in memory, and each may be {name} under another name: its real window is unknown, and {asked} \
             tokens are assumed, as asked for"
        );
        self.warn_once(text, out);
        None
    }

    /// Says this of the model in use, where it was not said yet.
    pub(crate) fn warn_once(&mut self, text: String, out: &mut Out) {
        if !self.measure.warned.contains(&text) {
            self.measure.warned.push(text.clone());
            out.notice(NoticeLevel::Warning, text);
        }
    }

    /// Keeps what was learned of the model for later sessions.
    pub(crate) fn keep_profile(&mut self, out: &mut Out) {
        if let Some(profile) = self.measure.news() {
            // The same model may be chosen again in this session.
            self.profiles.retain(|known| known.digest != profile.digest);
            self.profiles.insert(0, profile.clone());
            out.carry_out(Effect::Remember(Memory::Model(Box::new(profile))));
        }
    }

    /// A server that cuts prompts without a word is told of once, in plain words.
    pub(crate) fn watch_for_cuts(&mut self, counted: u64, out: &mut Out) {
        if !self.measure.gauge.was_cut() {
            return;
        }
        let first = !self.measure.cuts;
        self.measure.cut();
        if !first {
            return;
        }
        let text = format!(
            "the server left out part of the conversation without a word: it read {} tokens of it. It is too old to be \
             told not to; update {}. Until then agent keeps the conversation below {} tokens by its own estimate, and \
             /compact makes it shorter",
            grouped(counted),
            self.about().map_or("it", |server| &server.product),
            grouped(self.window())
        );
        out.notice(NoticeLevel::Warning, text);
    }
}
