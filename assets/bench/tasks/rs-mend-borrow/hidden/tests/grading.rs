use larder::{Lot, Order, Refused, Store};

#[test]
fn stock_is_taken_and_told() {
    let mut store = Store::default();
    store.put(Lot::new("jam", 3, 400, 5));
    store.put(Lot::new("jam", 2, 400, 6));
    store.put(Lot::new("honey", 2, 500, 6));
    store.put(Lot::new("jam", 7, 400, 9));
    assert_eq!(store.take("jam", 6), Ok(1));
    assert_eq!(store.count("jam"), 6);
    assert_eq!(store.count("honey"), 2);
    assert_eq!(
        store.diary(),
        ["in: 3 jam", "in: 2 jam", "in: 2 honey", "in: 7 jam", "empty: jam of day 5", "empty: jam of day 6"]
    );
    assert_eq!(store.take("jam", 6), Ok(2));
    assert_eq!(store.diary().len(), 7);
    assert_eq!(store.diary()[6], "empty: jam of day 9");
    assert_eq!(store.take("jam", 1), Err(Refused::Nothing));
}

#[test]
fn orders_keep_their_number() {
    let mut store = Store::default();
    store.put(Lot::new("jam", 9, 400, 5));
    assert_eq!(store.take("jam", 2), Ok(1));
    assert_eq!(store.take("jam", 8), Err(Refused::TooFew(7)));
    assert_eq!(store.take("jam", 7), Ok(2));
    let order = |number, pieces| Order { number, goods: "jam".to_string(), pieces };
    assert_eq!(store.done(), [order(1, 2), order(2, 7)]);
}

#[test]
fn what_spoils_is_cleared_away() {
    let mut store = Store::default();
    for (goods, pieces, came) in [("a", 1, 10), ("b", 2, 10), ("c", 3, 11), ("d", 4, 30), ("e", 5, 10), ("f", 6, 10)] {
        store.put(Lot::new(goods, pieces, 100, came));
    }
    assert_eq!(store.@@CLEAR@@(10 + @@KEEP@@), 0);
    assert_eq!(store.diary().len(), 6);
    assert_eq!(store.@@CLEAR@@(11 + @@KEEP@@), 14);
    assert_eq!(store.diary()[6..], ["out: 1 a", "out: 2 b", "out: 5 e", "out: 6 f"]);
    assert_eq!([store.count("a"), store.count("b"), store.count("c"), store.count("d")], [0, 0, 3, 4]);
    assert_eq!(store.@@CLEAR@@(12 + @@KEEP@@), 3);
    assert_eq!(store.@@CLEAR@@(12 + @@KEEP@@), 0);
}

#[test]
fn the_heaviest_by_first_letters() {
    let mut store = Store::default();
    store.put(Lot::new("plums", 5, 200, 1));
    store.put(Lot::new("plum jam", 2, 500, 1));
    store.put(Lot::new("pears", 1, 1200, 2));
    store.put(Lot::new("plain cake", 1, 900, 3));
    let found = {
        let letters = format!("p{}", "l");
        store.heaviest(&letters)
    };
    assert_eq!(found.unwrap().goods, "plums");
    assert_eq!(store.heaviest("p").unwrap().goods, "pears");
    assert_eq!(store.heaviest("").unwrap().goods, "pears");
    assert!(store.heaviest("q").is_none());
}

#[test]
fn nothing_is_taken_for_half_an_order() {
    let mut store = Store::default();
    store.put(Lot::new("jam", 3, 400, 5));
    store.put(Lot::new("jam", 3, 400, 6));
    assert_eq!(store.take("jam", 7), Err(Refused::TooFew(6)));
    assert_eq!(store.count("jam"), 6);
    assert_eq!(store.diary().len(), 2);
    assert!(store.done().is_empty());
}
