//! Ways to cut a text in pieces.

/// Numbers that look random and are the same for the same word.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn of(word: &str) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Chance(word.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
    }

    /// A number below `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most
    }
}

/// One character at a time.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()])
}

/// Pieces of one to `most` characters.
pub(crate) fn random<'a>(text: &'a str, most: usize, chance: &mut Chance) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let count = 1 + chance.below(most);
        let end = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
        let (piece, more) = rest.split_at(end);
        pieces.push(piece);
        rest = more;
    }
    pieces
}
