//! What the terminal's own scrollback has of the conversation, where the screen is drawn in place of the shell.
//!
//! A row goes there once, when it has left the screen for good: above the largest part of the screen that the conversation ever
//! has. So nothing stands there twice when a question or a long message takes room for a while.

use ratatui::layout::Size;
use std::ops::Range;

/// Rows of the screen that are never the conversation's: a blank one, the composer between its lines, the status.
const NEVER: u16 = 5;

/// How much of the conversation is there.
#[derive(Debug, Default)]
pub(crate) struct Scrollback {
    /// The first row that is not there, from the start of everything.
    next: usize,
    width: u16,
}

impl Scrollback {
    /// The rows that go there now, as many at once as the screen has; of those in `here`, at a screen of `size`.
    pub(crate) fn due(&mut self, size: Size, here: Range<usize>) -> Vec<Range<usize>> {
        let until = here.end.saturating_sub(usize::from(size.height.saturating_sub(NEVER).max(1)));
        if self.width != size.width {
            // The terminal wraps what it has by itself; what it would be here is another count of rows.
            (self.width, self.next) = (size.width, until);
        }
        let from = self.next.max(here.start).min(until);
        self.next = until.max(self.next);
        let step = usize::from(size.height).max(1);
        (from..until).step_by(step).map(|row| row..(row + step).min(until)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first row of each part that goes up, and the one behind it.
    fn due(scrollback: &mut Scrollback, size: Size, here: Range<usize>) -> Vec<(usize, usize)> {
        scrollback.due(size, here).into_iter().map(|rows| (rows.start, rows.end)).collect()
    }

    #[test]
    fn a_row_goes_up_once_and_only_for_good() {
        let (mut scrollback, size) = (Scrollback::default(), Size::new(80, 24));
        assert!(due(&mut scrollback, size, 0..19).is_empty(), "all of it fits");
        assert_eq!(due(&mut scrollback, size, 0..22), [(0, 3)]);
        assert!(due(&mut scrollback, size, 0..22).is_empty());
        assert!(due(&mut scrollback, size, 0..20).is_empty(), "something was folded");
        assert_eq!(due(&mut scrollback, size, 0..23), [(3, 4)]);
        assert_eq!(due(&mut scrollback, size, 0..80), [(4, 28), (28, 52), (52, 61)]);
        assert_eq!(due(&mut scrollback, size, 70..100), [(70, 81)], "what is only in the journal is not here");
    }

    #[test]
    fn at_another_width_what_is_there_stays() {
        let mut scrollback = Scrollback::default();
        assert!(due(&mut scrollback, Size::new(80, 24), 0..22).is_empty(), "what came before the screen is drawn");
        assert_eq!(due(&mut scrollback, Size::new(80, 24), 0..30), [(3, 11)]);
        assert!(due(&mut scrollback, Size::new(60, 24), 0..50).is_empty());
        assert_eq!(due(&mut scrollback, Size::new(60, 24), 0..51), [(31, 32)]);
    }
}
