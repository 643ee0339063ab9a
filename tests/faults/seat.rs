//! The program in a terminal with a person at it, and what has to hold in every row when they leave.

use crate::honest;
use crate::processes::{self, Memory};
use crate::room::Room;
use crate::terminal::Terminal;
use portable_pty::CommandBuilder;
use rustix::process::{Pid, Signal, kill_process};
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

/// More memory than this is a fault in any row, in MB.
const MEMORY: u64 = 300;

/// What a question for leave shows.
pub(crate) const QUESTION: &str = "approve once";

/// What the screen shows while the model or a command is at work.
pub(crate) const AT_WORK: &str = "Esc interrupts";

/// A terminal in which the program runs.
pub(crate) struct Seat<'a> {
    room: &'a Room,
    terminal: Terminal,
    memory: Memory,
    agent: u32,
    modes_before: String,
}

impl<'a> Seat<'a> {
    pub(crate) fn take(room: &'a Room, command: CommandBuilder) -> Seat<'a> {
        let modes_before = fresh_modes();
        let terminal = Terminal::start(command, (120, 40));
        let agent = processes::below(terminal.pid(), "agent").unwrap_or_else(|| terminal.pid());
        let memory = Memory::of(agent);
        Seat { room, terminal, memory, agent, modes_before }
    }

    /// The process of the program itself.
    pub(crate) fn agent(&self) -> u32 {
        self.agent
    }

    /// Says something to the model.
    pub(crate) fn say(&mut self, words: &str) {
        self.keys(&format!("{words}<enter>"));
    }

    /// Waits for the question and says yes to it.
    pub(crate) fn approve(&mut self) {
        self.wait_for(QUESTION);
        self.press_until_gone("y", QUESTION);
    }

    /// Waits until the reply, a word or two, has been taken to its end.
    pub(crate) fn wait_replied(&self) -> String {
        let is_time = |line: &str| line.starts_with(|c: char| c.is_ascii_digit()) && line.ends_with(" s");
        let ends = |line: &str| line.trim() == "1 token" || is_time(line.trim());
        self.wait("the reply to end", |screen| screen.lines().any(ends))
    }

    /// Waits until the screen holds `text`, for what takes long on a small machine.
    pub(crate) fn wait_for_long(&self, text: &str) {
        let until = Instant::now() + Duration::from_secs(150);
        while !self.screen().contains(text) {
            assert!(Instant::now() < until, "waited in vain for {text:?}:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until the model is no longer at work.
    pub(crate) fn wait_idle(&self) -> String {
        self.wait("the model to be at rest", |screen| !screen.contains(AT_WORK))
    }

    /// Waits until the screen has not changed for a while, and answers with it.
    pub(crate) fn wait_still(&self) -> String {
        const STILL: Duration = Duration::from_millis(1_200);
        let until = Instant::now() + Duration::from_secs(30);
        let (mut last, mut since) = (self.screen(), Instant::now());
        while since.elapsed() < STILL {
            assert!(Instant::now() < until, "the screen never comes to rest:\n{last}");
            std::thread::sleep(Duration::from_millis(50));
            let now = self.screen();
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// Says no to trusting the folder.
    pub(crate) fn settle_trust(&mut self) {
        self.wait_for("trust it");
        self.press_until_gone("<esc>", "trust it");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.agent.try_into().expect("a process id")).expect("not 0");
        kill_process(pid, signal).expect("the program is there");
    }

    /// Seconds on a processor so far.
    pub(crate) fn cpu(&self) -> f64 {
        processes::cpu(self.agent).expect("the program is there")
    }

    /// Leaves as a person does, and checks what holds in every row.
    pub(crate) fn leave(mut self) {
        // What is typed already stays in the input; it is not to become part of the command.
        self.keys("<c-u>/exit<enter>");
        self.check_left(0);
    }

    /// Waits until the program has left with `code`, and checks what holds in every row. Answers with all it sent.
    pub(crate) fn check_left(&mut self, code: u32) -> Vec<u8> {
        let status = self.terminal.wait_exit();
        let raw = self.terminal.raw();
        assert_eq!(status.exit_code(), code, "the exit code; the screen is\n{}", self.screen());
        honest::check(&raw).unwrap_or_else(|fault| panic!("on the terminal: {fault}"));
        honest::check_restored(&raw).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(self.terminal.modes(), self.modes_before, "the terminal was not restored");
        processes::wait_none_left(&self.room.top());
        assert!(self.memory.most() > 0, "its memory was never seen");
        check_memory(self.room, &self.memory);
        raw
    }

    /// What is noted of the program's memory.
    pub(crate) fn held(&self) -> &Memory {
        &self.memory
    }

    /// The most memory held so far, in MB.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.most()
    }
}

/// Notes what was held at the most, which must not be much.
pub(crate) fn check_memory(room: &Room, memory: &Memory) {
    let most = memory.most();
    room.note("MB", most as f64);
    assert!(most < MEMORY, "{most} MB were held at the most");
}

impl Deref for Seat<'_> {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl DerefMut for Seat<'_> {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.terminal
    }
}

/// How a terminal that nobody has used yet behaves.
fn fresh_modes() -> String {
    let pair = portable_pty::native_pty_system().openpty(portable_pty::PtySize::default());
    format!("{:?}", pair.expect("a pseudo-terminal can be opened").master.get_termios())
}
