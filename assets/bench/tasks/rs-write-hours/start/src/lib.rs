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
pub struct Hours {}

impl Hours {
    /// Reads opening hours. The fault is the text of the first faulty rule, without
    /// white space around it.
    pub fn parse(text: &str) -> Result<Hours, String> {
        todo!("{text}")
    }

    /// Whether it is open on a day (0 is Monday) at a minute after midnight. It is
    /// open at the first minute of given hours and no longer at the last.
    pub fn is_open(&self, day: usize, minute: usize) -> bool {
        todo!("{day} {minute}")
    }

    /// How many minutes a week it is open. Hours that overlap count once.
    pub fn minutes(&self) -> usize {
        todo!()
    }
}
