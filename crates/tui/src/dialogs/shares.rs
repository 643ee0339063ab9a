//! What fills a window, as a bar and as lines.

use crate::palette::Palette;
use crate::text::width::width;
use agent_protocol::sanitize::figures::grouped;
use agent_protocol::{ContextPart, ContextReport, PartKind};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The bar is at most so wide.
const LONGEST_BAR: usize = 100;

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

impl Shares {
    pub(super) fn of(report: &ContextReport) -> Self {
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
