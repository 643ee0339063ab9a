//! The panel of the window: what fills it, part by part, how well that is known, and what the window is.

use super::panel::{Panel, Row, pair};
use crate::palette::Palette;
use crate::text::width::width;
use agent_clean::figures::{grouped, tenths};
use agent_protocol::{ContextPart, ContextReport, PartKind, WindowChoice, WindowState};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The bar is at most so wide.
const LONGEST_BAR: usize = 100;
/// Columns between two figures.
const GAP: usize = 2;
/// Columns of a share: `100 %`.
const PERCENT: usize = 5;

/// What has a share of the window. Each has a sign of its own in the bar, so that it reads without colour.
#[derive(Debug)]
struct Share {
    sign: char,
    name: &'static str,
    tokens: u64,
    /// `12 messages`, where that says something.
    count: String,
    kind: Kind,
}

/// Is it used, or kept free?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Used,
    Free,
}

/// The shares of a window.
#[derive(Debug)]
pub(super) struct Shares {
    shares: Vec<Share>,
    /// Tokens of the window, or of what is in it where that is more.
    of: u64,
}

impl Panel {
    /// Where the tokens go.
    pub(crate) fn context(report: &ContextReport) -> Self {
        let mut rows = vec![Row::Shares(Shares::of(report)), Row::Blank];
        let warnings = warnings(report);
        if !warnings.is_empty() {
            rows.extend(warnings.into_iter().map(Row::Warning));
            rows.push(Row::Blank);
        }
        rows.push(pair("model", &report.model));
        rows.extend(window(&report.window));
        rows.extend(accounts(report));
        Panel::new("Where the tokens go", rows)
    }
}

impl Shares {
    fn of(report: &ContextReport) -> Self {
        let window = report.window.tokens();
        let free = window.saturating_sub(report.used);
        let reserve = report.reserve.min(free);
        let mut shares: Vec<Share> = report.parts.iter().filter(|part| part.tokens > 0).map(share).collect();
        let empty = |sign, name, tokens| Share { sign, name, tokens, count: String::new(), kind: Kind::Free };
        shares.extend([empty('·', "free", free - reserve), empty('-', "kept for a reply", reserve)]);
        Shares { shares, of: window.max(report.used) }
    }

    /// The bar, and a line for each share.
    pub(super) fn lines(&self, columns: u16, palette: Palette) -> Vec<Line<'static>> {
        let room = usize::from(columns);
        let mut lines = vec![self.bar(room.min(LONGEST_BAR), palette), Line::default()];
        let name = self.shares.iter().map(|share| width(share.name)).max().unwrap_or(0);
        let tokens = self.shares.iter().map(|share| grouped(share.tokens).len()).max().unwrap_or(0);
        let most = 2 + name + GAP + tokens + GAP + PERCENT;
        for (number, share) in self.shares.iter().enumerate() {
            let mut spans = vec![
                Span::styled(share.sign.to_string(), style(number, share, palette)),
                Span::raw(format!(" {:<name$}{:GAP$}{:>tokens$}", share.name, "", grouped(share.tokens))),
                Span::styled(format!("{:GAP$}{:>PERCENT$}", "", self.percent(share)), palette.dim()),
            ];
            if !share.count.is_empty() && most + GAP + share.count.len() <= room {
                spans.push(Span::styled(format!("{:GAP$}{}", "", share.count), palette.dim()));
            }
            lines.push(Line::from(spans));
        }
        lines
    }

    fn percent(&self, share: &Share) -> String {
        match (share.tokens * 200 / self.of.max(1)).div_ceil(2) {
            0 if share.tokens > 0 => "<1 %".to_owned(),
            percent => format!("{percent} %"),
        }
    }

    /// Each share in so many signs as it takes of the window, one at least where it takes anything.
    fn bar(&self, columns: usize, palette: Palette) -> Line<'static> {
        let (mut end, mut tokens) = (0, 0);
        let mut left = self.shares.iter().filter(|share| share.tokens > 0).count();
        let mut spans = Vec::new();
        for (number, share) in self.shares.iter().enumerate().filter(|(_, share)| share.tokens > 0) {
            tokens += share.tokens;
            left -= 1;
            let wanted = usize::try_from(tokens.saturating_mul(columns as u64) / self.of.max(1)).unwrap_or(columns);
            // Those that follow need a sign as well.
            let to = if left == 0 { columns } else { wanted.max(end + 1).min(columns.saturating_sub(left)) };
            spans.push(Span::styled(
                share.sign.to_string().repeat(to.saturating_sub(end)),
                style(number, share, palette),
            ));
            end = to.max(end);
        }
        Line::from(spans)
    }
}

