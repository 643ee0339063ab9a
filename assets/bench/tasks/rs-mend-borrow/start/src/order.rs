/// What somebody wants.
#[derive(Debug, PartialEq)]
pub struct Order {
    pub number: u32,
    pub goods: String,
    pub pieces: u32,
}

/// Why an order was not carried out.
#[derive(Debug, PartialEq)]
pub enum Refused {
    /// There are only so many pieces.
    TooFew(u32),
    Nothing,
}
