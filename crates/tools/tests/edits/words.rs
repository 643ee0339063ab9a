//! Small changes of lines, as models and people make them.

/// Numbers that are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Numbers(seed)
    }

    /// Less than `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.below(all.len())]) }
    }
}

/// `text` with every line changed, but for blank ones.
pub(crate) fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    let changed = |line: &str| if line.trim().is_empty() { line.to_owned() } else { change(line) };
    text.split('\n').map(changed).collect::<Vec<_>>().join("\n")
}

/// `text` with this line changed.
pub(crate) fn one_line(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    let changed = |(index, line): (usize, &str)| if index == number { change(line) } else { line.to_owned() };
    text.split('\n').enumerate().map(changed).collect::<Vec<_>>().join("\n")
}

pub(crate) fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The white space that all lines of both texts begin with.
pub(crate) fn common_indent(old: &str, new: &str) -> String {
    let lines = || old.split('\n').chain(new.split('\n')).filter(|line| !line.trim().is_empty());
    lines().map(indent).min_by_key(|indent| indent.len()).unwrap_or_default().to_owned()
}

/// With steps of `to` in place of `from`; what is left of a step stays.
pub(crate) fn other_steps(line: &str, from: &str, to: &str) -> String {
    let (mut rest, mut steps) = (line, 0);
    while let Some(less) = rest.strip_prefix(from) {
        (rest, steps) = (less, steps + 1);
    }
    to.repeat(steps) + rest
}

/// As a word processor would write them.
pub(crate) fn smart_quotes(text: &str) -> String {
    let mut before = ' ';
    let smart = |c: char| {
        let opens = !before.is_alphanumeric() && !",.;:!?)]}>'\"".contains(before);
        before = c;
        match (c, opens) {
            ('"', true) => '“',
            ('"', false) => '”',
            ('\'', true) => '‘',
            ('\'', false) => '’',
            (c, _) => c,
        }
    };
    text.chars().map(smart).collect()
}

/// With one word of at least five letters slightly wrong; `None`: there is none.
pub(crate) fn drifted(line: &str, numbers: &mut Numbers) -> Option<String> {
    let mut words = Vec::new();
    let mut start = None;
    for (index, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (c.is_ascii_alphabetic(), start) {
            (true, None) => start = Some(index),
            (false, Some(from)) => {
                start = None;
                if index - from >= 5 {
                    words.push((from, index));
                }
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    let (from, to) = numbers.one_of(&words)?;
    let word = match numbers.below(3) {
        0 => format!("{}s", &line[from..to]),
        1 => line[from..to - 1].to_owned(),
        _ => format!("{}_{}", &line[from..from + 2], &line[from + 2..to]),
    };
    Some(format!("{}{word}{}", &line[..from], &line[to..]))
}

/// How many lines both texts begin with, and how many others they end with.
pub(crate) fn shared(old: &str, new: &str) -> (usize, usize) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    (first, last)
}