/// Neighbours differ in weight as well as in their sign.
fn style(number: usize, share: &Share, palette: Palette) -> Style {
    match share.kind {
        Kind::Free => palette.dim(),
        Kind::Used if number.is_multiple_of(2) => palette.accent(),
        Kind::Used => palette.strong(),
    }
}

fn share(part: &ContextPart) -> Share {
    let (sign, noun) = match part.kind {
        PartKind::System => ('i', ""),
        PartKind::ProjectWords => ('w', "file"),
        PartKind::Tools => ('t', "tool"),
        PartKind::Summary => ('s', ""),
        PartKind::Person => ('y', "message"),
        PartKind::Model => ('m', "message"),
        PartKind::Results => ('r', "result"),
    };
    let count = match (noun, part.count) {
        ("", _) => String::new(),
        (noun, 1) => format!("1 {noun}"),
        (noun, count) => format!("{} {noun}s", grouped(count)),
    };
    Share { sign, name: part.kind.words(), tokens: part.tokens, count, kind: Kind::Used }
}

/// What the person should do something about.
fn warnings(report: &ContextReport) -> Vec<String> {
    let cuts = "this server is too old to be told not to cut: what does not fit is lost without a word; update it";
    let asked = report.window.asked;
    let less = report.window.effective.filter(|tokens| *tokens < asked).map(|tokens| {
        format!("the server gives only {} of the {} tokens that were asked for", grouped(tokens), grouped(asked))
    });
    report.cuts_silently.then(|| cuts.to_owned()).into_iter().chain(less).collect()
}

/// What the window is, and how it came to be so.
fn window(window: &WindowState) -> Vec<Row> {
    let chosen = match window.chosen {
        WindowChoice::Configured => "as you configured it",
        WindowChoice::Server => "as OLLAMA_CONTEXT_LENGTH says",
        WindowChoice::Remembered => "as in the last session with this model",
        WindowChoice::Loaded => "as the model was loaded already",
        WindowChoice::Modelfile => "as the model's own file asks for",
        WindowChoice::Default => "the default: nothing else is known",
    };
    let mut rows = vec![pair("window", format!("{} tokens, {chosen}", grouped(window.asked)))];
    rows.push(match window.effective {
        Some(tokens) if tokens < window.asked => pair("", format!("the server gives {}", grouped(tokens))),
        Some(_) => pair("", "the server gives all of it"),
        None => pair("", "not measured yet: the model is not loaded"),
    });
    rows.extend(window.trained.map(|tokens| pair("", format!("the model was trained for {}", grouped(tokens)))));
    rows.extend(window.gpu_percent.map(|percent| {
        pair(
            "",
            match percent {
                100.. => "all of the model lies on the graphics card".to_owned(),
                0 => "nothing of the model lies on a graphics card".to_owned(),
                percent => format!(
                    "{percent} % of the model lies on the graphics card; a smaller window leaves more room for it"
                ),
            },
        )
    }));
    rows
}

/// How well all that is known, how fast it goes, and what was done for it.
fn accounts(report: &ContextReport) -> Vec<Row> {
    let checked = report.checked.map(|checked| {
        let error = tenths(checked.error_percent().abs());
        let (estimated, counted) = (grouped(checked.estimated), grouped(checked.counted));
        format!("estimate {estimated} · server counted {counted} · off by {error} %")
    });
    let per_token = tenths(report.characters_per_token);
    let learned = match report.samples {
        0 => format!("{per_token} characters a token, assumed"),
        1 => format!("{per_token} characters a token, from 1 count"),
        samples => format!("{per_token} characters a token, from {} counts", grouped(samples)),
    };
    let speed = |word: &str, speed: Option<f64>| speed.map(|speed| format!("{word} {speed:.0} tokens/s"));
    let speeds: Vec<String> =
        [speed("reads", report.reading), speed("writes", report.writing)].into_iter().flatten().collect();
    let reused = report.reused.filter(|reused| reused.of > 0).map(|reused| {
        let percent = reused.tokens.min(reused.of) * 100 / reused.of;
        format!("of the last prompt {percent} % was still in the server's memory")
    });
    let fitted = match report.fitted {
        0 => "never in this conversation".to_owned(),
        1 => "once".to_owned(),
        times => format!("{} times", grouped(times)),
    };
    let mut rows = vec![
        pair("checked", checked.unwrap_or_else(|| "not yet: the server has counted nothing".to_owned())),
        pair("learned", learned),
    ];
    if !speeds.is_empty() {
        rows.push(pair("speed", speeds.join(" · ")));
    }
    rows.extend(reused.map(|reused| pair("reused", reused)));
    rows.push(pair("made shorter", fitted));
    rows.push(pair("longest reply", format!("{} tokens", grouped(report.longest_reply))));
    rows
}
