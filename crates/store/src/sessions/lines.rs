//! The lines of a journal, up to the first that is not as it was written.

use super::SessionError;
use super::line::{self, JournalLine, LineKind};
use agent_protocol::SessionId;
use std::io::BufRead;

/// How far a journal is as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) lines: u64,
    pub(super) bytes: usize,
}

/// Gives `each` line of `text` that is as it was written, with what stands before it, in order, until one is not.
///
/// # Errors
/// When a newer agent wrote it, when the head is damaged, or when `each` finds something that it does not know.
pub(super) fn lines<'a>(
    id: &SessionId,
    text: &'a [u8],
    mut each: impl FnMut(&JournalLine<'a>, Whole) -> Result<(), serde_json::Error>,
) -> Result<Whole, SessionError> {
    let mut whole = Whole { lines: 0, bytes: 0 };
    while let Some(bytes) = next(&text[whole.bytes..]) {
        let shown = &text[whole.bytes..whole.bytes + bytes - 1];
        let read = JournalLine::read(shown);
        // The head of a later format may look otherwise. Further on only a line with the right checksum is believed:
        // where it is not, its number too may be what a broken disk made of it.
        let version = if whole.lines == 0 { line::version(shown) } else { read.map(|line| line.version) };
        if let Some(version) = version.filter(|version| *version > line::VERSION) {
            return Err(SessionError::Newer { id: id.clone(), version });
        }
        let Some(line) = read.filter(|line| line.seq == whole.lines) else { break };
        if line.seq == 0 && line.kind != LineKind::Head {
            break;
        }
        each(&line, whole).map_err(|error| unknown(id, line.seq + 1, &error))?;
        whole = Whole { lines: whole.lines + 1, bytes: whole.bytes + bytes };
    }
    if whole.lines == 0 {
        let why = "its first line is damaged; it is left as it is, `agent sessions rm` removes it".into();
        return Err(SessionError::Unreadable { id: id.clone(), why });
    }
    Ok(whole)
}

/// The bytes of the next line with its end; `None` where it does not end.
fn next(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    let length = rest.skip_until(b'\n').ok()?;
    text[..length].ends_with(b"\n").then_some(length)
}

/// What is written as it was meant and is not known: nobody but a newer agent writes so.
pub(super) fn unknown(id: &SessionId, line: u64, error: &serde_json::Error) -> SessionError {
    let why = format!("line {line} holds something this agent does not know ({error}); update agent to open it");
    SessionError::Unreadable { id: id.clone(), why }
}
