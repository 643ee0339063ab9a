//! What `-p` says: the prompt of the command line, and what comes over standard input.
//!
//! Reading has a thread of its own, so that a writer that stays silent holds up nobody for longer than [`PATIENCE`]: a
//! parent may have left a pipe open that nobody will ever write to. Once something has come, the writer is alive, and its
//! end is waited for.

use crate::streams::say_line;
use agent_protocol::Piped;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// So long the first byte is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// Before a further look at a standard input that is set not to wait.
const PAUSE: Duration = Duration::from_millis(20);

/// More is not read: no window holds as much.
const MOST: usize = 8 << 20;

const PIECE: usize = 64 << 10;

/// A text of which more than one byte in so many is none of a text is none.
const ODD_PART: usize = 3;

/// What is said to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub text: String,
    /// What came along over standard input.
    pub input: Option<Piped>,
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Prompt { text: text.to_owned(), input: None }
    }
}

#[derive(Debug)]
pub enum Source {
    /// A pipe, a socket or a file: it is read.
    Open(File),
    /// A terminal, nothing, a device: there is nothing to wait for.
    Nothing,
    /// The user does not want it to be read.
    Unwanted,
}

impl Source {
    /// What standard input is. What cannot be looked at is nothing.
    pub fn standard_input() -> Self {
        let Ok(file) = io::stdin().as_fd().try_clone_to_owned().map(File::from) else { return Source::Nothing };
        let kind = file.metadata().map(|found| found.file_type());
        let read = kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket());
        if read { Source::Open(file) } else { Source::Nothing }
    }
}

/// Why there is nothing to say.
#[derive(Debug, thiserror::Error)]
pub enum NoPrompt {
    /// The prompt on the command line is empty.
    #[error("the prompt is empty; say after -p what you want")]
    Empty,
    /// There is none there, and standard input is nothing that is read.
    #[error("-p needs a prompt: say it after -p, or pipe it to standard input")]
    Nowhere,
    /// There is none there, and standard input is not to be read.
    #[error("-p needs a prompt: say it after -p, for --no-stdin keeps it from coming over standard input")]
    Unwanted,
    /// There is none there, and nothing came on standard input in time.
    #[error("-p needs a prompt, and nothing came on standard input for {} s; say it after -p", PATIENCE.as_secs())]
    Silent,
    /// There is none there, and standard input ended without a word.
    #[error("-p needs a prompt, and standard input is empty; say it after -p")]
    EmptyInput,
    /// The prompt on standard input has no end that is waited for.
    #[error("the prompt on standard input has more than {} MB; say what you want after -p, and pipe the rest", MOST >> 20)]
    TooLong,
    /// What came is no text.
    #[error(
        "standard input is no text (UTF-8); convert it first, for example with iconv or pdftotext, or add --no-stdin to go on \
         without it"
    )]
    Binary,
    /// The system cannot read it.
    #[error("cannot read standard input ({0}); --no-stdin goes on without it")]
    Unreadable(io::Error),
}

/// What to say: the prompt of the command line with what comes over `source`; without one, what comes is the prompt.
/// What the user should know of it goes to `progress`.
///
/// # Errors
/// There is nothing to say, or what came is no text.
pub fn prompt(said: Option<String>, source: Source, progress: &mut dyn Write) -> Result<Prompt, NoPrompt> {
    match said {
        Some(text) if text.trim().is_empty() => Err(NoPrompt::Empty),
        Some(text) => Ok(Prompt { text, input: along(source, progress)? }),
        None => alone(source, progress).map(|text| Prompt { text, input: None }),
    }
}

/// What comes along with a prompt.
fn along(source: Source, progress: &mut dyn Write) -> Result<Option<Piped>, NoPrompt> {
    let Source::Open(file) = source else { return Ok(None) };
    let Some(bytes) = arrived(file)? else {
        let secs = PATIENCE.as_secs();
        let words =
            format!("nothing came on standard input for {secs} s; going on without it (--no-stdin does not wait)");
        say_line(progress, &words);
        return Ok(None);
    };
    let cut = bytes.len() > MOST;
    let text = read_text(bytes, progress)?;
    Ok((!text.trim().is_empty()).then_some(Piped { text, cut, from: None }))
}

fn alone(source: Source, progress: &mut dyn Write) -> Result<String, NoPrompt> {
    let file = match source {
        Source::Open(file) => file,
        Source::Nothing => return Err(NoPrompt::Nowhere),
        Source::Unwanted => return Err(NoPrompt::Unwanted),
    };
    let bytes = arrived(file)?.ok_or(NoPrompt::Silent)?;
    if bytes.len() > MOST {
        return Err(NoPrompt::TooLong);
    }
    let text = read_text(bytes, progress)?;
    if text.trim().is_empty() { Err(NoPrompt::EmptyInput) } else { Ok(text) }
}

/// All that comes, or its beginning where that is more than [`MOST`]; `None` where nothing does.
fn arrived(file: File) -> Result<Option<Vec<u8>>, NoPrompt> {
    let (pieces, arriving) = sync_channel(1);
    let reader = thread::Builder::new().name("stdin".to_owned());
    reader.spawn(move || read_pieces(file, &pieces)).map_err(NoPrompt::Unreadable)?;
    let mut piece = match arriving.recv_timeout(PATIENCE) {
        Ok(first) => Some(first),
        Err(RecvTimeoutError::Timeout) => return Ok(None),
        Err(RecvTimeoutError::Disconnected) => None,
    };
    let mut bytes = Vec::new();
    while let Some(more) = piece {
        bytes.extend(more.map_err(NoPrompt::Unreadable)?);
        if bytes.len() > MOST {
            break;
        }
        piece = arriving.recv().ok();
    }
    Ok(Some(bytes))
}

