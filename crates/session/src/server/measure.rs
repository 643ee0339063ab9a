//! What is measured of the model in use: its window, what its tokens hold, how fast it reads and writes.
//!
//! Only holds the figures; `window` asks for them, `listening` brings them, `compaction` and `report` use them.

use crate::context::{ContextUsage, Features, Room, Speeds, room_in};
use agent_protocol::{
    Examined, LoadedModel, Message, ModelCard, ModelProfile, Phase, ReadingEstimate, Reused, ToolSpec, ToolsBy, Tuned,
    Usage, WindowChoice, WindowState,
};

/// A load shorter than this is none: the model was there, 200 ms.
const TELLING_LOAD_NS: u64 = 200_000_000;

/// Nothing is read or written of a request for so long only where it waits for others, 3 s.
const TELLING_WAIT_NS: u64 = 3_000_000_000;

/// Tokens written that are so many times what the thinking may take, and a few, were something else that did not arrive.
const UNEXPLAINED: (f64, f64) = (2.0, 16.0);

/// So many tokens more or less that the server read are told as if they were none.
const NEGLIGIBLE: u64 = 40;

/// The figures of one model.
#[derive(Debug)]
pub(crate) struct Measure {
    pub(crate) window: WindowState,
    pub(crate) room: Room,
    pub(crate) gauge: ContextUsage,
    pub(crate) speeds: Speeds,
    /// How much of the last prompt the server had still in mind.
    pub(crate) reused: Option<Reused>,
    /// The last count was one that can be. Where it was not, what is shown stays the estimate, as everything else does.
    pub(crate) believed: bool,
    /// What the last reply shows of other work of the server, in words.
    pub(crate) setback: Option<String>,
    /// How often the conversation was made shorter.
    pub(crate) fitted: u64,
    /// The server cuts long prompts without a word.
    pub(crate) cuts: bool,
    /// The server alone decides how large the window is.
    pub(crate) server_decides: bool,
    /// It is known to refuse them.
    refuses: bool,
    /// The server was asked what it has in memory since the model was chosen.
    pub(crate) looked: bool,
    /// How much of the model lay on the card in the last session: that was said then.
    known_gpu: Option<u8>,
    /// Warnings about the window that were said.
    pub(crate) warned: Vec<String>,
    /// That the instructions and tools alone do not fit was said.
    pub(crate) warned_of_base: bool,
    /// What the faces were told last of how full the window is.
    pub(crate) told: Option<(u64, u64)>,
    profile: ModelProfile,
    saved: ModelProfile,
    /// Tokens that the server has in mind and the next prompt begins with; `None` before the first count.
    in_mind: Option<u64>,
    /// By so many tokens that may be too much; `None` where it does not follow from the server's own counts.
    mind_doubt: Option<u64>,
    /// The largest prompt that the server is known to have read whole, in tokens.
    largest: u64,
    /// The longest reply that was configured, in tokens; 0: without a bound.
    longest: Option<u64>,
}

/// What is expected of a request under way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Expected {
    /// Tokens of the whole prompt.
    prompt: u64,
    /// Tokens of it that no earlier request had; `None`: there was no earlier request.
    added: Option<u64>,
    /// Tokens that the server had in mind when it went out.
    in_mind: Option<u64>,
    /// By so many tokens that may be too much; `None` where nobody knows.
    doubt: Option<u64>,
}

impl Expected {
    fn new(prompt: u64, in_mind: Option<u64>, doubt: Option<u64>) -> Expected {
        Expected { prompt, added: in_mind.map(|in_mind| prompt.saturating_sub(in_mind)), in_mind, doubt }
    }

    /// Tokens of a prompt of so many by the server's count that are new to it, where that is known well enough to be told.
    fn new_in(self, counted: u64, loaded_now: bool) -> Option<u64> {
        if loaded_now {
            return Some(counted);
        }
        // Where it is shorter than what was to come back, it is another one.
        let (new, doubt) = (counted.checked_sub(self.in_mind?)?, self.doubt?);
        (doubt <= NEGLIGIBLE || doubt * 5 <= new + doubt).then_some(new)
    }
}

