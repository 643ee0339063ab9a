//! How a turn ended: in a breath where all went well, with what to do where it did not.

use super::{Cell, Fold, INDENT, Place, Room, Times, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::width::width as columns;
use agent_protocol::sanitize::figures::{seconds, short};
use agent_protocol::{Reused, Stuck, TurnEndReason, Usage};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::time::Duration;

pub(in crate::transcript) struct TurnEnd {
    palette: Palette,
    sign: Sign,
    what: String,
    /// What the user can do.
    advice: String,
    /// How long it took; nothing where nobody knows.
    took: Duration,
    /// The time, and figures that are shown with the details.
    figures: Vec<String>,
    /// What was read of the prompts, where that is known; shown where there is room beside the others.
    read: Option<String>,
}

#[derive(Clone, Copy)]
enum Sign {
    None,
    Stopped,
    Warning,
    Failed,
}

/// What an interruption cuts off.
#[derive(Clone, Copy, Default)]
pub(in crate::transcript) enum CutOff {
    /// Nothing that can be seen: no word of a reply has come yet, or a command runs.
    #[default]
    Nothing,
    /// A reply in the middle of its words.
    Reply,
    /// A question about a call.
    Question,
}

impl CutOff {
    /// What is said of an interruption here.
    fn words(self) -> &'static str {
        match self {
            CutOff::Nothing => "stopped",
            CutOff::Reply => "interrupted; what had arrived is kept",
            CutOff::Question => "rejected; the turn ended",
        }
    }
}

impl TurnEnd {
    /// A turn that took `took` ended for `reason`, where an interruption would `cut` something off.
    pub(in crate::transcript) fn new(
        reason: &TurnEndReason,
        cut: CutOff,
        usage: Usage,
        read: &Read,
        took: Duration,
        palette: Palette,
    ) -> Self {
        let of_trouble;
        let (sign, what, advice) = match reason {
            TurnEndReason::Done => (Sign::None, String::new(), ""),
            TurnEndReason::Length => {
                let what = "the reply was cut off: the length limit or the window is full";
                (
                    Sign::Warning,
                    what.to_owned(),
                    "say “go on”, or ask for smaller steps; a larger num_predict or num_ctx helps",
                )
            }
            TurnEndReason::Interrupted => (Sign::Stopped, cut.words().to_owned(), ""),
            TurnEndReason::StepLimit => {
                (Sign::Warning, "stopped at the step limit".to_owned(), "say “go on” for as many steps again")
            }
            TurnEndReason::TimeLimit => (Sign::Warning, "stopped at the time limit".to_owned(), "say “go on”"),
            TurnEndReason::Repeating => {
                let what = "stopped: the model repeated itself";
                (Sign::Warning, what.to_owned(), "tell it what to do differently")
            }
            TurnEndReason::Stuck { how } => {
                (Sign::Warning, format!("stopped: the model {}", how.words()), way_out(*how))
            }
            TurnEndReason::Full => {
                let what = "the conversation fills the window";
                let advice = "/compact makes it shorter, /clear begins anew, or start with a larger --num-ctx";
                (Sign::Warning, what.to_owned(), advice)
            }
            TurnEndReason::TooSmall { needs, window } => {
                let (needs, window) = (short(*needs), short(*window));
                let what = format!("no message fits: instructions and tools take {needs} of the {window} tokens");
                (Sign::Warning, what, "a larger --num-ctx helps, or fewer tools with /tools")
            }
            TurnEndReason::Lost => {
                let what = "the program ended in the middle of this turn";
                (Sign::Stopped, what.to_owned(), "say what to do next, or /retry")
            }
            TurnEndReason::Broken { trouble } => {
                of_trouble = trouble.advice();
                (Sign::Failed, trouble.to_string(), &*of_trouble)
            }
        };
        let mut what = clean_text(&what).into_owned();
        let mut figures = figures(usage, took);
        if matches!(reason, TurnEndReason::Interrupted) && figures.len() == 1 {
            // The time alone is not worth a line.
            what.extend(figures.drain(..).map(|time| format!(" · {time}")));
        }
        let read = read.words().filter(|_| figures.len() > 1);
        let advice = advice.to_owned();
        TurnEnd { palette, sign, what, advice, took, figures, read }
    }

