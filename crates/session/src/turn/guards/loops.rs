//! Notices when a reply says the same few words again and again. Linear: it looks every so many characters, and never at
//! more of them than the longest loop takes.
//!
//! What a model says is judged more strictly than what it writes down: rows of a table or sixty equal lines of code are
//! honest file contents, so they must come many times more often.

/// The longest unit that is looked for inside a line, in characters.
const LONGEST_UNIT: usize = 64;

/// A unit of one or two characters must come this many times more often: rulers and rows of zeros are honest text.
const SHORT_UNIT: usize = 10;

/// So often is looked, in characters: between two looks a loop can only grow.
const LOOK_EVERY: usize = 64;

/// So many times more often must come what stands in a call or in a fence.
const IN_CONTENTS: usize = 20;

/// So often a server that stops loops by itself has heard a word, at least.
///
/// Source: a capture of a real server, which ended a reply after a word had come 31 times.
const SERVERS_PATIENCE: usize = 30;

/// What one stream of text has said last.
#[derive(Debug)]
pub(crate) struct Loops {
    most: usize,
    look_every: usize,
    /// The last characters, as many as the longest loop takes that is looked for.
    tail: Vec<char>,
    heard: usize,
    line: String,
    last_line: String,
    same_lines: usize,
}

impl Loops {
    /// Notices what comes `most` times in a row.
    fn new(most: usize) -> Self {
        let most = most.max(2);
        Loops {
            most,
            // Who waits longer looks at more, and so less often.
            look_every: most.max(LOOK_EVERY),
            tail: Vec::new(),
            heard: 0,
            line: String::new(),
            last_line: String::new(),
            same_lines: 0,
        }
    }

    /// Notices what goes on and on in anything that is written, file contents included.
    pub(crate) fn in_anything(same_words: u32) -> Self {
        Loops::new(limit(same_words).saturating_mul(IN_CONTENTS))
    }

    /// More of the text. True when its end is a loop.
    pub(crate) fn hear(&mut self, text: &str) -> bool {
        text.chars().any(|c| {
            let line = self.hear_line(c);
            self.tail.push(c);
            self.heard += 1;
            self.heard.is_multiple_of(self.look_every) && self.look() || line
        })
    }

    /// Is the end of the text a loop, as a server sees it that stops them by itself? It counts words, however short.
    pub(crate) fn server_would_stop(&self) -> bool {
        (1..=LONGEST_UNIT).any(|unit| run(&self.tail, unit, usize::MAX) + unit >= unit * SERVERS_PATIENCE)
    }

    fn look(&mut self) -> bool {
        let longest = enough(LONGEST_UNIT, self.most);
        if self.tail.len() > longest.saturating_mul(2) {
            self.tail.drain(..self.tail.len() - longest);
        }
        (1..=LONGEST_UNIT).any(|unit| {
            let enough = enough(unit, self.most);
            run(&self.tail, unit, enough) + unit >= enough
        })
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

/// What is said to a person: text in which fences stand, whose contents are left out here.
#[derive(Debug)]
pub(crate) struct Prose {
    loops: Loops,
    line: String,
    fence: Option<Fence>,
}

/// A line that opens or closes code.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    count: usize,
    /// Nothing follows: only such a line closes.
    bare: bool,
}

impl Prose {
    /// Notices what comes `same_words` times in a row.
    pub(crate) fn new(same_words: u32) -> Self {
        Prose { loops: Loops::new(limit(same_words)), line: String::new(), fence: None }
    }

    /// More of the text. True when its end is a loop.
    pub(crate) fn hear(&mut self, text: &str) -> bool {
        let mut looping = false;
        for part in text.split_inclusive('\n') {
            if self.fence.is_none() {
                looping |= self.loops.hear(part);
            }
            self.line.push_str(part);
            if part.ends_with('\n') {
                self.end_line();
            }
        }
        looping
    }

    fn end_line(&mut self) {
        let fence = Fence::parse_fence(&self.line);
        self.fence = match (self.fence, fence) {
            (None, fence) => fence,
            (Some(open), Some(fence)) if fence.closes(open) => None,
            (open, _) => open,
        };
        self.line.clear();
    }
}

impl Fence {
    fn parse_fence(line: &str) -> Option<Fence> {
        let line = line.trim();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = line.trim_start_matches(mark);
        let fence = Fence { mark, count: line.len() - rest.len(), bare: rest.is_empty() };
        (fence.count >= 3 && !(mark == '`' && rest.contains(mark))).then_some(fence)
    }

    fn closes(self, open: Fence) -> bool {
        self.mark == open.mark && self.count >= open.count && self.bare
    }
}

/// The text without what its end only says again: the first time stays. A text that ends in no loop stays as it is.
pub(crate) fn without_echo(text: &str, same_words: u32) -> &str {
    let times = limit(same_words).min(SERVERS_PATIENCE);
    let chars: Vec<char> = text.chars().collect();
    let runs = (1..=LONGEST_UNIT).map(|unit| (unit, run(&chars, unit, usize::MAX)));
    let echo = runs.filter(|(unit, run)| run + unit >= unit * times).map(|(_, run)| run).max();
    match echo {
        Some(echo) => {
            let bytes = chars.iter().rev().take(echo).map(|c| c.len_utf8()).sum::<usize>();
            text[..text.len() - bytes].trim_end()
        }
        None => without_repeated_lines(text, times),
    }
}

/// The same for lines too long to be a unit, blank ones between them or not.
fn without_repeated_lines(text: &str, times: usize) -> &str {
    let mut end = 0;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim().is_empty() {
            lines.push((end, line));
        }
    }
    // The last line may be at any point of being said again.
    let begun = lines.pop_if(|(_, line)| !line.ends_with('\n')).map_or("", |(_, line)| line);
    let Some(&(_, last)) = lines.last() else { return text };
    let same = lines.iter().rev().take_while(|(_, line)| *line == last).count();
    if same < times || !last.starts_with(begun) {
        return text;
    }
    let (first, _) = lines[lines.len() - same];
    text[..first].trim_end()
}

/// How many characters at the end equal the one a unit before; counts to `limit`.
fn run(text: &[char], unit: usize, limit: usize) -> usize {
    let earlier = &text[..text.len().saturating_sub(unit)];
    let pairs = text.iter().rev().zip(earlier.iter().rev()).take(limit);
    pairs.take_while(|(later, earlier)| later == earlier).count()
}

/// Characters that a unit of so many must fill to be a loop.
fn enough(unit: usize, most: usize) -> usize {
    unit.max(SHORT_UNIT).saturating_mul(most)
}

fn limit(same_words: u32) -> usize {
    usize::try_from(same_words).unwrap_or(usize::MAX).max(2)
}

#[cfg(test)]
mod tests;
