//! Lines as they are typed, each with when it came. The terminal stays as it is: it echoes, edits a line and ends it by Enter.
//!
//! A thread of its own reads, which nobody waits for at the end: a read of a terminal cannot be called back.

use rustix::termios::{QueueSelector, tcflush};
use std::io::{self, BufRead};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

/// Lines that come within this time of one another were pasted, and are one text.
const TOGETHER: Duration = Duration::from_millis(60);

/// What was typed up to an Enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypedLine {
    /// Without the Enter. Several lines: they were pasted.
    pub(super) text: String,
    /// When its first line came.
    pub(super) at: Instant,
}

/// Where lines are typed.
pub(super) struct Keyboard {
    lines: UnboundedReceiver<TypedLine>,
    /// What came and may go on. It stays here where waiting for more is given up.
    begun: Option<TypedLine>,
}

impl Keyboard {
    /// Begins to read standard input.
    ///
    /// # Errors
    /// When the system has no thread for it.
    pub(super) fn of_standard_input() -> io::Result<Self> {
        let (sender, lines) = unbounded_channel();
        std::thread::Builder::new().name("keyboard".into()).spawn(move || read_on(&sender))?;
        Ok(Keyboard { lines, begun: None })
    }

    /// The next line, or all of a paste; `None`: nothing more comes. Nothing is lost where this is dropped while it waits.
    pub(super) async fn next(&mut self) -> Option<TypedLine> {
        if self.begun.is_none() {
            self.begun = Some(self.lines.recv().await?);
        }
        while let Ok(Some(more)) = timeout(TOGETHER, self.lines.recv()).await {
            if let Some(begun) = &mut self.begun {
                begun.text.push('\n');
                begun.text.push_str(&more.text);
            }
        }
        self.begun.take()
    }
}

/// Forgets what was typed and not ended by Enter yet: it was typed before what is asked now.
pub(super) fn forget_half_a_line() {
    // Where there is no terminal nothing is half typed.
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}

fn read_on(sender: &UnboundedSender<TypedLine>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
        if sender.send(TypedLine { text, at: Instant::now() }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn lines_that_come_together_are_one_text_and_one_that_comes_alone_is_its_own() {
        let (sender, lines) = unbounded_channel();
        let mut keyboard = Keyboard { lines, begun: None };
        let line = |text: &str| TypedLine { text: text.into(), at: Instant::now() };
        for text in ["a", "b"] {
            sender.send(line(text)).unwrap();
        }
        assert_eq!(keyboard.next().await.map(|line| line.text), Some("a\nb".to_owned()));
        sender.send(line("c")).unwrap();
        assert_eq!(keyboard.next().await.map(|line| line.text), Some("c".to_owned()));
        sender.send(line("d")).unwrap();
        assert!(timeout(TOGETHER / 2, keyboard.next()).await.is_err());
        drop(sender);
        assert_eq!(keyboard.next().await.map(|line| line.text), Some("d".to_owned()));
        assert!(keyboard.next().await.is_none());
    }
}
