use hours::Hours;

#[test]
fn weekdays_and_a_free_wednesday() {
    let hours = Hours::parse("Mon-Fri 09:00-12:30, 14:00-18:00 @@SEP@@ Wed @@CLOSED@@").unwrap();
    assert!(hours.is_open(0, 9 * 60));
    assert!(!hours.is_open(0, 13 * 60));
    assert!(!hours.is_open(2, 9 * 60));
    assert!(!hours.is_open(5, 9 * 60));
    assert_eq!(hours.minutes(), 4 * (3 * 60 + 30 + 4 * 60));
}

#[test]
fn a_fault() {
    assert_eq!(Hours::parse("Mon 09:00-12:00 @@SEP@@ Tue 9-12 ").err(), Some("Tue 9-12".to_string()));
}
