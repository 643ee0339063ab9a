/// Days goods are kept after the day they came in.
pub const KEEP: u32 = @@KEEP@@;

/// Some pieces of the same goods that came in together.
#[derive(Debug)]
pub struct Lot {
    pub goods: String,
    pub pieces: u32,
    pub grams_each: u32,
    pub came: u32,
}

impl Lot {
    pub fn new(goods: &str, pieces: u32, grams_each: u32, came: u32) -> Self {
        Lot { goods: goods.to_string(), pieces, grams_each, came }
    }

    pub fn grams(&self) -> u32 {
        self.pieces * self.grams_each
    }

    /// Spoiled is what is older than `KEEP` days.
    pub fn spoiled(&self, today: u32) -> bool {
        today > self.came + KEEP
    }
}

/// The heaviest lot whose goods begin with some letters; the earlier one of two
/// that weigh the same.
pub fn heaviest<'a>(lots: &'a [Lot], letters: &str) -> Option<&'a Lot> {
    let mut best: Option<&Lot> = None;
    for lot in lots.iter().filter(|lot| lot.goods.starts_with(letters)) {
        match best {
            Some(found) if found.grams() >= lot.grams() => {}
            _ => best = Some(lot),
        }
    }
    best
}
