//! The window: chosen once when the model is, then measured as soon as the model is loaded.

use crate::Effect;
use crate::Memory;
use crate::machine::{Machine, State};
use crate::server::measure::{Measure, configured_longest, profile_of, without_words};
use crate::turn::rescue::Asked;
use agent_context::{WindowWish, choose_window, grouped, window_warnings};
use agent_protocol::{Event, LoadedModel, ModelCard, NoticeLevel, Trouble};

impl Machine {
    /// A model was chosen: which window it gets, and what is known of it from earlier sessions.
    pub(crate) fn measure_model(&mut self, card: &ModelCard, loaded: Option<&LoadedModel>) {
        let known = profile_of(card, &self.settings.profiles);
        let wish = WindowWish {
            configured: self.settings.num_ctx,
            server: self.settings.server_window,
            remembered: known.window,
            loaded,
            card,
        };
        let window = choose_window(&wish);
        let family = self.family().map(|family| family.options.clone()).unwrap_or_default();
        let longest = configured_longest(&self.settings.options).or_else(|| configured_longest(&family));
        self.link.measure = Measure::of(known, window, longest);
        if let Some(loaded) = loaded.filter(|loaded| loaded.context_length == Some(self.link.measure.window.asked)) {
            self.link.measure.loaded(loaded);
            // It may be loaded otherwise in other ways: loading it our way tells, and costs nothing where it is not.
            self.link.measure.looked = false;
        }
    }

    /// The model is loaded while the person still types; where a request is under way already, that loads it.
    pub(crate) fn preload(&mut self) {
        let wanted = self.link.is_ready() && !self.link.measure.looked && self.stays_loaded();
        if wanted && matches!(self.state, State::Idle) && self.opening.is_none() {
            let request = Box::new(without_words(self.request(Asked::Plainly)));
            self.out.carry_out(Effect::Load { request });
        }
    }

    /// Does the model stay in memory at all? A request to load one that does not would take it out.
    fn stays_loaded(&self) -> bool {
        !matches!(self.settings.keep_alive.as_deref(), Some("0" | "0s" | "0m" | "0h"))
    }

    /// The session is open and the person thinks: the model stays in memory meanwhile.
    pub(crate) fn renew(&mut self) {
        let there = self.link.is_ready() && self.link.is_up() && self.link.measure.looked && self.stays_loaded();
        if there && matches!(self.state, State::Idle | State::Working(_) | State::Braked { .. }) {
            let request = Box::new(without_words(self.request(Asked::Plainly)));
            self.out.carry_out(Effect::Renew { request, window: self.link.window() });
        }
    }

    /// A load that failed is no reason to say anything: the first request will fail as well, and then it matters.
    pub(crate) fn preloaded(&mut self, name: &str, result: Result<(), Trouble>) {
        if result.is_ok() && name == self.link.model_name() {
            self.look_at_window();
        }
    }

    /// The model is in memory now, for something of a reply is here.
    pub(crate) fn look_at_window(&mut self) {
        if !std::mem::replace(&mut self.link.measure.looked, true) {
            self.out.carry_out(Effect::LookLoaded);
        }
    }

    pub(crate) fn loaded(&mut self, result: Result<Vec<LoadedModel>, Trouble>) {
        let loaded = self.link.card().and_then(|card| result.ok()?.into_iter().find(|loaded| loaded.is(card)));
        if self.awaits_look() {
            return self.examined_window(loaded.as_ref());
        }
        if let Some(loaded) = loaded
            && self.link.measure.loaded(&loaded)
        {
            self.window_measured();
        }
    }

    /// Says what the window turned out to be, and keeps it.
    pub(crate) fn window_measured(&mut self) {
        let window = self.link.measure.window.clone();
        self.out.emit(Event::WindowMeasured { window });
        self.warn_of_window();
        self.tell_window();
        self.keep_profile();
    }

    /// Says once what a person would change about the window.
    pub(crate) fn warn_of_window(&mut self) {
        let window = self.link.measure.worth_telling();
        let warnings = window_warnings(&window, self.settings.num_ctx, &self.link.model_name());
        for text in warnings {
            if !self.link.measure.warned.contains(&text) {
                self.link.measure.warned.push(text.clone());
                self.out.notice(NoticeLevel::Warning, text);
            }
        }
    }

    /// Tokens that the next request would have.
    pub(crate) fn used(&self) -> u64 {
        self.link.measure.gauge.used(self.history.messages(), self.sent_tools())
    }

    /// Says how full the window is, where that changed.
    pub(crate) fn tell_window(&mut self) {
        let now = (self.used(), self.link.window());
        if self.link.measure.told != Some(now) {
            self.link.measure.told = Some(now);
            self.out.emit(Event::Window { used: now.0, of: now.1 });
        }
    }

    /// Says how full the window is by the server's own count.
    pub(crate) fn say_counted(&mut self, used: u64) {
        let of = self.link.window();
        self.link.measure.told = Some((used, of));
        self.out.emit(Event::Window { used, of });
    }

    /// Keeps what was learned of the model for later sessions.
    pub(crate) fn keep_profile(&mut self) {
        if let Some(profile) = self.link.measure.news() {
            // The same model may be chosen again in this session.
            self.settings.profiles.retain(|known| known.digest != profile.digest);
            self.settings.profiles.insert(0, profile.clone());
            self.out.carry_out(Effect::Remember(Memory::Model(Box::new(profile))));
        }
    }

    /// A server that cuts prompts without a word is told of once, in plain words.
    pub(crate) fn watch_for_cuts(&mut self, counted: u64) {
        if !self.link.measure.gauge.was_cut() {
            return;
        }
        let first = !self.link.measure.cuts;
        self.link.measure.cut();
        if !first {
            return;
        }
        let text = format!(
            "the server left out part of the conversation without a word: it read {} tokens of it. It is too old to be \
             told not to; update Ollama. Until then agent keeps the conversation below {} tokens by its own estimate, and \
             /compact makes it shorter",
            grouped(counted),
            grouped(self.link.window())
        );
        self.out.notice(NoticeLevel::Warning, text);
    }
}
