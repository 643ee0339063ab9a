//! Many words looked for at once at the beginning of a text.

/// Words with a number each, told apart byte by byte.
#[derive(Debug)]
pub(crate) struct Trie {
    /// The root is the first, and leads nowhere but by `first`.
    nodes: Vec<Node>,
    /// The node of each first byte; 0: none.
    first: [usize; 256],
}

#[derive(Debug)]
struct Node {
    next: Vec<(u8, usize)>,
    /// The numbers of the words that end here.
    ends: Vec<usize>,
    /// The least number of the words that go on from here.
    below: Option<usize>,
}

/// What a text begins with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Begins {
    /// The words it begins with, by number in order, and their lengths.
    pub(crate) with: Vec<(usize, usize)>,
    /// It ends where a word may go on: the least number of these.
    pub(crate) perhaps: Option<usize>,
}

impl Trie {
    /// Of words whose numbers are given.
    pub(crate) fn new<'a>(words: impl IntoIterator<Item = (&'a str, usize)>) -> Self {
        let root = Node { next: Vec::new(), ends: Vec::new(), below: None };
        let mut trie = Trie { nodes: vec![root], first: [0; 256] };
        words.into_iter().for_each(|(word, number)| trie.insert(word, number));
        trie
    }

    fn insert(&mut self, word: &str, number: usize) {
        let mut node = 0;
        for byte in word.bytes() {
            let below = self.nodes[node].below.map_or(number, |least| least.min(number));
            self.nodes[node].below = Some(below);
            node = self.next(node, byte).unwrap_or_else(|| self.grow(node, byte));
        }
        self.nodes[node].ends.push(number);
    }

    fn next(&self, node: usize, byte: u8) -> Option<usize> {
        if node == 0 {
            return Some(self.first[usize::from(byte)]).filter(|next| *next > 0);
        }
        self.nodes[node].next.iter().find(|(label, _)| *label == byte).map(|(_, next)| *next)
    }

    fn grow(&mut self, node: usize, byte: u8) -> usize {
        let new = self.nodes.len();
        self.nodes.push(Node { next: Vec::new(), ends: Vec::new(), below: None });
        match node {
            0 => self.first[usize::from(byte)] = new,
            _ => self.nodes[node].next.push((byte, new)),
        }
        new
    }

    /// What `text` begins with.
    pub(crate) fn begins(&self, text: &str) -> Begins {
        let (mut begins, mut node) = (Begins::default(), 0);
        for (at, byte) in text.bytes().enumerate() {
            let Some(next) = self.next(node, byte) else {
                begins.with.sort_unstable();
                return begins;
            };
            node = next;
            begins.with.extend(self.nodes[node].ends.iter().map(|number| (*number, at + 1)));
        }
        begins.with.sort_unstable();
        begins.perhaps = self.nodes[node].below;
        begins
    }

    /// Does `text` begin with a word, as far as it goes?
    pub(crate) fn may_begin(&self, text: &str) -> bool {
        let mut node = 0;
        for byte in text.bytes() {
            match self.next(node, byte) {
                Some(next) if self.nodes[next].ends.is_empty() => node = next,
                Some(_) => return true,
                None => return false,
            }
        }
        self.nodes[node].below.is_some()
    }

    /// The length of the longest word that `text` begins with; otherwise whether it ends where one may go on.
    pub(crate) fn longest(&self, text: &str) -> Result<usize, bool> {
        let (mut node, mut longest) = (0, None);
        for (at, byte) in text.bytes().enumerate() {
            let Some(next) = self.next(node, byte) else { return longest.ok_or(false) };
            node = next;
            longest = if self.nodes[node].ends.is_empty() { longest } else { Some(at + 1) };
        }
        longest.ok_or(self.nodes[node].below.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trie() -> Trie {
        Trie::new([("<tool", 1), ("<tool_call>", 2), ("to=", 0), ("<tool_call>", 3)])
    }

    #[test]
    fn words_are_found_in_the_order_of_their_numbers() {
        let all = Begins { with: vec![(1, 5), (2, 11), (3, 11)], perhaps: None };
        assert_eq!(trie().begins("<tool_call>{"), all);
        assert_eq!(trie().begins("<tools>"), Begins { with: vec![(1, 5)], perhaps: None });
        assert_eq!(trie().begins("tool"), Begins::default());
    }

    #[test]
    fn a_text_that_ends_within_a_word_may_become_it() {
        assert_eq!(trie().begins("<tool_"), Begins { with: vec![(1, 5)], perhaps: Some(2) });
        assert_eq!(trie().begins("t"), Begins { with: Vec::new(), perhaps: Some(0) });
        assert!(trie().may_begin("<to") && trie().may_begin("to=x") && !trie().may_begin("tx"));
    }

    #[test]
    fn the_longest_word_counts() {
        assert_eq!(trie().longest("<tool_call>"), Ok(11));
        assert_eq!(trie().longest("<tool_cup>"), Ok(5));
        assert_eq!(trie().longest("<to"), Err(true));
        assert_eq!(trie().longest("<x"), Err(false));
    }
}
