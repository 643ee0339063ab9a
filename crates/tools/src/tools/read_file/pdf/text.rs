//! The text of a PDF, page by page.
//!
//! What is in such a file decides how much work it is, so it is done aside, on a thread that is waited for only so
//! long; nothing in it unpacks to more than a fixed size.

use super::Pages;
use crate::blocking::Stop;
use agent_protocol::{Failure, FailureKind};
use lopdf::{Document, LoadOptions};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Bytes that one stream, or one page, may unpack to.
const UNPACKED: usize = 16 * 1024 * 1024;
/// Bytes of text that are taken.
const TEXT: usize = 16 * 1024 * 1024;
/// Bytes of a line.
const WIDTH: usize = 120;
/// How long it may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Between two looks at whether anybody waits.
const BETWEEN: Duration = Duration::from_millis(50);
/// Objects lie in one another; a deep file must not break the thread.
const STACK: usize = 16 * 1024 * 1024;

/// Why there is none.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    Encrypted,
    Damaged(String),
    /// It has so many pages.
    NoText(usize),
    TooLong,
}

/// The text of the PDF that is `bytes`.
pub(in crate::tools::read_file) fn pages(bytes: Vec<u8>, shown: &str, stop: &Stop) -> Result<Pages, Failure> {
    aside(bytes, stop).map_err(|fault| fault.failure(shown))
}

/// Works on a thread of its own. One that takes too long is left to itself: it ends, as all of its work is bounded.
fn aside(bytes: Vec<u8>, stop: &Stop) -> Result<Pages, Fault> {
    let (sender, found) = channel();
    let until = Instant::now() + LIMIT;
    let late = Stop::default();
    let theirs = late.clone();
    let work = move || {
        // Whoever waited may have gone.
        let _ = sender.send(read(&bytes, &theirs));
    };
    Builder::new().stack_size(STACK).spawn(work).map_err(|error| Fault::Damaged(error.to_string()))?;
    loop {
        match found.recv_timeout(BETWEEN) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Disconnected) => return Err(Fault::Damaged("it cannot be read".into())),
            Err(RecvTimeoutError::Timeout) if stop.wanted() || Instant::now() > until => {
                late.ask();
                return Err(Fault::TooLong);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn read(bytes: &[u8], late: &Stop) -> Result<Pages, Fault> {
    let options = LoadOptions { max_decompressed_size: Some(UNPACKED), ..LoadOptions::default() };
    let document = match Document::load_mem_with_options(bytes, options) {
        Ok(document) if document.is_encrypted() && !document.was_encrypted() => return Err(Fault::Encrypted),
        Ok(document) => document,
        Err(lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_)) => return Err(Fault::Encrypted),
        Err(lopdf::Error::UnsupportedSecurityHandler(_)) => return Err(Fault::Encrypted),
        Err(error) => return Err(Fault::Damaged(error.to_string())),
    };
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    if numbers.is_empty() {
        return Err(Fault::Damaged("it has no pages".into()));
    }
    let (mut text, mut any) = (String::new(), false);
    for number in &numbers {
        let page = match document.extract_text_with_limit(&[*number], UNPACKED) {
            Ok(page) => tidy(&page),
            Err(error) => format!("[this page cannot be read: {error}]\n"),
        };
        any |= page.chars().any(char::is_alphanumeric) && !page.starts_with("[this page cannot be read");
        text.push_str(&format!("--- page {number} ---\n{page}"));
        if late.wanted() {
            return Err(Fault::TooLong);
        }
        if text.len() > TEXT {
            text.push_str("[the rest is left out: there is too much text]\n");
            break;
        }
    }
    if any { Ok(Pages { text, count: numbers.len() }) } else { Err(Fault::NoText(numbers.len())) }
}

/// Lines without blanks at their ends, none of them endless, and no more than one empty line in a row.
fn tidy(page: &str) -> String {
    let page = page.replace('\0', "");
    let mut tidy = String::with_capacity(page.len());
    for line in page.lines().map(str::trim_end) {
        let is_double = line.is_empty() && (tidy.is_empty() || tidy.ends_with("\n\n"));
        if !is_double {
            wrap(line, &mut tidy);
        }
    }
    let length = tidy.trim_end().len();
    if length == 0 { String::new() } else { format!("{}\n", &tidy[..length]) }
}

/// Adds `line`, broken between words: where a line ended on the page is not always known, and what lies far out in one is
/// never shown.
fn wrap(line: &str, into: &mut String) {
    let mut rest = line;
    while rest.len() > WIDTH {
        let most = rest.floor_char_boundary(WIDTH);
        let at = rest[..most].rfind(' ').filter(|at| *at > 0).unwrap_or(most);
        into.push_str(rest[..at].trim_end());
        into.push('\n');
        rest = rest[at..].trim_start();
    }
    into.push_str(rest);
    into.push('\n');
}

impl Fault {
    fn failure(self, shown: &str) -> Failure {
        let not_text = |message| Failure::new(FailureKind::NotText, message);
        match self {
            Fault::Encrypted => not_text(format!(
                "{shown} is a PDF locked with a password, so its text cannot be read; ask the user for an open copy"
            )),
            Fault::Damaged(why) => not_text(format!("{shown} is a damaged PDF and cannot be read ({why})")),
            Fault::NoText(pages) => not_text(format!(
                "{shown} is a PDF of {} without any text, probably scanned; ask the user for its text or for pictures \
                 of the pages",
                crate::words::count(pages as u64, "page")
            )),
            Fault::TooLong => Failure::new(
                FailureKind::Timeout,
                format!("{shown} took too long to be read; try a smaller PDF, or pdftotext with run_command"),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
