//! Keeps the stock of a small shop: what came in, what was sold, and what has to be ordered again.

use std::collections::BTreeMap;
use std::fmt;

/// One kind of thing on the shelf.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub name: String,
    pub price_cents: u64,
    pub quantity: u32,
    pub reorder_below: u32,
}

/// Why a change of the stock was refused.
#[derive(Debug, PartialEq)]
pub enum StockError {
    Unknown(String),
    NotEnough { wanted: u32, available: u32 },
}

impl fmt::Display for StockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StockError::Unknown(name) => write!(f, "there is no item \"{name}\""),
            StockError::NotEnough { wanted, available } => {
                write!(f, "{wanted} wanted, but only {available} left")
            }
        }
    }
}

/// All items by name.
#[derive(Default)]
pub struct Inventory {
    items: BTreeMap<String, Item>,
    sold_cents: u64,
}

impl Inventory {
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts more of an item on the shelf; the newest price counts.
    pub fn receive(&mut self, name: &str, quantity: u32, price_cents: u64) {
        let item = self.items.entry(name.to_string()).or_insert_with(|| Item {
            name: name.to_string(),
            price_cents,
            quantity: 0,
            reorder_below: 5,
        });
        item.quantity += quantity;
        item.price_cents = price_cents;
    }

    pub fn sell(&mut self, name: &str, quantity: u32) -> Result<u64, StockError> {
        let item = self.items.get_mut(name).ok_or_else(|| StockError::Unknown(name.to_string()))?;
        if item.quantity < quantity {
            return Err(StockError::NotEnough { wanted: quantity, available: item.quantity });
        }
        item.quantity -= quantity;
        let cents = item.price_cents * u64::from(quantity);
        self.sold_cents += cents;
        Ok(cents)
    }

    pub fn remove(&mut self, name: &str) -> Result<Item, StockError> {
        match self.items.remove(name) {
            Some(item) => Ok(item),
            None => Err(StockError::Unknown(name.to_string())),
        }
    }

    /// What has to be ordered, the emptiest shelf first.
    pub fn to_order(&self) -> Vec<&Item> {
        let mut low: Vec<&Item> = Vec::new();
        for item in self.items.values() {
            if item.quantity < item.reorder_below {
                low.push(item);
            }
        }
        low.sort_by_key(|item| item.quantity);
        low
    }

    pub fn worth_cents(&self) -> u64 {
        let mut sum = 0;
        for item in self.items.values() {
            sum += item.price_cents * u64::from(item.quantity);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sold_leaves_the_shelf() {
        let mut inventory = Inventory::new();
        inventory.receive("tea", 10, 350);
        assert_eq!(inventory.sell("tea", 3), Ok(1050));
        assert_eq!(inventory.worth_cents(), 2450);
    }

    #[test]
    fn nothing_is_sold_that_is_not_there() {
        let mut inventory = Inventory::new();
        inventory.receive("tea", 2, 350);
        assert_eq!(inventory.sell("tea", 3), Err(StockError::NotEnough { wanted: 3, available: 2 }));
        assert_eq!(inventory.worth_cents(), 700);
    }
}
