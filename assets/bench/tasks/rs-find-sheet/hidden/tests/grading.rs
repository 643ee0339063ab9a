use gridtext::{CellRef, Range, Settings, Sheet};

fn at(text: &str) -> CellRef {
    CellRef::parse(text).unwrap()
}

fn set(sheet: &mut Sheet, cell: &str, text: &str) {
    sheet.set(at(cell), text).unwrap();
}

/// Readings in three columns and the total above them.
fn book(last: u32) -> Sheet {
    let mut sheet = Sheet::new(Settings::default());
    set(&mut sheet, "F1", &format!("=SUM(B3:D{last})"));
    set(&mut sheet, "F2", "=F1*2");
    set(&mut sheet, "H1", "=H2+1");
    set(&mut sheet, "B3", "100");
    assert_eq!(sheet.shown(at("F1")), "100");
    sheet
}

#[test]
fn every_column_of_a_long_table_counts() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "C4", "20");
    assert_eq!(sheet.shown(at("F1")), "120");
    set(&mut sheet, "D@@LAST@@", "3");
    assert_eq!(sheet.shown(at("F1")), "123");
    set(&mut sheet, "C4", "");
    assert_eq!(sheet.shown(at("F1")), "103");
    set(&mut sheet, "C250", "7");
    assert_eq!(sheet.shown(at("F1")), "110");
}

#[test]
fn what_depends_on_the_total_follows() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "D100", "1");
    assert_eq!(sheet.shown(at("F2")), "202");
    assert_eq!(sheet.dependents(at("C17")), [at("F1")].into());
}

#[test]
fn longer_tables_count_too() {
    let mut sheet = book(20_000);
    set(&mut sheet, "D19000", "5");
    set(&mut sheet, "C20000", "5");
    assert_eq!(sheet.shown(at("F1")), "110");
    set(&mut sheet, "G1", "=SUM(J1:P3000)");
    for column in ["J", "K", "M", "O", "P"] {
        set(&mut sheet, &format!("{column}2999"), "1");
    }
    assert_eq!(sheet.shown(at("G1")), "5");
}

#[test]
fn formulas_in_the_table_count() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "C9", "=Z1*10");
    set(&mut sheet, "Z1", "4");
    assert_eq!(sheet.shown(at("F2")), "280");
    let before = sheet.evaluated();
    set(&mut sheet, "Z1", "5");
    assert_eq!(sheet.shown(at("F2")), "300");
    assert_eq!(sheet.evaluated() - before, 3);
}

#[test]
fn circles_are_noticed() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "D12", "=F2");
    assert_eq!(sheet.shown(at("F1")), "#CYCLE!");
    set(&mut sheet, "D12", "1");
    assert_eq!(sheet.shown(at("F2")), "202");
}

#[test]
fn the_first_column_counts_as_before() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "B@@LAST@@", "11");
    assert_eq!(sheet.shown(at("F2")), "222");
    let mut short = book(20);
    set(&mut short, "D20", "1");
    assert_eq!(short.shown(at("F1")), "101");
}

#[test]
fn nothing_else_is_calculated() {
    let mut sheet = book(@@LAST@@);
    let before = sheet.evaluated();
    for cell in ["A9", "E9", "C2", "C900", "D1"] {
        set(&mut sheet, cell, "1");
    }
    assert_eq!(sheet.evaluated(), before);
    set(&mut sheet, "B9", "1");
    assert_eq!(sheet.evaluated() - before, 2);
}

#[test]
fn a_total_that_was_changed_lets_go() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "F1", "=SUM(B3:B9)");
    let before = sheet.evaluated();
    for cell in ["C5", "D200", "B200"] {
        set(&mut sheet, cell, "1");
    }
    assert_eq!(sheet.evaluated(), before);
    sheet.clear(Range::parse("F1:F2").unwrap()).unwrap();
    set(&mut sheet, "B5", "1");
    assert_eq!(sheet.evaluated(), before);
}

#[test]
fn undo_brings_the_total_back() {
    let mut sheet = book(@@LAST@@);
    set(&mut sheet, "C8", "50");
    assert_eq!(sheet.shown(at("F1")), "150");
    sheet.undo().unwrap();
    assert_eq!(sheet.shown(at("F1")), "100");
    sheet.redo().unwrap();
    assert_eq!(sheet.shown(at("F2")), "300");
}
