//! The examination of the model: a line for each question, as it is answered, and what follows from all of them.

use super::{Cell, INDENT, Room, signed};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::wrap::wrap;
use agent_protocol::{ModelProfile, Probe, ProbeFinding, ProbeVerdict, ToolsBy};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From this width on the questions stand in a column of their own.
const ROOMY: usize = 70;

pub(in crate::transcript) struct Examination {
    palette: Palette,
    findings: Vec<(Probe, ProbeVerdict, String)>,
    /// What follows, once it is over.
    sum: String,
}

impl Examination {
    pub(in crate::transcript) fn new(palette: Palette) -> Self {
        Examination { palette, findings: Vec::new(), sum: String::new() }
    }

    pub(in crate::transcript) fn found(&mut self, finding: &ProbeFinding) {
        self.findings.push((finding.probe, finding.verdict, clean_line(&finding.words).into_owned()));
    }

    pub(in crate::transcript) fn over(&mut self, profile: &ModelProfile) {
        self.sum = [Some(self.counts(profile)), tools(profile), dialects(profile), speeds(profile)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" · ");
    }

    fn row(&self, probe: Probe, verdict: ProbeVerdict, words: &str, width: usize) -> Vec<Line<'static>> {
        let (sign, style) = self.sign(verdict);
        let column = Probe::ALL.iter().map(|probe| probe.words().len()).max().unwrap_or(0);
        let (column, gap) = if width >= ROOMY { (column, "  ") } else { (0, " · ") };
        let mut spans = vec![Span::styled(sign, style), Span::raw(format!("{:<column$}", probe.words()))];
        if !words.is_empty() {
            spans.extend([Span::styled(gap, self.palette.dim()), Span::styled(words.to_owned(), self.palette.dim())]);
        }
        let hanging = if column > 0 { INDENT + column + gap.len() } else { INDENT };
        let whole = |size: usize| u16::try_from(size).unwrap_or(u16::MAX);
        wrap(&Line::from(spans), whole(width), whole(hanging))
    }

    /// The sign alone tells how it went.
    fn sign(&self, verdict: ProbeVerdict) -> (&'static str, Style) {
        match verdict {
            ProbeVerdict::Passed => ("✓ ", self.palette.good()),
            ProbeVerdict::Rescued => ("~ ", self.palette.warn()),
            ProbeVerdict::Failed => ("✗ ", self.palette.bad()),
            ProbeVerdict::Skipped => ("– ", self.palette.dim()),
        }
    }

    /// `qwen3:8b: 5 passed, 1 with help, 1 failed`.
    fn counts(&self, profile: &ModelProfile) -> String {
        let kinds = [
            (ProbeVerdict::Passed, "passed"),
            (ProbeVerdict::Rescued, "with help"),
            (ProbeVerdict::Failed, "failed"),
            (ProbeVerdict::Skipped, "skipped"),
        ];
        let count = |kind| self.findings.iter().filter(|(_, verdict, _)| *verdict == kind).count();
        let words: Vec<String> = kinds
            .into_iter()
            .map(|(kind, words)| (count(kind), words))
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        let words = if words.is_empty() { "nothing was asked".to_owned() } else { words.join(", ") };
        format!("{}: {words}", clean_line(&profile.name))
    }
}

impl Cell for Examination {
    fn rows(&self, Room { width, .. }: Room<'_>) -> Vec<Line<'static>> {
        let mut rows: Vec<Line<'static>> =
            self.findings.iter().flat_map(|(probe, verdict, words)| self.row(*probe, *verdict, words, width)).collect();
        if !self.sum.is_empty() {
            rows.extend(signed(Span::raw("  "), vec![Span::raw(self.sum.clone())], width));
        }
        rows
    }

    fn examination(&mut self) -> Option<&mut Examination> {
        self.sum.is_empty().then_some(self)
    }
}

fn tools(profile: &ModelProfile) -> Option<String> {
    Some(match profile.examined.as_ref()?.tools_by {
        Some(ToolsBy::Server) => "tools go by the server".to_owned(),
        Some(ToolsBy::Text) => "tools go by text".to_owned(),
        Some(ToolsBy::Files) => "it works by files, without calls".to_owned(),
        None => "it called tools in no way that could be read".to_owned(),
    })
}

fn dialects(profile: &ModelProfile) -> Option<String> {
    let dialects = &profile.examined.as_ref()?.dialects;
    (!dialects.is_empty()).then(|| format!("it wrote calls as {}", clean_line(&dialects.join(", "))))
}

fn speeds(profile: &ModelProfile) -> Option<String> {
    let reads = profile.reading.map(|speed| format!("reads {speed:.0} tokens/s"));
    let writes = profile.writing.map(|speed| format!("writes {speed:.0} tokens/s"));
    let speeds: Vec<String> = reads.into_iter().chain(writes).collect();
    (!speeds.is_empty()).then(|| speeds.join(", "))
}
