//! Signals as values, and the end of the line to the terminal as if it were one. Only listens; what follows is up to `run`.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::task::Poll;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// To end; the number of the signal.
    End(i32),
    /// We were stopped and go on now; the shell may have written to the terminal.
    Continued,
}

/// The signals we listen to.
pub(crate) struct Signals {
    endings: Vec<(i32, Stream)>,
    interrupt: Stream,
    quit: Stream,
    resume: Stream,
    line: Option<AsyncFd<OwnedFd>>,
    /// A fault on purpose, in debug builds only: tests see what a panic does to the terminal.
    fault: Option<Stream>,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Signals {
            endings: endings()?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            resume: signal(continued())?,
            line: line(),
            fault: if cfg!(debug_assertions) { signal(SignalKind::user_defined1()).ok() } else { None },
        })
    }

    /// Waits for the next one.
    pub(crate) async fn next(&mut self) -> Signal {
        let cut_off = async {
            match &self.line {
                Some(line) => drop(line.ready(Interest::PRIORITY).await),
                None => std::future::pending().await,
            }
        };
        let endings = &mut self.endings;
        let ending = std::future::poll_fn(|context| {
            let heard =
                endings.iter_mut().find_map(|(number, stream)| stream.poll_recv(context).is_ready().then_some(*number));
            heard.map_or(Poll::Pending, Poll::Ready)
        });
        let fault = async {
            match &mut self.fault {
                Some(fault) => fault.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = fault => panic!("asked to panic by SIGUSR1"),
            number = ending => Signal::End(number),
            _ = self.interrupt.recv() => Signal::End(SignalKind::interrupt().as_raw_value()),
            _ = self.quit.recv() => Signal::End(SignalKind::quit().as_raw_value()),
            _ = self.resume.recv() => Signal::Continued,
            () = cut_off => Signal::End(SignalKind::hangup().as_raw_value()),
        }
    }

    /// Waits until we go on after having been stopped.
    pub(crate) async fn continued(&mut self) {
        self.resume.recv().await;
    }

    /// Forgets a Ctrl+C or Ctrl+\ that was meant for the editor: the terminal sends it to us as well.
    pub(crate) fn pass_over_keys(&mut self) -> io::Result<()> {
        self.interrupt = signal(SignalKind::interrupt())?;
        self.quit = signal(SignalKind::quit())?;
        Ok(())
    }
}

/// Every signal besides those of the keyboard that would end a program and leave its terminal as it was.
fn endings() -> io::Result<Vec<(i32, Stream)>> {
    use rustix::process::Signal as Number;
    let mut numbers = vec![Number::TERM, Number::HUP, Number::USR2, Number::ALARM, Number::VTALARM, Number::PROF];
    numbers.extend([Number::XCPU, Number::XFSZ]);
    if !cfg!(debug_assertions) {
        numbers.push(Number::USR1);
    }
    numbers.into_iter().map(|number| Ok((number.as_raw(), signal(SignalKind::from_raw(number.as_raw()))?))).collect()
}

/// The line to the terminal, to learn when it is cut: the signal for that goes to the session's leader, which may keep
/// it to itself, and the reader of keys would then spin on the end of its input.
#[expect(deprecated, reason = "its successor is unsafe, for descriptors that are closed elsewhere; ours owns itself")]
fn line() -> Option<AsyncFd<OwnedFd>> {
    let line = io::stdin().as_fd().try_clone_to_owned().ok()?;
    AsyncFd::with_interest(line, Interest::PRIORITY).ok()
}

fn continued() -> SignalKind {
    SignalKind::from_raw(rustix::process::Signal::CONT.as_raw())
}