    /// One short figure; all of them with the details.
    fn figures(&self, room: usize, fold: Fold) -> Option<String> {
        if fold == Fold::Folded {
            return self.figures.first().cloned();
        }
        let figures = self.figures.join(" · ");
        let all = self.read.iter().map(|read| format!("{figures} · {read}")).next();
        Some(all.filter(|all| columns(all) <= room).unwrap_or(figures)).filter(|figures| !figures.is_empty())
    }
}

impl Cell for TurnEnd {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (sign, style) = match self.sign {
            Sign::None => ("  ", Style::new()),
            Sign::Stopped => ("– ", self.palette.warn()),
            Sign::Warning => ("! ", self.palette.warn()),
            Sign::Failed => ("✗ ", self.palette.bad()),
        };
        let mut rows = Vec::new();
        for (number, line) in self.what.lines().enumerate() {
            let sign = if number == 0 { Span::styled(sign, style) } else { Span::raw("  ") };
            rows.extend(signed(sign, vec![Span::styled(line.to_owned(), style)], width));
        }
        let dim = |text: &str| vec![Span::styled(text.to_owned(), self.palette.dim())];
        if !self.advice.is_empty() {
            rows.extend(signed(Span::raw("  "), vec![Span::raw(self.advice.clone())], width));
        }
        if let Some(figures) = self.figures(width.saturating_sub(INDENT), fold) {
            rows.extend(signed(Span::raw("  "), dim(&figures), width));
        }
        rows
    }

    fn place(&self, _height: usize) -> Place {
        Place::End
    }

    fn keep_time(&self, times: &mut Times) {
        times.turn = self.took;
    }
}

/// What the server read of the prompts of a turn, without what it had still in mind.
#[derive(Default)]
pub(in crate::transcript) struct Read {
    /// `None` once that could not be told of a prompt.
    tokens: Option<u64>,
    replies: u64,
    /// The tokens and nanoseconds of the prompts that tell how fast they were read.
    telling: (u64, u64),
}

impl Read {
    /// One more reply is there.
    pub(in crate::transcript) fn add(&mut self, usage: Usage, reused: Option<Reused>) {
        let before = if self.replies == 0 { Some(0) } else { self.tokens };
        self.tokens = before.zip(reused).map(|(before, reused)| before + reused.of.saturating_sub(reused.tokens));
        let (tokens, ns) = reused.and_then(|reused| reused.telling_read(usage.prompt_ns)).unwrap_or_default();
        self.telling = (self.telling.0 + tokens, self.telling.1 + ns);
        self.replies += 1;
    }

    /// `6.1k read at 480/s`; without the speed where it tells nothing.
    fn words(&self) -> Option<String> {
        let tokens = self.tokens.filter(|tokens| *tokens > 0)?;
        let (telling, ns) = self.telling;
        let speed = Usage { reply_tokens: Some(telling), reply_ns: Some(ns), ..Usage::default() };
        let speed = speed.tokens_per_second().map(|speed| format!(" at {speed:.0}/s")).unwrap_or_default();
        Some(format!("{} read{speed}", short(tokens)))
    }
}

/// What gets a model going that is stuck.
fn way_out(how: Stuck) -> &'static str {
    match how {
        Stuck::Alternating => "tell it what to do differently",
        Stuck::Babbling => "begin anew with /clear, or choose another model with /model",
        Stuck::Silent => "say “go on”, or what to do next",
        Stuck::Announcing => "say “do it”, or what to do first",
        Stuck::Looking | Stuck::Idle => "say what is to be done first, or “go on”",
        Stuck::Endless => "ask for it in parts",
        Stuck::Unreadable => "say “go on” for another try, or choose another model with /model",
    }
}

/// `18 s`, `412 tokens`, `31 tokens/s`, as far as it is known.
fn figures(usage: Usage, took: Duration) -> Vec<String> {
    let tokens = usage.reply_tokens.filter(|&tokens| tokens > 0).map(|tokens| match tokens {
        1 => "1 token".to_owned(),
        _ => format!("{} tokens", short(tokens)),
    });
    let speed = usage.tokens_per_second().map(|speed| format!("{speed:.0} tokens/s"));
    [time(took), tokens, speed].into_iter().flatten().collect()
}

/// Whole seconds, or tenths where there is not one; a moment too short for these is not worth a word.
fn time(took: Duration) -> Option<String> {
    match (took.as_secs(), took.subsec_millis() / 100) {
        (0, 0) => None,
        (0, tenths) => Some(format!("0.{tenths} s")),
        _ => Some(seconds(took)),
    }
}
