//! Opening hours, as shops write them on their doors.
//!
//! ```text
//! Mon-Fri 09:00-12:30, 14:00-18:00 @@SEP@@ Sat@@JOIN@@Sun 10:00-16:00 @@SEP@@ Wed @@CLOSED@@
//! ```
//!
//! Rules are separated by `@@SEP@@`; what is blank between two of them is skipped. A
//! rule names days, then after white space the times of these days:
//!
//! * Days: names (`Mon Tue Wed Thu Fri Sat Sun`, in just this spelling) and ranges
//!   of them, joined by `@@JOIN@@` without blanks. A range may run past the end of the
//!   week (`Sat-Mon` has three days); `Mon-Mon` is one day.
//! * Times: `@@CLOSED@@`, or one or more `from-to` separated by commas, with white
//!   space allowed around the commas only. A time has two digits, a colon and two
//!   digits, from `00:00` to `23:59`; as the end of hours there is `24:00`, too.
//! * If `to` is not after `from`, the hours run past midnight into the following
//!   day (from Sunday into Monday). `from` and `to` must not be equal.
//! * A rule replaces what earlier rules said about the days it names. Hours belong
//!   to the day on which they begin, wherever they end.

/// The hours of a week.
pub struct Hours {
    /// From and to of each day, in minutes; `to` is greater than a day's if it runs
    /// past midnight.
    days: [Vec<(usize, usize)>; 7],
}

const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY: usize = 24 * 60;

impl Hours {
    /// Reads opening hours. The fault is the text of the first faulty rule, without
    /// white space around it.
    pub fn parse(text: &str) -> Result<Hours, String> {
        let mut hours = Hours { days: Default::default() };
        for rule in text.split('@@SEP@@').map(str::trim).filter(|rule| !rule.is_empty()) {
            let (days, spans) = read(rule).ok_or_else(|| rule.to_string())?;
            for day in days {
                hours.days[day] = spans.clone();
            }
        }
        Ok(hours)
    }

    fn week(&self) -> Vec<bool> {
        let mut week = vec![false; 7 * DAY];
        for (day, spans) in self.days.iter().enumerate() {
            for &(from, to) in spans {
                for minute in from..to {
                    week[(day * DAY + minute) % (7 * DAY)] = true;
                }
            }
        }
        week
    }

    /// Whether it is open on a day (0 is Monday) at a minute after midnight. It is
    /// open at the first minute of given hours and no longer at the last.
    pub fn is_open(&self, day: usize, minute: usize) -> bool {
        self.week()[day * DAY + minute]
    }

    /// How many minutes a week it is open. Hours that overlap count once.
    pub fn minutes(&self) -> usize {
        self.week().iter().filter(|open| **open).count()
    }
}

type Spans = Vec<(usize, usize)>;

fn read(rule: &str) -> Option<(Vec<usize>, Spans)> {
    let (days, times) = rule.split_once(char::is_whitespace)?;
    let mut named = Vec::new();
    for part in days.split('@@JOIN@@') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (day(first)?, day(last)?);
        named.push(first);
        let mut next = first;
        while next != last {
            next = (next + 1) % 7;
            named.push(next);
        }
    }
    let times = times.trim();
    if times == "@@CLOSED@@" {
        return Some((named, Vec::new()));
    }
    let mut spans = Vec::new();
    for span in times.split(',') {
        let (from, to) = span.trim().split_once('-')?;
        let (from, to) = (time(from)?, time(to)?);
        if from == to || from == DAY {
            return None;
        }
        spans.push((from, if to < from { to + DAY } else { to }));
    }
    Some((named, spans))
}

fn day(name: &str) -> Option<usize> {
    NAMES.iter().position(|known| *known == name)
}

/// `09:30` in minutes; 24:00 is a time here.
fn time(text: &str) -> Option<usize> {
    let (hour, minute) = text.split_once(':')?;
    let hour: usize = hour.parse().ok()?;
    let minute: usize = minute.parse().ok()?;
    let whole = hour * 60 + minute;
    (minute < 60 && whole <= DAY).then_some(whole)
}
