use larder::{Lot, Order, Refused, Store};

fn filled() -> Store {
    let mut store = Store::default();
    store.put(Lot::new("@@GOODS@@", 10, 250, 1));
    store.put(Lot::new("flour", 4, 1000, 2));
    store.put(Lot::new("@@GOODS@@", 6, 250, 3));
    store
}

#[test]
fn taking() {
    let mut store = filled();
    assert_eq!(store.take("@@GOODS@@", 12), Ok(1));
    assert_eq!(store.take("@@GOODS@@", 5), Err(Refused::TooFew(4)));
    assert_eq!(store.take("salt", 1), Err(Refused::Nothing));
    assert_eq!(store.count("@@GOODS@@"), 4);
    assert_eq!(store.done(), [Order { number: 1, goods: "@@GOODS@@".to_string(), pieces: 12 }]);
    assert_eq!(store.diary().last().unwrap(), "empty: @@GOODS@@ of day 1");
}

#[test]
fn clearing() {
    let mut store = filled();
    assert_eq!(store.@@CLEAR@@(1 + @@KEEP@@), 0);
    assert_eq!(store.@@CLEAR@@(2 + @@KEEP@@), 10);
    assert_eq!(store.diary().last().unwrap(), "out: 10 @@GOODS@@");
}

#[test]
fn weighing() {
    let store = filled();
    let letters = String::from("@@GOODS@@");
    assert_eq!(store.heaviest(&letters).unwrap().pieces, 10);
    assert!(store.heaviest("x").is_none());
}
