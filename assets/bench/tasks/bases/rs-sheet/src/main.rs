//! The command line program; everything it does is in the library.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use gridtext::cli::{self, Console};

/// Standard input and output, and the files of the current folder.
struct Terminal;

impl Console for Terminal {
    fn print(&mut self, text: &str) {
        let mut out = io::stdout().lock();
        // A closed pipe (`gridtext show … | head`) is no reason to panic.
        let _ = out.write_all(text.as_bytes());
    }

    fn read_input(&mut self) -> io::Result<String> {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        Ok(text)
    }

    fn read_file(&mut self, path: &str) -> io::Result<String> {
        std::fs::read_to_string(path)
    }

    fn write_file(&mut self, path: &str, text: &str) -> io::Result<()> {
        std::fs::write(path, text)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match cli::run(&words, &mut Terminal) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("gridtext: {error}");
            ExitCode::from(2)
        }
    }
}
