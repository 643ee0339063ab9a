//! PDF files: how one is known, and what is made of it. Without the feature `pdf` its text is not read, and the failure
//! says so.

#[cfg(not(feature = "pdf"))]
use crate::blocking::Stop;
#[cfg(not(feature = "pdf"))]
use agent_protocol::{Failure, FailureKind};

#[cfg(feature = "pdf")]
mod text;
#[cfg(feature = "pdf")]
pub(super) use text::pages;

/// Bytes of the largest file.
pub(super) const LARGEST: u64 = 32_000_000;

/// The text of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pages {
    pub(super) text: String,
    pub(super) count: usize,
}

/// Does a PDF begin so?
pub(super) fn begins(start: &[u8]) -> bool {
    start.starts_with(b"%PDF-")
}

/// Says that the text of the PDF cannot be read by this program.
#[cfg(not(feature = "pdf"))]
pub(super) fn pages(_bytes: Vec<u8>, shown: &str, _stop: &Stop) -> Result<Pages, Failure> {
    let message = format!(
        "{shown} is a PDF, and this program was built without the feature \"pdf\" that reads it; try pdftotext with \
         run_command, or ask the user for its text"
    );
    Err(Failure::new(FailureKind::NotText, message))
}

#[cfg(all(test, not(feature = "pdf")))]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_the_feature_names_it() {
        let failure = pages(b"%PDF-1.5".to_vec(), "a.pdf", &Stop::default()).unwrap_err();
        assert!(failure.message.contains("the feature \"pdf\""), "{}", failure.message);
    }
}
