//! The front end of lines: a session without any movement of the cursor, without colours and without anything drawn anew, for
//! terminals that only print, and for people who hear the screen. `talk` knows what is said and typed, this file waits.

mod changes;
mod commands;
mod matter;
mod page;
mod review;
mod situation;
mod taking;
mod talk;
#[cfg(test)]
mod tests;

use crate::End;
use crate::end::Signals;
use agent_protocol::{Event, JournalState, Op, OwnCommand, SessionEvent};
use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use talk::Talk;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant as Moment, sleep_until, timeout};

/// So long the last words of a session are waited for when it is over.
const PATIENCE: Duration = Duration::from_secs(9);
/// A prompt is shown when nothing was said for so long: what follows would stand behind it.
const QUIET: Duration = Duration::from_millis(150);

/// What this front end is told at the start.
#[derive(Debug, Clone, Default)]
pub struct LineSettings {
    pub version: String,
    /// What is said first of all: why it is lines, or what to try.
    pub greeting: Vec<String>,
    /// What the user said on the command line already.
    pub message: Option<String>,
    /// It is said in an earlier session, once that is open.
    pub once_restored: bool,
    /// The kept sessions are said, to choose one.
    pub pick_session: bool,
    /// Nothing of it is kept: nobody can come back.
    pub passing: bool,
    /// Slash commands of the user's own, and of the project.
    pub commands: Vec<OwnCommand>,
}

/// Runs the session until the user leaves, and says how to come back. What is typed is read from standard input, and all
/// that is said goes to `out`.
///
/// # Errors
/// When nothing can be written or heard any more.
pub async fn lines(
    ops: UnboundedSender<Op>,
    mut events: UnboundedReceiver<Event>,
    settings: LineSettings,
    out: &mut dyn Write,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let mut keyboard = Keyboard::of_standard_input()?;
    let mut talk = Talk::begin(ops, settings);
    let mut prompt = Prompted { stands: false, last: Moment::now() };
    loop {
        prompt.print(&mut talk, out)?;
        if let Some(end) = talk.left() {
            return leave(talk, prompt, &mut events, end, out).await;
        }
        let waits = talk.awaits_line() && !prompt.stands;
        tokio::select! {
            biased;
            signal = signals.next() => talk.signalled(signal, Instant::now()),
            line = keyboard.next() => {
                (prompt.stands, prompt.last) = (false, Moment::now());
                match line {
                    Some(line) => talk.typed(&line),
                    None => talk.leave(),
                }
            }
            event = events.recv() => match event {
                Some(event) => talk.on_event(&event),
                None => talk.closed(),
            },
            () = sleep_until(prompt.last + QUIET), if waits => prompt.ask(&mut talk, out)?,
        }
    }
}

/// Whether a prompt stands at the end of what was printed.
#[derive(Debug)]
struct Prompted {
    stands: bool,
    /// When something was printed or typed last.
    last: Moment,
}

impl Prompted {
    /// Prints what is to be said, below a prompt that stands.
    fn print(&mut self, talk: &mut Talk, out: &mut dyn Write) -> io::Result<()> {
        let bytes = talk.page.take(columns());
        if bytes.is_empty() {
            return Ok(());
        }
        self.last = Moment::now();
        if std::mem::take(&mut self.stands) {
            out.write_all(b"\n")?;
        }
        out.write_all(&bytes)?;
        out.flush()
    }

    /// Shows the prompt. Before that of a question all is forgotten that was typed and has no Enter yet.
    fn ask(&mut self, talk: &mut Talk, out: &mut dyn Write) -> io::Result<()> {
        if talk.is_asked_anew() {
            forget_half_a_line();
        }
        out.write_all(talk.prompt().as_bytes())?;
        out.flush()?;
        talk.prompted(Instant::now());
        self.stands = true;
        Ok(())
    }
}

/// How wide the terminal is, where one can be asked.
fn columns() -> Option<usize> {
    tcgetwinsize(io::stdout()).ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Waits until the session is written down, and says how to come back to it.
async fn leave(
    mut talk: Talk,
    mut prompt: Prompted,
    events: &mut UnboundedReceiver<Event>,
    end: End,
    out: &mut dyn Write,
) -> io::Result<End> {
    talk.let_go();
    while let Ok(Some(event)) = timeout(PATIENCE, events.recv()).await {
        if let Event::Session(SessionEvent::Journal { state: JournalState::Unkept { .. } }) = &event {
            talk.on_event(&event);
        }
    }
    talk.say_goodbye();
    prompt.print(&mut talk, out)?;
    Ok(end)
}

/// Lines that come within this time of one another were pasted, and are one text.
const TOGETHER: Duration = Duration::from_millis(60);

/// What was typed up to an Enter.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TypedLine {
    /// Without the Enter. Several lines: they were pasted.
    text: String,
    /// When its first line came.
    at: Instant,
}

struct Keyboard {
    lines: UnboundedReceiver<TypedLine>,
    /// What came and may go on. It stays here where waiting for more is given up.
    begun: Option<TypedLine>,
}

impl Keyboard {
    /// Begins to read standard input.
    ///
    /// # Errors
    /// When the system has no thread for it.
    fn of_standard_input() -> io::Result<Self> {
        let (sender, lines) = unbounded_channel();
        std::thread::Builder::new().name("keyboard".into()).spawn(move || read_on(&sender))?;
        Ok(Keyboard { lines, begun: None })
    }

    /// The next line, or all of a paste; `None`: nothing more comes. Nothing is lost where this is dropped while it waits.
    async fn next(&mut self) -> Option<TypedLine> {
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
fn forget_half_a_line() {
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
mod keyboard_tests {
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
