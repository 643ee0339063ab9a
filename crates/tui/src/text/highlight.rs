//! Asks for syntax colours off the drawing path: a worker thread finds them, the screen draws plain text meanwhile.
//!
//! Code goes out either piece by piece while it is still being written (a [`Feed`], each line read once), or at once
//! with the lines that matter ([`Highlighter::pick`]). Grammars are loaded on the worker, with the first code.

mod scopes;
mod worker;

use crate::palette::Palette;
use crate::text::ink::Inks;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Takes code to the worker. Clones share one worker.
#[derive(Clone)]
pub(crate) struct Highlighter {
    desk: Option<Desk>,
}

#[derive(Clone)]
struct Desk {
    jobs: Sender<Job>,
    next: Arc<AtomicU64>,
}

/// Names a piece of code that colours are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ticket(u64);

/// Colours that are ready, for lines of the code named by `ticket`.
pub(crate) struct Highlighted {
    pub(crate) ticket: Ticket,
    /// The first line coloured, from 0.
    pub(crate) first: usize,
    /// The inks of that line and those after it.
    pub(crate) inks: Inks,
}

/// Code on its way to the worker, line by line. Dropping it ends it.
pub(crate) struct Feed {
    pub(crate) ticket: Ticket,
    jobs: Sender<Job>,
}

/// What the worker is asked.
enum Job {
    /// Lines of this language will come.
    Open { ticket: Ticket, language: String },
    /// The next lines, each with its line break.
    Lines { ticket: Ticket, text: String },
    /// No more lines will come.
    Close { ticket: Ticket },
    /// A whole text, of which only some lines (from 0, ascending) are wanted.
    Pick { ticket: Ticket, language: String, text: String, wanted: Vec<usize> },
}

impl Highlighter {
    /// A highlighter whose worker hands each result to `notify`, on the worker's thread.
    pub(crate) fn start(palette: Palette, notify: impl Fn(Highlighted) + Send + 'static) -> Self {
        if !palette.is_coloured() {
            return Self::off();
        }
        let (jobs, inbox) = mpsc::channel();
        let worker = thread::Builder::new().name("highlight".to_owned());
        // Where no thread can be had, code stays plain.
        match worker.spawn(move || worker::work(&inbox, notify)) {
            Ok(_) => Highlighter { desk: Some(Desk { jobs, next: Arc::default() }) },
            Err(_) => Self::off(),
        }
    }

    /// A highlighter that never colours anything.
    pub(crate) fn off() -> Self {
        Highlighter { desk: None }
    }

    /// Announces code in `language` (a fence's word, a file's name or ending).
    pub(crate) fn feed(&self, language: &str) -> Option<Feed> {
        let desk = self.desk.as_ref().filter(|_| !language.is_empty())?;
        let ticket = desk.ticket();
        desk.jobs.send(Job::Open { ticket, language: language.to_owned() }).ok()?;
        Some(Feed { ticket, jobs: desk.jobs.clone() })
    }

    /// Asks for the inks of some lines of `text`. `wanted` counts from 0 and ascends; other lines come back empty.
    pub(crate) fn pick(&self, language: &str, text: String, wanted: Vec<usize>) -> Option<Ticket> {
        let desk = self.desk.as_ref().filter(|_| !wanted.is_empty())?;
        let ticket = desk.ticket();
        desk.jobs.send(Job::Pick { ticket, language: language.to_owned(), text, wanted }).ok()?;
        Some(ticket)
    }

    /// Would anything come of asking?
    pub(crate) fn is_on(&self) -> bool {
        self.desk.is_some()
    }
}

impl Desk {
    fn ticket(&self) -> Ticket {
        Ticket(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

impl Feed {
    /// Hands over lines, each with its line break.
    pub(crate) fn push(&self, text: String) {
        // The worker lives as long as anybody can ask it; were it gone, code would stay plain.
        let _ = self.jobs.send(Job::Lines { ticket: self.ticket, text });
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let _ = self.jobs.send(Job::Close { ticket: self.ticket });
    }
}

#[cfg(test)]
mod tests {
    use super::{Highlighted, Highlighter};
    use crate::palette::Palette;
    use crate::text::ink::Ink;
    use std::sync::mpsc::{self, Receiver};

    fn started() -> (Highlighter, Receiver<Highlighted>) {
        let (send, receive) = mpsc::channel();
        (Highlighter::start(Palette::coloured(), move |done| drop(send.send(done))), receive)
    }

    fn inks(done: &Highlighted, line: usize) -> Vec<(u32, Ink)> {
        done.inks.line(line).iter().map(|run| (run.bytes, run.ink)).collect()
    }

    #[test]
    fn code_is_coloured_line_by_line_as_it_comes() {
        let (highlighter, results) = started();
        let feed = highlighter.feed("rust").unwrap();
        feed.push("/* one\n".to_owned());
        feed.push("two */ let x = 1;\n".to_owned());
        let (one, two) = (results.recv().unwrap(), results.recv().unwrap());
        assert_eq!((one.first, two.first), (0, 1));
        assert_eq!(inks(&one, 0), [(6, Ink::Comment)]);
        assert_eq!(
            inks(&two, 0),
            [(6, Ink::Comment), (1, Ink::Plain), (3, Ink::Keyword), (5, Ink::Plain), (1, Ink::Constant)]
        );
    }

    #[test]
    fn picked_lines_know_what_stands_above_them() {
        let (highlighter, results) = started();
        highlighter.pick("main.py", "'''\ninside\n'''\nx = 1\n".to_owned(), vec![1]).unwrap();
        let done = results.recv().unwrap();
        assert_eq!((inks(&done, 0), inks(&done, 1)), (vec![], vec![(6, Ink::Comment)]));
    }

    #[test]
    fn an_overlong_line_stays_plain_and_the_next_is_coloured() {
        let (highlighter, results) = started();
        let feed = highlighter.feed("json").unwrap();
        feed.push(format!("\"{}\"\n\"short\"\n", "x".repeat(5000)));
        let done = results.recv().unwrap();
        assert_eq!((inks(&done, 0), inks(&done, 1)), (vec![], vec![(7, Ink::Text)]));
    }

    #[test]
    fn without_colour_nothing_is_asked() {
        let highlighter = Highlighter::start(Palette::plain(), |_| {});
        assert!(highlighter.feed("rust").is_none());
        assert!(!highlighter.is_on());
    }
}
