use meterbook::run;

const BOOK: &str = "# winter\nkitchen 12 3.50\ncellar 12 0.75\n\nkitchen 13 4.25\n";

#[test]
fn list_in_columns() {
    let text = run("list", BOOK).unwrap();
    assert_eq!(text.lines().next(), Some("kitchen       12      3.50"));
}

#[test]
fn csv_with_head() {
    let text = run("csv", BOOK).unwrap();
    let columns: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(columns[..3], ["kitchen", "12", "3.50"]);
}

#[test]
fn sums() {
    assert_eq!(run("sum", BOOK).unwrap(), "cellar: 0.75 from 1 readings\nkitchen: 7.75 from 2 readings\n");
}

#[test]
fn peaks() {
    assert_eq!(run("peak", BOOK).unwrap(), "cellar: 0.75 on day 12\nkitchen: 4.25 on day 13\n");
}

#[test]
fn faults_name_the_line() {
    assert_eq!(run("sum", "kitchen 12 3.50\nkitchen 400 1.00\n"), Err("line 2: '400' is no day".to_string()));
    assert!(run("sum", "kitchen 12\n").is_err());
}
