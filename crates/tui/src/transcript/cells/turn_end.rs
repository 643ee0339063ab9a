//! How a turn ended: in a breath where all went well, with what to do where it did not.

use super::{Fold, Laid, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::words::{seconds, short};
use agent_protocol::{TurnEndReason, Usage};
use ratatui::style::Style;
use ratatui::text::Span;
use std::time::Duration;

/// The end of a turn.
pub(in crate::transcript) struct TurnEnd {
    palette: Palette,
    sign: Sign,
    what: String,
    /// What the person can do.
    advice: &'static str,
    /// Time and figures.
    figures: String,
    pub(super) laid: Laid,
}

#[derive(Clone, Copy)]
enum Sign {
    None,
    Stopped,
    Warning,
    Failed,
}

impl TurnEnd {
    /// A turn that took `took` ended for `reason`.
    pub(in crate::transcript) fn new(reason: &TurnEndReason, usage: Usage, took: Duration, palette: Palette) -> Self {
        let (sign, what, advice) = match reason {
            TurnEndReason::Done => (Sign::None, String::new(), ""),
            TurnEndReason::Length => {
                let what = "the reply reached the length limit; what there is is kept";
                (Sign::Warning, what.to_owned(), "say “go on”, or begin anew with /clear")
            }
            TurnEndReason::Interrupted => (Sign::Stopped, "interrupted; what had arrived is kept".to_owned(), ""),
            TurnEndReason::StepLimit => {
                (Sign::Warning, "stopped at the step limit".to_owned(), "say “go on” for as many steps again")
            }
            TurnEndReason::Repeating => {
                let what = "stopped: the model repeated itself";
                (Sign::Warning, what.to_owned(), "tell it what to do differently")
            }
            TurnEndReason::Broken { trouble } => (Sign::Failed, trouble.to_string(), trouble.advice()),
        };
        let what = clean_text(&what).into_owned();
        TurnEnd { palette, sign, what, advice, figures: figures(usage, took), laid: Laid::default() }
    }

    pub(super) fn lay_out(&mut self, width: usize) -> usize {
        if self.laid.is_right(width, Fold::Folded) {
            return self.laid.rows.len();
        }
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
            rows.extend(signed(Span::raw("  "), vec![Span::raw(self.advice)], width));
        }
        if !self.figures.is_empty() {
            rows.extend(signed(Span::raw("  "), dim(&self.figures), width));
        }
        self.laid.set(width, Fold::Folded, rows)
    }
}

/// `18 s · 412 tokens · 31 tokens/s`, as far as it is known.
fn figures(usage: Usage, took: Duration) -> String {
    let mut figures = Vec::new();
    if took.as_secs() > 0 {
        figures.push(seconds(took));
    }
    if let Some(tokens) = usage.reply_tokens.filter(|&tokens| tokens > 0) {
        figures.push(format!("{} tokens", short(tokens)));
    }
    if let Some(speed) = usage.tokens_per_second() {
        figures.push(format!("{speed:.0} tokens/s"));
    }
    figures.join(" · ")
}
