//! Figures and the table they are printed in.

use std::fmt;
use std::time::Duration;

/// One line of the table: what was measured, and what it must hold up to.
#[derive(Debug)]
pub(crate) struct Row {
    what: &'static str,
    values: Vec<f64>,
    judged: Judged,
    bar: Option<f64>,
    peer: &'static str,
}

/// Which figure the bar is for.
#[derive(Debug, Clone, Copy)]
enum Judged {
    Median,
    Slowest20th,
}

impl Row {
    /// A line without a bar; `values` in the unit that `what` names.
    pub(crate) fn new(what: &'static str, values: Vec<f64>) -> Self {
        Row { what, values, judged: Judged::Median, bar: None, peer: "–" }
    }

    /// The median may be at most this; the best peer needs `peer`.
    pub(crate) fn at_most(self, bar: f64, peer: &'static str) -> Self {
        Row { bar: Some(bar), peer, ..self }
    }

    /// The 95th percentile may be at most this; the best peer needs `peer`.
    pub(crate) fn p95_at_most(self, bar: f64, peer: &'static str) -> Self {
        Row { judged: Judged::Slowest20th, ..self.at_most(bar, peer) }
    }

    fn met(&self) -> &'static str {
        let figure = match self.judged {
            Judged::Median => self.percentile(50),
            Judged::Slowest20th => self.percentile(95),
        };
        match (figure, self.bar) {
            (Some(figure), Some(bar)) if figure <= bar => "yes",
            (Some(_), Some(_)) => "NO",
            (_, _) => "–",
        }
    }

    /// By nearest rank.
    fn percentile(&self, hundredths: usize) -> Option<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (sorted.len() * hundredths).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = match self.judged {
            Judged::Median => plain(self.bar),
            Judged::Slowest20th => format!("p95 {}", plain(self.bar)),
        };
        let (median, p95, count) = (plain(self.percentile(50)), plain(self.percentile(95)), self.values.len());
        write!(f, "{:<56}{median:>8}{p95:>8}{count:>6}{bar:>10}{:>10}{:>6}", self.what, self.peer, self.met())
    }
}

/// What stands over the columns.
pub(crate) fn heading() -> String {
    let (what, median, p95, count, bar, peer, met) = ("what", "median", "p95", "of", "at most", "best peer", "met");
    format!("{what:<56}{median:>8}{p95:>8}{count:>6}{bar:>10}{peer:>10}{met:>6}\n{}", "─".repeat(104))
}

/// A span in milliseconds.
pub(crate) fn milliseconds(span: Duration) -> f64 {
    span.as_secs_f64() * 1e3
}

/// Three figures are enough for anybody.
fn plain(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value >= 100.0 || value.fract() == 0.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
    }
}
