//! What is calculated again after a change, and what is not.

use gridtext::{storage, CellRef, Range, Settings, Sheet};

fn at(text: &str) -> CellRef {
    CellRef::parse(text).unwrap()
}

fn sheet(items: &[(&str, &str)]) -> Sheet {
    let mut sheet = Sheet::new(Settings::default());
    for (cell, text) in items {
        sheet.set(at(cell), text).unwrap();
    }
    sheet
}

#[test]
fn long_chains_are_followed() {
    let mut sheet = sheet(&[("A1", "1")]);
    for row in 2..=300 {
        sheet.set(at(&format!("A{row}")), &format!("=A{}+1", row - 1)).unwrap();
    }
    assert_eq!(sheet.shown(at("A300")), "300");
    let before = sheet.evaluated();
    sheet.set(at("A1"), "11").unwrap();
    assert_eq!(sheet.shown(at("A300")), "310");
    assert_eq!(sheet.evaluated() - before, 299);
}

#[test]
fn sums_over_ranges_follow_each_cell() {
    let mut sheet = sheet(&[("F1", "=SUM(A1:C40)"), ("F2", "=SUM(A1:A1000)")]);
    for (cell, number, sums) in [("A1", "1", ("1", "1")), ("C40", "5", ("6", "1")), ("A700", "3", ("6", "4"))] {
        sheet.set(at(cell), number).unwrap();
        assert_eq!((sheet.shown(at("F1")).as_str(), sheet.shown(at("F2")).as_str()), sums);
    }
    let before = sheet.evaluated();
    sheet.set(at("D1"), "9").unwrap();
    assert_eq!(sheet.evaluated(), before);
}

#[test]
fn changed_formulas_let_go_of_what_they_looked_at() {
    let mut sheet = sheet(&[("A1", "1"), ("B1", "2"), ("C1", "=A1")]);
    sheet.set(at("C1"), "=B1").unwrap();
    let before = sheet.evaluated();
    sheet.set(at("A1"), "7").unwrap();
    assert_eq!(sheet.evaluated(), before);
    assert!(sheet.dependents(at("A1")).is_empty());
}

#[test]
fn undo_calculates_too() {
    let mut sheet = sheet(&[("A1", "1"), ("A2", "2"), ("B1", "=SUM(A1:A2)"), ("B2", "=both")]);
    sheet.define("both", Range::parse("A1:A1").unwrap()).unwrap();
    sheet.set(at("A1"), "10").unwrap();
    sheet.set(at("B1"), "=A1*2").unwrap();
    sheet.undo().unwrap();
    assert_eq!(sheet.shown(at("B1")), "12");
    sheet.undo().unwrap();
    assert_eq!(sheet.shown(at("B1")), "3");
    assert_eq!(sheet.shown(at("B2")), "1");
    sheet.undo().unwrap();
    assert_eq!(sheet.shown(at("B2")), "#NAME?");
}

#[test]
fn the_oldest_edits_are_forgotten() {
    let mut sheet = Sheet::new(Settings { history: 2, ..Settings::default() });
    for text in ["1", "2", "3"] {
        sheet.set(at("A1"), text).unwrap();
    }
    assert!(sheet.undo().is_ok() && sheet.undo().is_ok() && sheet.undo().is_err());
    assert_eq!(sheet.shown(at("A1")), "1");
}

#[test]
fn files_come_back_as_they_were() {
    let text = "# gridtext 1\nname rate = B1\nB1 [0%] = 0.2\nA2 = two\\nlines\nB2 = =rate*10\nC2 = '=no\n";
    let sheet = storage::read(text, Settings::default()).unwrap();
    assert_eq!(storage::write(&sheet), text);
    assert_eq!(sheet.shown(at("B1")), "20%");
    assert_eq!(sheet.shown(at("B2")), "2");
    assert_eq!(sheet.shown(at("A2")), "two\nlines");
    assert!(sheet.undoable().is_empty());
}

#[test]
fn broken_files_name_the_line() {
    for (text, message) in [
        ("A1 = 1\n", "line 1: this is no grid file"),
        ("# gridtext 1\nA1 = 1\nA1 = 2\n", "line 3: A1 is there twice"),
        ("# gridtext 1\nA1 = =1+\n", "line 2: formula, character 3: something is missing at the end"),
        ("# gridtext 1\n\nA1 [0x0] = 1\n", "line 3: '0x0' is no format"),
        ("# gridtext 1\nA1\n", "line 2: a line is 'CELL = INPUT'"),
    ] {
        assert_eq!(storage::read(text, Settings::default()).unwrap_err().to_string(), message);
    }
}