impl Measure {
    /// Nothing is known, for there is no model yet.
    pub(crate) fn unknown() -> Self {
        Measure::from_profile(ModelProfile::default(), WindowState::default(), None)
    }

    /// The figures to begin with for the model of this profile, in this window.
    pub(crate) fn from_profile(profile: ModelProfile, window: WindowState, longest: Option<u64>) -> Self {
        let mut gauge = ContextUsage::new(profile.calibration.as_ref());
        gauge.set_window(window.tokens());
        Measure {
            room: room_in(window.tokens(), longest),
            gauge,
            speeds: Speeds::new(profile.reading, profile.writing),
            reused: None,
            believed: true,
            setback: None,
            fitted: 0,
            cuts: false,
            server_decides: false,
            refuses: false,
            looked: false,
            known_gpu: profile.gpu_percent,
            warned: Vec::new(),
            warned_of_base: false,
            told: None,
            saved: profile.clone(),
            profile,
            in_mind: None,
            mind_doubt: None,
            largest: 0,
            longest,
            window,
        }
    }

    /// Was anything of this conversation counted by the server?
    pub(crate) fn is_counted(&self) -> bool {
        self.in_mind.is_some()
    }

    pub(crate) fn sent(&mut self, messages: &[Message], tools: &[ToolSpec]) -> Expected {
        let prompt = self.gauge.sent(messages, tools);
        Expected::new(prompt, self.in_mind, self.mind_doubt)
    }

    /// The reply to a question of an examination is complete. It was none of the conversation.
    pub(crate) fn replied_apart(&mut self, usage: &Usage, gauge: &mut ContextUsage) {
        gauge.counted(usage);
        self.speeds.record_reply(usage, None);
        self.learned(usage);
        self.profile.calibration = Some(gauge.estimator().calibration());
    }

    /// Goes on from what an examination taught of the model's tokens; the server has forgotten the conversation over it.
    pub(crate) fn after_examination(&mut self, gauge: &ContextUsage) {
        self.gauge = ContextUsage::new(Some(&gauge.estimator().calibration()));
        self.gauge.set_window(self.window.tokens());
        if self.refuses {
            self.refuses();
        }
        self.forgotten();
    }

    /// The server is known to refuse what does not fit.
    pub(crate) fn refuses(&mut self) {
        self.refuses = true;
        self.gauge.set_refuses();
    }

    /// The reply to it is complete. `thought`: reasoning was part of it, which may not come back in the next prompt.
    pub(crate) fn replied(&mut self, usage: &Usage, expected: Expected, thought: bool) {
        self.believed = self.gauge.counted(usage).is_some();
        // What was added is known better now than when it went out.
        let loaded_now = usage.load_ns.is_some_and(|load| load >= TELLING_LOAD_NS);
        self.setback = setback(usage, loaded_now && expected.in_mind.is_some_and(|tokens| tokens > 0));
        let new = usage.prompt_tokens.and_then(|counted| expected.new_in(counted, loaded_now));
        self.reused = self.speeds.record_reply(usage, new);
        if let Some(prompt) = usage.prompt_tokens {
            self.largest = self.largest.max(prompt);
            self.in_mind = Some(prompt + usage.reply_tokens.unwrap_or(0));
            self.mind_doubt = usage.reply_tokens.map(|reply| if thought { reply } else { 0 });
        }
        self.profile.calibration = Some(self.gauge.estimator().calibration());
        self.learned(usage);
    }

    /// Were so many tokens far more than this thinking takes? What the server cannot read of a call it throws away.
    pub(crate) fn hides_something(&self, written: Option<u64>, thinking: &str) -> bool {
        let (times, few) = UNEXPLAINED;
        let takes = self.gauge.estimator().tokens(&Features::of_text(thinking)) as f64;
        written.is_some_and(|written| written as f64 > times * takes + few)
    }

