use gridtext::sheet::{Direction, Order};
use gridtext::{CellRef, Range, Settings, Sheet, Value};

fn at(text: &str) -> CellRef {
    CellRef::parse(text).unwrap()
}

fn range(text: &str) -> Range {
    Range::parse(text).unwrap()
}

/// A sheet with these rows, each with words for the columns; `-` is an empty cell.
fn sheet(rows: &[&str]) -> Sheet {
    let mut sheet = Sheet::new(Settings::default());
    for (row, text) in rows.iter().enumerate() {
        for (column, word) in text.split(' ').enumerate() {
            if word != "-" {
                sheet.set(CellRef::new(row as u32, column as u32), word).unwrap();
            }
        }
    }
    sheet
}

fn column(sheet: &Sheet, text: &str) -> String {
    let shown: Vec<String> = range(text).cells().map(|cell| sheet.shown(cell)).collect();
    shown.join(" ")
}

#[test]
fn ascending_is_as_before() {
    let mut sheet = sheet(&["a TRUE", "b pear", "c 3", "d Apple", "e -2", "f FALSE"]);
    sheet.sort(range("A1:B6"), 1, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A6"), "e c d b f a");
    sheet.sort(range("A2:B4"), 0, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A6"), "e b c d f a");
    assert!(sheet.sort(range("A1:B3"), 2, Order::Descending).is_err());
}

#[test]
fn equal_keys_keep_their_order_in_both() {
    let rows = ["a 2", "b x", "c 2", "d X", "e 1", "f 2", "g TRUE"];
    let mut sheet = sheet(&rows);
    sheet.sort(range("A1:B7"), 1, Order::Descending).unwrap();
    assert_eq!(column(&sheet, "A1:A7"), "g b d a c f e");
    sheet.sort(range("A1:B7"), 1, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A7"), "e a c f b d g");
}

#[test]
fn empty_keys_come_last_in_both() {
    let rows = ["a -", "b 1", "c -", "d 3", "e 2"];
    let mut sheet = sheet(&rows);
    sheet.sort(range("A1:B5"), 1, Order::Descending).unwrap();
    assert_eq!(column(&sheet, "A1:A5"), "d e b a c");
    sheet.sort(range("A1:B5"), 1, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A5"), "b e d a c");
}

#[test]
fn errors_come_before_empty_ones_in_both() {
    let rows = ["a -", "b =1/0", "c 5", "d x", "e #DIV/0!", "f -", "g 7"];
    let mut sheet = sheet(&rows);
    sheet.sort(range("A1:B7"), 1, Order::Descending).unwrap();
    assert_eq!(column(&sheet, "A1:A7"), "d g c b e a f");
    sheet.sort(range("A1:B7"), 1, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A7"), "c g d b e a f");
}

#[test]
fn a_total_at_the_end_stays() {
    for word in ["@@WORD@@".to_string(), "@@WORD@@".to_uppercase(), "@@WORD@@".to_lowercase()] {
        let total = format!("{word} 6");
        let rows = ["n 5", "z 9", "- -", "k 7", &total];
        let mut sheet = sheet(&rows);
        sheet.sort(range("A1:B5"), 1, Order::Descending).unwrap();
        assert_eq!(column(&sheet, "A1:A5"), format!("z k n  {word}"));
        sheet.sort(range("A1:B5"), 0, Order::Ascending).unwrap();
        assert_eq!(column(&sheet, "A1:A5"), format!("k n z  {word}"));
        assert_eq!(column(&sheet, "B1:B5"), "7 5 9  6");
        // Without it at the end of the range, the rows are all alike.
        sheet.sort(range("A4:B5"), 0, Order::Ascending).unwrap();
        assert_eq!(sheet.shown(at("A5")), word);
    }
    let mut single = sheet(&["@@WORD@@ 1"]);
    single.sort(range("A1:B1"), 0, Order::Ascending).unwrap();
    assert_eq!(column(&single, "A1:B1"), "@@WORD@@ 1");
}

#[test]
fn only_a_total_at_the_end_stays() {
    let mut sheet = sheet(&["a 1", "@@WORD@@ 2", "c 3", "my@@WORD@@ 0"]);
    sheet.sort(range("A1:B4"), 1, Order::Ascending).unwrap();
    assert_eq!(column(&sheet, "A1:A4"), "my@@WORD@@ a @@WORD@@ c");
    let mut other = self::sheet(&["1 c", "3 a", "2 @@WORD@@"]);
    other.sort(range("A1:B3"), 0, Order::Ascending).unwrap();
    assert_eq!(column(&other, "A1:A3"), "1 2 3");
    let mut beside = self::sheet(&["@@WORD@@ 3 c", "x 2 b", "@@WORD@@ 1 a"]);
    beside.sort(range("B1:C3"), 0 + 1, Order::Ascending).unwrap();
    assert_eq!(column(&beside, "B1:B3"), "1 2 3");
}

#[test]
fn formulas_are_adapted_and_undo_works() {
    let mut sheet = sheet(&["b 1 =B1*10", "- - -", "a 2 =B3*10", "c 3 =B4*10", "@@WORD@@ =SUM(B1:B4) =SUM(C1:C4)"]);
    let before: Vec<String> = sheet.stored().map(|(_, stored)| stored.input.clone()).collect();
    sheet.sort(range("A1:C5"), 1, Order::Descending).unwrap();
    assert_eq!(column(&sheet, "C1:C5"), "30 20 10  60");
    assert_eq!(sheet.input(at("C1")), "=B1*10");
    assert_eq!(sheet.input(at("B5")), "=SUM(B1:B4)");
    assert_eq!(sheet.undo(), Ok("sort A1:C5".to_string()));
    let after: Vec<String> = sheet.stored().map(|(_, stored)| stored.input.clone()).collect();
    assert_eq!(before, after);
}

#[test]
fn the_other_commands_are_as_before() {
    let mut sheet = sheet(&["1 =A1*2", "2 -", "3 -"]);
    sheet.fill(range("B1:B3"), Direction::Down).unwrap();
    assert_eq!(column(&sheet, "B1:B3"), "2 4 6");
    sheet.fill_series(range("A1:A5")).unwrap();
    assert_eq!(column(&sheet, "A1:A5"), "1 2 3 4 5");
    sheet.move_block(range("A1"), at("D1")).unwrap();
    assert_eq!(sheet.input(at("B1")), "=D1*2");
    assert_eq!(sheet.replace(range("A1:A5"), "5", "50"), Ok(1));
    assert_eq!(sheet.value(at("A5")), Value::Number(50.0));
    sheet.freeze(range("B2")).unwrap();
    assert_eq!(sheet.input(at("B2")), "4");
    assert_eq!(Value::Empty.sort_order(&Value::Number(1.0)), std::cmp::Ordering::Greater);
    assert_eq!(Value::Bool(true).sort_order(&Value::text("x")), std::cmp::Ordering::Greater);
}