/// Reads until the end, or until nobody wants more.
fn read_pieces(mut file: File, pieces: &SyncSender<io::Result<Vec<u8>>>) {
    let mut piece = vec![0; PIECE];
    loop {
        let read = match file.read(&mut piece) {
            Ok(0) => return,
            Ok(length) => Ok(piece[..length].to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => Err(error),
        };
        let over = read.is_err();
        if pieces.send(read).is_err() || over {
            return;
        }
    }
}

fn read_text(mut bytes: Vec<u8>, progress: &mut dyn Write) -> Result<String, NoPrompt> {
    let cut = bytes.len() > MOST;
    bytes.truncate(MOST);
    if bytes.contains(&0) {
        return Err(NoPrompt::Binary);
    }
    match std::str::from_utf8(&bytes) {
        Ok(_) => {}
        // The last character was cut.
        Err(error) if cut && error.error_len().is_none() => bytes.truncate(error.valid_up_to()),
        Err(_) if is_odd(&bytes) => return Err(NoPrompt::Binary),
        Err(_) => {
            let words = "some of standard input is no UTF-8; those letters are told as �";
            say_line(progress, words);
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Is so much of it no character of a text that it is none? A diff of files in another encoding is one.
fn is_odd(bytes: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b | 0x08);
    let odd: usize =
        bytes.utf8_chunks().map(|chunk| chunk.invalid().len() + chunk.valid().bytes().filter(control).count()).sum();
    odd > bytes.len() / ODD_PART
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn file(bytes: &[u8]) -> Source {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        Source::Open(file)
    }

    fn read(said: Option<&str>, source: Source) -> (Result<Prompt, String>, String) {
        let mut progress = Vec::new();
        let prompt = prompt(said.map(str::to_owned), source, &mut progress).map_err(|why| why.to_string());
        (prompt, String::from_utf8(progress).unwrap())
    }

    fn with(text: &str, input: &str) -> Prompt {
        Prompt { text: text.to_owned(), input: Some(Piped { text: input.to_owned(), cut: false, from: None }) }
    }

    #[test]
    fn the_prompt_and_what_is_piped_are_told_apart_and_alone_what_is_piped_is_the_prompt() {
        assert_eq!(read(Some("why?"), file(b"+ a\n")), (Ok(with("why?", "+ a\n")), String::new()));
        assert_eq!(read(None, file(b"why?\n")), (Ok("why?\n".into()), String::new()));
        for source in [file(b""), file(b" \n"), Source::Nothing, Source::Unwanted] {
            assert_eq!(read(Some("why?"), source), (Ok("why?".into()), String::new()));
        }
    }

    #[test]
    fn without_anything_to_say_it_is_said_where_it_is_wanted() {
        for (said, source, told) in [
            (Some(" "), file(b"x"), "the prompt is empty"),
            (None, file(b""), "standard input is empty; say it after -p"),
            (None, Source::Nothing, "say it after -p, or pipe it to standard input"),
            (None, Source::Unwanted, "--no-stdin keeps it from coming"),
        ] {
            let why = read(said, source).0.unwrap_err();
            assert!(why.contains(told), "{why}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_and_a_few_letters_of_another_encoding_are_not() {
        for bytes in [&b"a\0b"[..], b"\xff\xfe\xfd\xfc", &[0x89, 0x50, 0x01, 0x02, 0xff, 0x1a]] {
            for said in [None, Some("why?")] {
                let why = read(said, file(bytes)).0.unwrap_err();
                assert!(why.starts_with("standard input is no text"), "{why}");
            }
        }
        let (prompt, told) = read(Some("why?"), file(b"the caf\xe9 is open\n"));
        assert_eq!(prompt, Ok(with("why?", "the caf\u{fffd} is open\n")));
        assert!(told.contains("no UTF-8"), "{told}");
    }

    #[test]
    fn of_what_has_no_end_the_beginning_is_taken_and_a_prompt_must_end() {
        let endless = || {
            let (ours, theirs) = UnixStream::pair().unwrap();
            thread::spawn(move || while (&theirs).write_all("é\n".repeat(1_000).as_bytes()).is_ok() {});
            Source::Open(File::from(std::os::fd::OwnedFd::from(ours)))
        };
        let input = read(Some("why?"), endless()).0.unwrap().input.unwrap();
        assert!(input.cut && (MOST - 3..=MOST).contains(&input.text.len()), "{}", input.text.len());
        assert!(read(None, endless()).0.unwrap_err().contains("more than 8 MB"));
    }

    #[test]
    fn an_input_that_is_set_not_to_wait_is_waited_for_all_the_same() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let writer = thread::spawn(move || {
            thread::yield_now();
            (&theirs).write_all(b"late").unwrap();
        });
        assert_eq!(read(None, Source::Open(File::from(std::os::fd::OwnedFd::from(ours)))).0, Ok("late".into()));
        writer.join().unwrap();
    }
}
