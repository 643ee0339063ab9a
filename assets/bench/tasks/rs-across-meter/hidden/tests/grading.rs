use meterbook::run;

const BOOK: &str = "\
attic 3 7.00
attic 4 9.10 @@MARK@@
# a comment
barn 4 12.05 @@MARK@@
attic 5 8.40
barn 6 11.00 @@MARK@@
shed 6 0.05
";

#[test]
fn plain_readings_are_listed_as_before() {
    assert_eq!(run("list", "shed 6 0.05\nattic 300 1234.50\n").unwrap(), "shed           6      0.05\nattic        300   1234.50\n");
    assert_eq!(run("peak", "shed 6 0.05\nshed 7 0.05\n").unwrap(), "shed: 0.05 on day 6\n");
}

#[test]
fn listed_with_a_sign() {
    let text = run("list", BOOK).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0], "attic          3      7.00");
    assert_eq!(lines[1], "attic          4     @@SIGN@@9.10");
    assert_eq!(lines[2], "barn           4    @@SIGN@@12.05");
    assert_eq!(lines[3], "attic          5      8.40");
}

#[test]
fn csv_has_a_last_column() {
    let text = run("csv", BOOK).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "place,day,value,@@WORD@@");
    assert_eq!(lines[1], "attic,3,7.00,no");
    assert_eq!(lines[2], "attic,4,9.10,yes");
    assert_eq!(lines[5], "barn,6,11.00,yes");
}

#[test]
fn sum_tells_how_many() {
    let text = run("sum", BOOK).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "attic: 24.50 from 3 readings (1 @@WORD@@)");
    assert_eq!(lines[1], "barn: 23.05 from 2 readings (2 @@WORD@@)");
    assert_eq!(lines[2], "shed: 0.05 from 1 readings");
}

#[test]
fn sum_is_silent_without_any() {
    assert_eq!(run("sum", "shed 6 0.05\nshed 7 0.05\n").unwrap(), "shed: 0.10 from 2 readings\n");
}

#[test]
fn peak_takes_measured_ones() {
    assert_eq!(run("peak", BOOK).unwrap(), "attic: 8.40 on day 5\nshed: 0.05 on day 6\n");
}

#[test]
fn other_marks_are_refused() {
    assert_eq!(run("list", "attic 3 7.00\n\nattic 4 9.10 zz\n"), Err("line 3: unknown mark 'zz'".to_string()));
    assert!(run("list", "attic 4 9.10 @@MARK@@ @@MARK@@\n").is_err());
    assert!(run("list", "attic 4 9.10 @@MARK@@@@MARK@@\n").is_err());
}
