//! A book of meter readings, and what can be asked of it.

mod csv;
mod list;
mod parse;
mod peak;
mod reading;
mod sum;

pub use reading::Reading;

/// Carries out one command on the text of a book.
pub fn run(command: &str, book: &str) -> Result<String, String> {
    let readings = parse::book(book)?;
    match command {
        "list" => Ok(list::list(&readings)),
        "csv" => Ok(csv::csv(&readings)),
        "sum" => Ok(sum::sum(&readings)),
        "peak" => Ok(peak::peak(&readings)),
        other => Err(format!("unknown command '{other}'")),
    }
}