    fn learned(&mut self, usage: &Usage) {
        if let Some(load) = usage.load_ns.filter(|load| *load >= TELLING_LOAD_NS) {
            self.profile.load_ms = Some(load / 1_000_000);
        }
        self.profile.reading = self.speeds.reading();
        self.profile.writing = self.speeds.writing();
    }

    /// What there is to read for the server.
    fn reading(&self, expected: Expected) -> ReadingEstimate {
        self.speeds.expect(expected.added.unwrap_or(expected.prompt), expected.prompt)
    }

    /// The same phase with what there is to read. A model that is loaded has nothing in mind.
    pub(crate) fn with_estimate(&mut self, phase: Phase, expected: &mut Expected) -> Phase {
        match phase {
            Phase::Loading => {
                self.forgotten();
                *expected = Expected::new(expected.prompt, self.in_mind, Some(0));
                Phase::Loading
            }
            Phase::Reading { .. } => Phase::Reading { estimate: Some(self.reading(*expected)) },
            other => other,
        }
    }

    /// What to expect of a request of about so many tokens that goes on from the conversation, or was written anew.
    pub(crate) fn expect(&self, prompt: u64, anew: bool) -> Expected {
        let in_mind = if anew { self.in_mind.map(|_| 0) } else { self.in_mind };
        Expected::new(prompt, in_mind, None)
    }

    /// Something of the reply is here, so the whole prompt was read, whatever becomes of the reply.
    pub(crate) fn was_read(&mut self, expected: Expected) {
        self.in_mind = self.in_mind.max(Some(expected.prompt));
        self.mind_doubt = None;
    }

    /// The server has nothing of the conversation in mind any more.
    pub(crate) fn forgotten(&mut self) {
        (self.in_mind, self.mind_doubt) = (self.in_mind.map(|_| 0), None);
    }

    /// Earlier messages became others, but for these: what was counted of the others counts no more.
    pub(crate) fn rewritten(&mut self, same: &[Message], tools: &[ToolSpec]) {
        self.gauge.rewritten();
        self.mind_doubt = None;
        if self.in_mind.is_some() {
            self.in_mind = Some(if same.is_empty() { 0 } else { self.gauge.used(same, tools) });
        }
    }

    /// The window as far as there is something new to say of it.
    pub(crate) fn worth_telling(&self) -> WindowState {
        let gpu_percent = self.window.gpu_percent.filter(|_| self.known_gpu != self.window.gpu_percent);
        WindowState { gpu_percent, ..self.window.clone() }
    }

    /// The model lies in the server's memory like this. True when that is news.
    pub(crate) fn loaded(&mut self, loaded: &LoadedModel) -> bool {
        self.looked = true;
        let before = self.window.clone();
        self.window.gpu_percent = loaded.gpu_percent();
        if let Some(given) = loaded.context_length.filter(|given| self.server_decides && *given > 0) {
            self.fixed_at(given);
        }
        self.gives(loaded.context_length);
        self.profile.gpu_percent = self.window.gpu_percent;
        if self.window.chosen != WindowChoice::Configured {
            self.profile.window = Some(self.window.asked);
        }
        self.window != before
    }

    /// The server gives so many tokens whatever is asked for: that is what is asked for, where the user wants no less.
    fn fixed_at(&mut self, given: u64) {
        if self.window.chosen != WindowChoice::Configured {
            self.window.asked = given.min(self.window.trained.unwrap_or(u64::MAX));
            self.window.chosen = WindowChoice::Fixed;
        }
    }

    /// The server cut the last prompt without a word: what it read whole before is what can be counted on.
    pub(crate) fn cut(&mut self) {
        self.cuts = true;
        self.gives(Some(self.largest));
        self.rewritten(&[], &[]);
    }

