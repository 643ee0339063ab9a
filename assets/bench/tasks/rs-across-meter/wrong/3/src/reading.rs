/// One line of the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub place: String,
    pub day: u16,
    /// In hundredths, so that sums are exact.
    pub value: i64,
    /// Not measured.
    pub @@WORD@@: bool,
}

impl Reading {
    pub fn new(place: &str, day: u16, value: i64, @@WORD@@: bool) -> Self {
        Reading { place: place.to_string(), day, value, @@WORD@@ }
    }
}

/// `350` as `3.50`.
pub fn shown(value: i64) -> String {
    format!("{}.{:02}", value / 100, value % 100)
}
