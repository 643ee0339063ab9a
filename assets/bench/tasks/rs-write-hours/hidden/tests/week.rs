use hours::Hours;

const H: usize = 60;

fn hours(text: &str) -> Hours {
    match Hours::parse(text) {
        Ok(hours) => hours,
        Err(fault) => panic!("{text}: {fault}"),
    }
}

/// The days open at a minute, as a text like `M_W____`.
fn days(hours: &Hours, minute: usize) -> String {
    "MTWTFSS".chars().enumerate().map(|(day, letter)| if hours.is_open(day, minute) { letter } else { '_' }).collect()
}

#[test]
fn one_day() {
    let thu = hours("Thu 08:15-16:45");
    assert!(!thu.is_open(3, 8 * H + 14));
    assert!(thu.is_open(3, 8 * H + 15));
    assert!(thu.is_open(3, 16 * H + 44));
    assert!(!thu.is_open(3, 16 * H + 45));
    assert_eq!(thu.minutes(), 8 * H + 30);
    assert_eq!(hours("").minutes(), 0);
    assert_eq!(hours(" @@SEP@@  @@SEP@@").minutes(), 0);
    assert_eq!(hours("Sun 00:00-24:00").minutes(), 24 * H);
    assert_eq!(hours("Sun\t10:00-11:00 ,12:00-13:00,  14:00-15:00").minutes(), 3 * H);
}

#[test]
fn ranges_and_lists_of_days() {
    assert_eq!(days(&hours("Tue-Thu 10:00-11:00"), 10 * H), "_TWT___");
    assert_eq!(days(&hours("Sat-Mon 10:00-11:00"), 10 * H), "M____SS");
    assert_eq!(days(&hours("Fri-Fri 10:00-11:00"), 10 * H), "____F__");
    assert_eq!(days(&hours("Mon@@JOIN@@Wed-Thu@@JOIN@@Sun 10:00-11:00"), 10 * H), "M_WT__S");
    assert_eq!(days(&hours("Wed-Tue 10:00-11:00"), 10 * H), "MTWTFSS");
}

#[test]
fn later_rules_replace_earlier_ones() {
    let week = hours("Mon-Sun 09:00-17:00@@SEP@@Sat-Sun @@CLOSED@@@@SEP@@Fri 08:00-12:00");
    assert_eq!(days(&week, 8 * H), "____F__");
    assert_eq!(days(&week, 13 * H), "MTWT___");
    assert_eq!(week.minutes(), 4 * 8 * H + 4 * H);
    let again = hours("Tue @@CLOSED@@ @@SEP@@ Tue 10:00-11:00 @@SEP@@ Tue 20:00-21:00");
    assert_eq!(again.minutes(), H);
    assert!(again.is_open(1, 20 * H));
}

#[test]
fn past_midnight() {
    let bar = hours("Fri-Sun 20:00-02:30");
    assert_eq!(days(&bar, 2 * H + 29), "M____SS");
    assert_eq!(days(&bar, 2 * H + 30), "_______");
    assert_eq!(days(&bar, 23 * H + 59), "____FSS");
    assert_eq!(bar.minutes(), 3 * 390);
    // what begins on Friday stays, though Saturday has a rule of its own
    let sat = hours("Fri-Sat 22:00-03:00 @@SEP@@ Sat @@CLOSED@@");
    assert!(sat.is_open(5, H));
    assert!(!sat.is_open(5, 22 * H));
    assert!(!sat.is_open(6, H));
    assert_eq!(sat.minutes(), 5 * H);
    assert_eq!(hours("Mon 18:00-00:00").minutes(), 6 * H);
    assert_eq!(hours("Mon 00:01-00:00").minutes(), 24 * H - 1);
}

#[test]
fn minutes_are_counted_once() {
    assert_eq!(hours("Mon 09:00-12:00, 11:00-13:00, 09:30-10:00").minutes(), 4 * H);
    let long = hours("Mon 22:00-06:00 @@SEP@@ Tue 05:00-08:00");
    assert_eq!(long.minutes(), 10 * H);
    let round = hours("Sun 23:00-02:00 @@SEP@@ Mon 01:00-03:00");
    assert_eq!(round.minutes(), 4 * H);
}

#[test]
fn faulty_rules_are_given_back() {
    for rule in [
        "Mon",
        "Mon 09:00",
        "Mon 09:00-",
        "Mon 9:00-10:00",
        "Mon 09:00-10:0",
        "Mon 09:00-10:000",
        "Mon 09:60-10:00",
        "Mon 24:00-10:00",
        "Mon 10:00-24:01",
        "Mon 10:00-25:00",
        "Mon 10:00-10:00",
        "Mon 10:00 - 11:00",
        "Mon 10:00-11:00,",
        "Mon 10:00-11:00 12:00-13:00",
        "Mon 10:00-11:00, @@CLOSED@@",
        "mon 10:00-11:00",
        "Monday 10:00-11:00",
        "Mon- 10:00-11:00",
        "Mon@@JOIN@@ 10:00-11:00",
        "Mon-Tue-Wed 10:00-11:00",
        "Mon @@JOIN@@ Tue 10:00-11:00",
        "10:00-11:00",
        "Mon +1:00-11:00",
        "Mön 10:00-11:00",
        "Mon 1é:00-11:00",
    ] {
        let text = format!("Tue 09:00-10:00 @@SEP@@  {rule} @@SEP@@ nonsense");
        assert_eq!(Hours::parse(&text).err().as_deref(), Some(rule), "{rule}");
    }
}