    /// The server gives so many tokens, where it says so.
    pub(crate) fn gives(&mut self, effective: Option<u64>) {
        // A window of nothing is no window: that server does not know.
        self.window.effective = effective.filter(|tokens| *tokens > 0).or(self.window.effective);
        self.room = room_in(self.window.tokens(), self.longest);
        self.gauge.set_window(self.window.tokens());
    }

    /// The user agreed that what the model is sent goes to this machine.
    pub(crate) fn allow_cloud(&mut self, host: String) {
        self.profile.cloud_allowed = Some(host);
    }

    /// What an examination found belongs to what is known of the model.
    pub(crate) fn examined(&mut self, examined: Examined) -> ModelProfile {
        self.profile.examined = Some(examined);
        self.profile.clone()
    }

    /// What is known of the model, with findings that say nothing of it.
    pub(crate) fn not_examined(&self, examined: Examined) -> ModelProfile {
        ModelProfile { examined: Some(examined), ..self.profile.clone() }
    }

    /// What was learned since it was asked last, if it is worth keeping: nothing is known of what has no name.
    pub(crate) fn news(&mut self) -> Option<ModelProfile> {
        if self.profile == self.saved || self.profile.digest.is_empty() {
            return None;
        }
        self.saved = self.profile.clone();
        Some(self.profile.clone())
    }

    /// The dialects in which the model wrote its calls as text when it was examined.
    pub(crate) fn dialects(&self) -> &[String] {
        self.profile.examined.as_ref().map_or(&[], |examined| &examined.dialects)
    }

    /// What is known of the model's tokens.
    pub(crate) fn calibration(&self) -> Option<&agent_protocol::Calibration> {
        self.profile.calibration.as_ref()
    }

    /// The form of work that was chosen for this model, by the user or because no other worked.
    pub(crate) fn chosen_form(&self) -> Option<ToolsBy> {
        self.profile.form
    }

    /// It works in this form from now on, or in the one that suits it.
    pub(crate) fn choose_form(&mut self, form: Option<ToolsBy>) {
        self.profile.form = form;
    }

    /// What was measured to suit this model.
    pub(crate) fn tuned(&self) -> Option<&Tuned> {
        self.profile.tuned.as_ref()
    }

    /// Does a call held to a schema come only where no tools stand beside it?
    pub(crate) fn holds_alone(&self) -> bool {
        self.examination().is_some_and(|examined| examined.schema_alone)
    }

    /// What the last examination of the model found.
    pub(crate) fn examination(&self) -> Option<&Examined> {
        self.profile.examined.as_ref()
    }

    /// How an examination found that the model's tools should go.
    pub(crate) fn tools_by(&self) -> Option<ToolsBy> {
        self.examination()?.tools_by
    }
}

/// What became of a request besides being read and answered. `unseen`: the model was loaded for it, and nobody could see that.
fn setback(usage: &Usage, unseen: bool) -> Option<String> {
    if unseen {
        let text = "the model was loaded again before this reply, so that all of the prompt was read anew: it had been let \
                    go, or another program wanted it otherwise";
        return Some(text.to_owned());
    }
    let worked = [usage.load_ns, usage.prompt_ns, usage.reply_ns].into_iter().flatten().sum::<u64>();
    let waited = usage.total_ns?.saturating_sub(worked);
    let times_are_told = usage.prompt_ns.is_some() && usage.reply_ns.is_some();
    (times_are_told && waited >= TELLING_WAIT_NS).then(|| {
        let seconds = waited / 1_000_000_000;
        format!("this reply waited about {seconds} s for its turn: the server worked for others")
    })
}

/// What is known of the model that `card` tells of. Where the server gives no digest, the name stands for it.
pub(crate) fn profile_of(card: &ModelCard, known: &[ModelProfile]) -> ModelProfile {
    let digest = card.digest.clone().unwrap_or_else(|| format!("name:{}", card.name));
    let profile = known.iter().find(|profile| profile.digest == digest).cloned().unwrap_or_default();
    ModelProfile { digest, name: card.name.clone(), ..profile }
}
