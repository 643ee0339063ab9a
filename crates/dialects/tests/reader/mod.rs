//! Reads what models write as the cases want it read, and judges what came of it.

pub(crate) mod case;
pub(crate) mod cuts;
pub(crate) mod judge;
pub(crate) mod offer;
pub(crate) mod reading;
pub(crate) mod said;
pub(crate) mod way;
pub(crate) mod written;
