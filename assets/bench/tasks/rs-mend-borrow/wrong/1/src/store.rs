use crate::lot::{self, Lot};
use crate::order::{Order, Refused};

/// The store: its lots in the order they came, the orders done and a diary.
#[derive(Debug, Default)]
pub struct Store {
    lots: Vec<Lot>,
    done: Vec<Order>,
    diary: Vec<String>,
    next: u32,
}

impl Store {
    pub fn put(&mut self, lot: Lot) {
        self.note(format!("in: {} {}", lot.pieces, lot.goods));
        self.lots.push(lot);
    }

    /// Takes pieces out, from the oldest lots first, and returns the number of the
    /// order: 1 for the first one that was carried out. If there are not enough
    /// pieces, nothing is taken.
    pub fn take(&mut self, goods: &str, pieces: u32) -> Result<u32, Refused> {
        let there = self.count(goods);
        if there == 0 {
            return Err(Refused::Nothing);
        }
        if there < pieces {
            return Err(Refused::TooFew(there));
        }
        let mut wanted = pieces;
        let mut empty = Vec::new();
        for lot in self.lots.iter_mut().filter(|lot| lot.goods == goods) {
            let taken = wanted.min(lot.pieces);
            lot.pieces -= taken;
            wanted -= taken;
            if lot.pieces == 0 {
                empty.push(format!("empty: {} of day {}", lot.goods, lot.came));
            }
        }
        self.diary.append(&mut empty);
        self.lots.retain(|lot| lot.pieces > 0);
        self.next += 1;
        self.done.push(Order { number: self.next, goods: goods.to_string(), pieces });
        Ok(self.next)
    }

    /// Throws away the lots that are spoiled, with a line in the diary for each,
    /// and returns how many pieces that were.
    pub fn @@CLEAR@@(&mut self, today: u32) -> u32 {
        let mut gone = 0;
        for place in 0..self.lots.len() {
            if place < self.lots.len() && self.lots[place].spoiled(today) {
                let lot = self.lots.remove(place);
                gone += lot.pieces;
                self.note(format!("out: {} {}", lot.pieces, lot.goods));
            }
        }
        gone
    }

    pub fn count(&self, goods: &str) -> u32 {
        self.lots.iter().filter(|lot| lot.goods == goods).map(|lot| lot.pieces).sum()
    }

    /// See `lot::heaviest`.
    pub fn heaviest(&self, letters: &str) -> Option<&Lot> {
        lot::heaviest(&self.lots, letters)
    }

    pub fn done(&self) -> &[Order] {
        &self.done
    }

    pub fn diary(&self) -> &[String] {
        &self.diary
    }

    fn note(&mut self, line: String) {
        self.diary.push(line);
    }
}
