//! Lines by kind.

/// How many lines there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lines {
    /// With something that is no comment.
    pub code: usize,
    /// With nothing but comments.
    pub comment: usize,
    pub blank: usize,
}

impl Lines {
    pub fn all(self) -> usize {
        self.code + self.comment + self.blank
    }
}

impl std::ops::AddAssign for Lines {
    fn add_assign(&mut self, other: Self) {
        self.code += other.code;
        self.comment += other.comment;
        self.blank += other.blank;
    }
}

/// What was seen on the lines of a text.
pub(crate) struct Marks {
    lines: Vec<Mark>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    code: bool,
    comment: bool,
}

impl Marks {
    pub(crate) fn new(text: &str) -> Self {
        Marks { lines: vec![Mark::default(); text.lines().count()] }
    }

    /// Lines `first` to `last`, from 0, hold code.
    pub(crate) fn code(&mut self, first: usize, last: usize) {
        self.between(first, last).for_each(|mark| mark.code = true);
    }

    /// Lines `first` to `last`, from 0, hold a comment.
    pub(crate) fn comment(&mut self, first: usize, last: usize) {
        self.between(first, last).for_each(|mark| mark.comment = true);
    }

    fn between(&mut self, first: usize, last: usize) -> impl Iterator<Item = &mut Mark> {
        let end = self.lines.len();
        self.lines[first.min(end)..last.saturating_add(1).clamp(first.min(end), end)].iter_mut()
    }

    /// What is neither blank nor a comment is code, whatever a grammar made of it.
    pub(crate) fn count(&self, text: &str) -> Lines {
        let mut lines = Lines::default();
        for (line, mark) in text.lines().zip(&self.lines) {
            match (line.trim().is_empty(), mark) {
                (true, _) => lines.blank += 1,
                (false, Mark { code: false, comment: true }) => lines.comment += 1,
                (false, Mark { .. }) => lines.code += 1,
            }
        }
        lines
    }
}

/// Where `name` stands as a whole word in `text`, in bytes.
pub(crate) fn places<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let alone = move |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[*at + name.len()..].chars().next();
        let open = name.starts_with(in_word) && before.is_some_and(in_word);
        let close = name.ends_with(in_word) && after.is_some_and(in_word);
        !(open || close)
    };
    text.match_indices(name).map(|(at, _)| at).filter(move |_| !name.is_empty()).filter(alone)
}
