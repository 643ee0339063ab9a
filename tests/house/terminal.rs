//! A pseudo-terminal with a person at it: types keys, looks at the screen, waits until something shows.

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How long a press has to show what it does.
const BETWEEN_PRESSES: Duration = Duration::from_millis(250);
/// Longer than letters of one word are apart, and than what an answer brings takes on a slow machine.
const BETWEEN_SLOW_PRESSES: Duration = Duration::from_millis(2_500);
/// A question hears keys when it has been there for half a second, and nothing was typed for a second.
const BEFORE_AN_ANSWER: Duration = Duration::from_millis(1_100);
/// A question that shows nothing of an answer for so long has not got it.
const AN_ANSWER_TAKES: Duration = Duration::from_secs(5);
/// A test that waits longer than this has failed; machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(60);
/// What a question shows beside its keys.
const QUESTIONS: [&str; 7] =
    ["approve once", "approve without", "y go on", "y/1 go on", "y start again", "y/1 start again", "d try the demo"];
/// What a question says of a key that was no answer: it came too early, or there is more to read first.
const NOT_HEARD: [&str; 2] = ["nothing was answered", "again to approve"];
/// What is waited for may be elsewhere than on the screen.
const LOOK: Duration = Duration::from_millis(50);
/// Before a frame and after it.
const FRAME: [&str; 2] = ["\x1b[?2026h", "\x1b[?2026l"];

pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Seen>,
}

/// What the program has sent so far.
struct Seen {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    parser: vt100::Parser,
    /// The screen after the last whole frame: what arrived of the next one may be any part of it.
    shown: String,
    /// Is a frame under way?
    in_frame: bool,
    raw: Vec<u8>,
    closed: bool,
}

impl Terminal {
    /// Starts `command` at `size`, columns first, and waits until it takes keys.
    pub(crate) fn start(command: CommandBuilder, size: (u16, u16)) -> Self {
        let terminal = Terminal::spawn(command, size);
        // Before the program has taken the terminal, the system would turn Enter into a line feed.
        terminal.wait_for("SAFE");
        terminal
    }

    /// Starts `command` at `size`, which may show no screen at all.
    pub(crate) fn spawn(command: CommandBuilder, size: (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(pty_size(size)).expect("a pseudo-terminal can be opened");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().expect("the terminal can be read");
        let writer = pair.master.take_writer().expect("the terminal can be written");
        let parser = vt100::Parser::new(lines(size.1), lines(size.0), 0);
        let state = Mutex::new(State { parser, shown: String::new(), in_frame: false, raw: Vec::new(), closed: false });
        let seen = Arc::new(Seen { state, changed: Condvar::new() });
        let shared = seen.clone();
        std::thread::spawn(move || read_on(reader, &shared));
        Terminal { master: pair.master, writer, child, seen }
    }

    /// Types text; names in angle brackets are keys: `fix it<enter>`, `<esc>`, `<c-c>`, `<a-enter>`.
    pub(crate) fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(start) = rest.find('<') {
            self.send(&rest.as_bytes()[..start]);
            let end = rest[start..].find('>').map(|at| start + at).expect("a key ends with >");
            self.send(&key(&rest[start + 1..end]));
            rest = &rest[end + 1..];
        }
        self.send(rest.as_bytes());
    }

    /// Pastes as a terminal does.
    pub(crate) fn paste(&mut self, text: &str) {
        self.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        // A program that just left closes its end; the test will notice by what it waits for.
        drop(self.writer.write_all(bytes).and_then(|()| self.writer.flush()));
    }

    /// The screen as text, without trailing blanks.
    pub(crate) fn screen(&self) -> String {
        self.seen.state.lock().expect("no reader panicked").shown.clone()
    }

