//! Fits the parts into a budget: what weighs least becomes shorter first, then goes, and that is said.

/// One part of the page.
#[derive(Debug, Clone)]
pub(super) struct ContextPart {
    name: &'static str,
    /// The heaviest stays longest.
    weight: u8,
    /// So many of its words are kept when room is short.
    few: usize,
    words: Vec<String>,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Inline,
    Lines,
}

impl ContextPart {
    /// On one line.
    pub(super) fn new(name: &'static str, weight: u8, few: usize, words: Vec<String>) -> Self {
        ContextPart { name, weight, few, words, shape: Shape::Inline }
    }

    /// With a line for each of its words.
    pub(super) fn lines(name: &'static str, weight: u8, few: usize, words: Vec<String>) -> Self {
        ContextPart { shape: Shape::Lines, ..ContextPart::new(name, weight, few, words) }
    }

    fn text(&self) -> String {
        match (self.words.is_empty(), self.shape) {
            (true, _) => String::new(),
            (false, Shape::Inline) => format!("{}: {}\n", self.name, self.words.join(", ")),
            (false, Shape::Lines) => format!("{}:\n  {}\n", self.name, self.words.join("\n  ")),
        }
    }
}

/// All parts, and how many characters they may take.
pub(super) struct ContextPage {
    pub(super) parts: Vec<ContextPart>,
    /// For the words that say so.
    pub(super) tokens: usize,
    pub(super) most: usize,
}

impl ContextPage {
    pub(super) fn fitted(mut self) -> String {
        let mut cut: Vec<&'static str> = Vec::new();
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|at| self.parts[*at].weight);
        for round in [Round::Shorter, Round::Gone] {
            for at in &order {
                if self.text(&cut).chars().count() <= self.most {
                    return self.text(&cut);
                }
                let part = &mut self.parts[*at];
                let left = match round {
                    Round::Shorter => part.few,
                    // The name of the project stays.
                    Round::Gone => usize::from(part.weight >= 10),
                };
                if part.words.len() > left {
                    part.words.truncate(left);
                    cut.push(part.name);
                }
            }
        }
        self.text(&cut)
    }

    fn text(&self, cut: &[&'static str]) -> String {
        let mut text: String = self.parts.iter().map(ContextPart::text).collect();
        if !cut.is_empty() {
            let mut names = cut.to_vec();
            names.sort_unstable();
            names.dedup();
            let tokens = self.tokens;
            text.push_str(&format!(
                "[cut to about {tokens} tokens: {}; give max_tokens or a path for more]\n",
                names.join(", ")
            ));
        }
        text
    }
}

#[derive(Debug, Clone, Copy)]
enum Round {
    Shorter,
    Gone,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(most: usize) -> String {
        let words = |word: &str, many: usize| (0..many).map(|at| format!("{word}{at}")).collect::<Vec<_>>();
        let parts = vec![
            ContextPart::new("project", 10, 1, vec!["a".into()]),
            ContextPart::new("heavy", 9, 4, words("h", 10)),
            ContextPart::lines("light", 2, 2, words("l", 20)),
            ContextPart::new("empty", 1, 1, Vec::new()),
        ];
        ContextPage { parts, tokens: 9, most }.fitted()
    }

    #[test]
    fn what_weighs_least_is_cut_first_and_that_is_said() {
        let heavy = "heavy: h0, h1, h2, h3, h4, h5, h6, h7, h8, h9\n";
        let cut = |names: &str| format!("[cut to about 9 tokens: {names}; give max_tokens or a path for more]\n");
        let lines: String = (0..20).map(|at| format!("  l{at}\n")).collect();
        assert_eq!(page(1_000), format!("project: a\n{heavy}light:\n{lines}"));
        assert_eq!(page(155), format!("project: a\n{heavy}light:\n  l0\n  l1\n{}", cut("light")));
        assert_eq!(page(120), format!("project: a\nheavy: h0, h1, h2, h3\n{}", cut("heavy, light")));
        assert_eq!(page(1), format!("project: a\n{}", cut("heavy, light")));
    }
}
