//! What scrolls in a dialog: lines that are there, or a diff that draws only what is looked at.

use crate::diff::DiffView;
use ratatui::text::Line;
use std::ops::Range;

/// What scrolls in a dialog.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    Lines(&'a [Line<'static>]),
    /// A diff that was laid out for this width, and of which only what is looked at is drawn.
    Diff(&'a DiffView),
}

impl Body<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            Body::Lines(lines) => lines.len(),
            Body::Diff(diff) => diff.len(),
        }
    }

    fn part(self, lines: Range<usize>) -> Vec<Line<'static>> {
        match self {
            Body::Lines(all) => all.get(lines).unwrap_or_default().to_vec(),
            Body::Diff(diff) => diff.part(lines),
        }
    }

    /// Lines that need not be read any more, where the body knows that itself.
    pub(super) fn read(self) -> Vec<Range<usize>> {
        match self {
            Body::Lines(_) => Vec::new(),
            Body::Diff(diff) => diff.needs_no_reading(),
        }
    }
}

impl<'a> From<&'a Vec<Line<'static>>> for Body<'a> {
    fn from(lines: &'a Vec<Line<'static>>) -> Self {
        Body::Lines(lines)
    }
}

impl<'a> From<&'a [Line<'static>]> for Body<'a> {
    fn from(lines: &'a [Line<'static>]) -> Self {
        Body::Lines(lines)
    }
}

impl<'a> From<&'a DiffView> for Body<'a> {
    fn from(diff: &'a DiffView) -> Self {
        Body::Diff(diff)
    }
}

/// The lines that scroll: what found no room in the head, around the body.
pub(super) struct Scrolling<'a> {
    pub(super) lead: Vec<Line<'static>>,
    pub(super) body: Body<'a>,
    pub(super) tail: Vec<Line<'static>>,
}

impl Scrolling<'_> {
    pub(super) fn len(&self) -> usize {
        self.lead.len() + self.body.len() + self.tail.len()
    }

    /// So many lines from this one on.
    pub(super) fn page(&self, top: usize, page: usize) -> Vec<Line<'static>> {
        let (before, body, end) = (self.lead.len(), self.body.len(), top + page);
        // The part of the page that lies in `count` lines, of which the first is this one of all.
        let part = |first: usize, count: usize| {
            let within = |at: usize| at.saturating_sub(first).min(count);
            within(top)..within(end)
        };
        let mut lines = self.lead[part(0, before)].to_vec();
        lines.extend(self.body.part(part(before, body)));
        lines.extend_from_slice(&self.tail[part(before + body, self.tail.len())]);
        lines
    }
}
