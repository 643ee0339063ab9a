//! Notices when a reply says the same few words again and again. Linear: it looks every so many characters, and never at
//! more of them than the longest loop takes.

/// The longest unit that is looked for inside a line, in characters.
const LONGEST_UNIT: usize = 64;

/// A unit of one or two characters must come this many times more often: rulers and rows of zeros are honest text.
const SHORT_UNIT: usize = 10;

/// So often is looked, in characters: between two looks a loop can only grow.
const LOOK_EVERY: usize = 64;

/// What one stream of text has said last.
#[derive(Debug)]
pub(crate) struct Loops {
    most: usize,
    /// The last characters, as many as the longest loop takes that is looked for.
    tail: Vec<char>,
    heard: usize,
    line: String,
    last_line: String,
    same_lines: usize,
}

impl Loops {
    /// Notices what comes `most` times in a row.
    pub(crate) fn new(most: u32) -> Self {
        Loops {
            most: usize::try_from(most).unwrap_or(usize::MAX).max(2),
            tail: Vec::new(),
            heard: 0,
            line: String::new(),
            last_line: String::new(),
            same_lines: 0,
        }
    }

    /// More of the text. True when its end is a loop.
    pub(crate) fn hear(&mut self, text: &str) -> bool {
        text.chars().any(|c| {
            let line = self.hear_line(c);
            self.tail.push(c);
            self.heard += 1;
            self.heard.is_multiple_of(LOOK_EVERY) && self.look() || line
        })
    }

    /// How many characters at the end of the text only say again what stands before them.
    pub(crate) fn echo(&self) -> usize {
        (1..=LONGEST_UNIT).map(|unit| self.run(unit, usize::MAX)).max().unwrap_or(0)
    }

    /// Is the end of the text a loop already when it is enough to come `most` times?
    pub(crate) fn is_looping(&self, most: usize) -> bool {
        (1..=LONGEST_UNIT).any(|unit| {
            let enough = enough(unit, most);
            self.run(unit, enough) + unit >= enough
        })
    }

    fn look(&mut self) -> bool {
        let longest = enough(LONGEST_UNIT, self.most);
        if self.tail.len() > longest.saturating_mul(2) {
            self.tail.drain(..self.tail.len() - longest);
        }
        self.is_looping(self.most)
    }

    /// How many characters at the end equal the one a unit before; counts to `limit`.
    fn run(&self, unit: usize, limit: usize) -> usize {
        let earlier = &self.tail[..self.tail.len().saturating_sub(unit)];
        self.tail
            .iter()
            .rev()
            .zip(earlier.iter().rev())
            .take(limit)
            .take_while(|(later, earlier)| later == earlier)
            .count()
    }

    /// Lines too long to be a unit.
    fn hear_line(&mut self, c: char) -> bool {
        if c != '\n' {
            self.line.push(c);
            return false;
        }
        if self.line.trim().is_empty() {
            self.line.clear();
            return false;
        }
        self.same_lines = if self.line == self.last_line { self.same_lines + 1 } else { 1 };
        std::mem::swap(&mut self.line, &mut self.last_line);
        self.line.clear();
        self.same_lines >= self.most && self.last_line.chars().count() >= SHORT_UNIT
    }
}

/// Characters that a unit of so many must fill to be a loop.
fn enough(unit: usize, most: usize) -> usize {
    unit.max(SHORT_UNIT).saturating_mul(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The character at which the loop is noticed, if it is.
    fn noticed(text: &str, most: u32) -> Option<usize> {
        let mut loops = Loops::new(most);
        text.char_indices().position(|(at, c)| loops.hear(&text[at..at + c.len_utf8()]))
    }

    #[test]
    fn a_short_unit_is_noticed_when_it_has_come_so_often() {
        let unit = "I will try again. ";
        let at = noticed(&unit.repeat(100), 40).expect("a loop");
        assert!((unit.len() * 40 - 1..unit.len() * 40 + LOOK_EVERY).contains(&at), "{at}");
        assert_eq!(noticed(&unit.repeat(39), 40), None);
        assert!(noticed(&format!("It works. {}", "漢字です".repeat(200)), 40).is_some());
    }

    #[test]
    fn a_long_line_is_noticed_too_past_blank_ones() {
        let line =
            format!("{}\n\n", "The quick brown fox jumps over the lazy dog, and then he does it again. ".repeat(2));
        assert!(noticed(&line.repeat(40), 40).is_some());
        assert_eq!(noticed(&line.repeat(39), 40), None);
    }

    #[test]
    fn rulers_tables_and_rows_of_zeros_are_honest_text() {
        for honest in ["-".repeat(200), "| --- ".repeat(30), "0, ".repeat(128), " ".repeat(120), "}\n".repeat(60)] {
            assert_eq!(noticed(&honest, 40), None, "{honest}");
        }
        let code: String = (0..500).map(|n| format!("    assert_eq!(square({n}), {});\n", n * n)).collect();
        assert_eq!(noticed(&code, 40), None);
    }

    #[test]
    fn the_same_loop_is_noticed_wherever_the_text_is_cut() {
        let text = format!("so {}", "la la ".repeat(200));
        let (mut whole, mut pieces) = (Loops::new(40), Loops::new(40));
        assert!(whole.hear(&text));
        assert!(text.as_bytes().chunks(7).any(|piece| pieces.hear(&String::from_utf8_lossy(piece))));
        assert_eq!(whole.heard, pieces.heard);
    }

    #[test]
    fn the_echo_is_all_but_the_first_of_a_loop() {
        let mut loops = Loops::new(40);
        loops.hear(&format!("fine. {}", "spam ".repeat(100)));
        assert!(loops.is_looping(40) && loops.echo() >= 395, "{}", loops.echo());
    }
}
