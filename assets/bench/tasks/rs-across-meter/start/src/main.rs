use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    let mut book = String::new();
    if let Err(fault) = std::io::stdin().read_to_string(&mut book) {
        eprintln!("meterbook: {fault}");
        return ExitCode::from(3);
    }
    match meterbook::run(&command, &book) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("meterbook: {fault}");
            ExitCode::from(2)
        }
    }
}
