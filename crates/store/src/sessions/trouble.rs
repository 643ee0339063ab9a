//! The system's refusals, in words that name the next step.

use std::io::{self, ErrorKind};

/// What is wrong and what to do about it. Lower case, no full stop.
pub(super) fn words(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full; free some room".into(),
        ErrorKind::QuotaExceeded => "your share of the disk is used up; free some room".into(),
        ErrorKind::ReadOnlyFilesystem => "the disk can only be read; see that it can be written".into(),
        ErrorKind::PermissionDenied => {
            "the system does not allow it; see that the folder and the file are yours".into()
        }
        ErrorKind::FileTooLarge => "the system lets no file grow that long; raise the limit (`ulimit -f`)".into(),
        ErrorKind::NotFound => "it is not there any more".into(),
        _ => format!("{error}; see that the disk is well"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn each_refusal_names_the_next_step() {
        let said = [Errno::NOSPC, Errno::DQUOT, Errno::ROFS, Errno::ACCESS, Errno::FBIG, Errno::IO]
            .map(|error| words(&io::Error::from(error)));
        assert_eq!(
            said,
            [
                "the disk is full; free some room",
                "your share of the disk is used up; free some room",
                "the disk can only be read; see that it can be written",
                "the system does not allow it; see that the folder and the file are yours",
                "the system lets no file grow that long; raise the limit (`ulimit -f`)",
                "Input/output error (os error 5); see that the disk is well",
            ]
        );
    }
}