    /// Everything the program sent, byte for byte.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen.state.lock().expect("no reader panicked").raw.clone()
    }

    /// Waits until the screen holds `text`, and returns the screen.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait(&format!("{text:?} to show"), |screen| screen.contains(text))
    }

    /// Waits until the screen no longer holds `text`.
    pub(crate) fn wait_gone(&self, text: &str) -> String {
        self.wait(&format!("{text:?} to go"), |screen| !screen.contains(text))
    }

    /// Waits until the program has sent `bytes`, visible or not.
    pub(crate) fn wait_for_raw(&self, bytes: &str) {
        let until = Instant::now() + PATIENCE;
        let mut state = self.seen.state.lock().expect("no reader panicked");
        while !String::from_utf8_lossy(&state.raw).contains(bytes) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited in vain for {bytes:?} to be sent");
            state = self.seen.changed.wait_timeout(state, left).expect("no reader panicked").0;
        }
    }

    pub(crate) fn wait(&self, what: &str, done: impl Fn(&str) -> bool) -> String {
        match self.wait_at_most(PATIENCE, done) {
            Ok(screen) => screen,
            Err(screen) => panic!("waited in vain for {what}; the screen is\n{screen}"),
        }
    }

    /// Waits so long at most; gives back the screen, in vain or not.
    pub(crate) fn wait_at_most(&self, patience: Duration, done: impl Fn(&str) -> bool) -> Result<String, String> {
        let until = Instant::now() + patience;
        let mut state = self.seen.state.lock().expect("no reader panicked");
        loop {
            if done(&state.shown) {
                return Ok(state.shown.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || state.closed {
                return Err(state.shown.clone());
            }
            state = self.seen.changed.wait_timeout(state, left.min(LOOK)).expect("no reader panicked").0;
        }
    }

    /// Presses `keys` again and again until the screen holds `text`: for answers that count only after half a second.
    pub(crate) fn press_until(&mut self, keys: &str, text: &str) -> String {
        self.press_until_screen(keys, BETWEEN_PRESSES, text, |screen| screen.contains(text))
    }

    /// The same, unhurried: for letters that count only when they stand alone.
    pub(crate) fn press_slowly_until(&mut self, keys: &str, text: &str) -> String {
        self.press_until_screen(keys, BETWEEN_SLOW_PRESSES, text, |screen| screen.contains(text))
    }

    /// The same until `text` is gone.
    pub(crate) fn press_until_gone(&mut self, keys: &str, text: &str) -> String {
        self.press_until_screen(keys, BETWEEN_PRESSES, text, |screen| !screen.contains(text))
    }

    fn press_until_screen(&mut self, keys: &str, pause: Duration, what: &str, done: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Ok(screen) = self.wait_at_most(Duration::ZERO, &done) {
                return screen;
            }
            if QUESTIONS.iter().any(|words| self.screen().contains(words)) {
                self.answer(keys, &done);
                return self.wait(&format!("what {keys} brings: {what:?}"), done);
            }
            self.keys(keys);
            match self.wait_at_most(pause, &done) {
                Ok(screen) => return screen,
                Err(screen) if Instant::now() > until => panic!("pressed {keys} in vain for {what:?}:\n{screen}"),
                Err(_) => {}
            }
        }
    }

    /// Presses `keys` at a question until it is `done` or gone, and not once more: a key too many would be typed into
    /// the message below, and the next question would take it for a word that somebody is about to write.
    fn answer(&mut self, keys: &str, done: impl Fn(&str) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            std::thread::sleep(BEFORE_AN_ANSWER);
            let before = self.screen();
            let asks = |screen: &str| QUESTIONS.iter().any(|words| screen.contains(words));
            if !asks(&before) || done(&before) {
                return;
            }
            self.keys(keys);
            if ["y", "n"].contains(&keys) {
                // Enter says that it was meant; by itself a letter has to stand alone for a while.
                self.keys("<enter>");
            }
            let not_heard = |screen: &str| NOT_HEARD.iter().any(|says| screen.contains(says) && !before.contains(says));
            let answered = |screen: &str| done(screen) || !asks(screen);
            match self.wait_at_most(AN_ANSWER_TAKES, |screen| answered(screen) || not_heard(screen)) {
                Ok(screen) if answered(&screen) => return,
                Err(screen) if Instant::now() > until => panic!("{keys} in vain at a question:\n{screen}"),
                Ok(_) | Err(_) => {}
            }
        }
    }

    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        let mut state = self.seen.state.lock().expect("no reader panicked");
        state.parser.screen_mut().set_size(lines(size.1), lines(size.0));
        state.shown = screen_of(&state.parser);
        drop(state);
        self.master.resize(pty_size(size)).expect("the terminal can be resized");
    }

    /// How the terminal treats what is typed and written, in words that can be compared.
    pub(crate) fn modes(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().expect("the program was started")
    }

    /// Waits until the program has left and all it wrote has been read.
    pub(crate) fn wait_exit(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        let mut state = self.seen.state.lock().expect("no reader panicked");
        while !state.closed {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the program did not leave; the screen is\n{}", state.shown);
            state = self.seen.changed.wait_timeout(state, left).expect("no reader panicked").0;
        }
        drop(state);
        self.child.wait().expect("the program can be waited for")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have left already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn read_on(mut reader: Box<dyn Read + Send>, seen: &Seen) {
    let mut buffer = [0; 65536];
    loop {
        let read = reader.read(&mut buffer).unwrap_or(0);
        let mut state = seen.state.lock().expect("no test panicked while looking");
        state.take(&buffer[..read]);
        state.closed = read == 0;
        if state.closed {
            state.shown = screen_of(&state.parser);
        }
        seen.changed.notify_all();
        if read == 0 {
            return;
        }
    }
}

impl State {
    /// Takes up what was sent; how it looks is known after each whole frame, and of what is sent without any.
    fn take(&mut self, bytes: &[u8]) {
        let before = self.raw.len();
        self.raw.extend_from_slice(bytes);
        // A mark may have begun in what came before.
        let from = before.saturating_sub(FRAME[0].len() - 1);
        let last = |mark: &str| {
            let place = self.raw[from..].windows(mark.len()).rposition(|part| part == mark.as_bytes());
            place.map(|place| from + place + mark.len())
        };
        let [begun, ended] = FRAME.map(last);
        let whole = ended.unwrap_or(before).max(before) - before;
        self.parser.process(&bytes[..whole]);
        self.in_frame = if begun.is_none() && ended.is_none() { self.in_frame } else { begun > ended };
        if ended.is_some() && self.in_frame {
            self.shown = screen_of(&self.parser);
        }
        self.parser.process(&bytes[whole..]);
        if !self.in_frame {
            self.shown = screen_of(&self.parser);
        }
    }
}

fn screen_of(parser: &vt100::Parser) -> String {
    let screen = parser.screen();
    let (_, columns) = screen.size();
    let rows: Vec<String> = screen.rows(0, columns.into()).map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn lines(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a terminal has lines and columns")
}

fn key(name: &str) -> Vec<u8> {
    let bytes: &[u8] = match name {
        "enter" => b"\r",
        "esc" => b"\x1b",
        "tab" => b"\t",
        "s-tab" => b"\x1b[Z",
        "backspace" => b"\x7f",
        "up" => b"\x1b[A",
        "down" => b"\x1b[B",
        "right" => b"\x1b[C",
        "left" => b"\x1b[D",
        "pgup" => b"\x1b[5~",
        "pgdn" => b"\x1b[6~",
        "home" => b"\x1b[H",
        "end" => b"\x1b[F",
        "a-enter" => b"\x1b\r",
        control if control.starts_with("c-") => {
            return vec![control.as_bytes()[2].to_ascii_uppercase() - b'@'];
        }
        other => panic!("there is no key named {other}"),
    };
    bytes.to_vec()
}
