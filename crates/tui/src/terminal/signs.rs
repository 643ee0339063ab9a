//! What the terminal is told beside the screen: its title, that something is going on, and what somebody who looks elsewhere
//! should know. Which of it this terminal reads is told by its environment, for asking would cost a round trip.
//!
//! **Invariant.** No text leaves here with a character that a terminal obeys, and none has a way to end its sequence.

use crate::clean::clean_line;
use crate::settings::{Notify, WindowTitle};
use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;

/// Ends a sequence. A bell would do, too, and be heard where the sequence is not known.
const END: &str = "\x1b\\";
/// Letters that GNU screen hands through at once.
const SCREEN_TAKES: usize = 240;
/// Letters of a title, and of what is notified: both may hold a model's words.
const LONGEST: usize = 120;

/// What the title and the progress shall say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    pub(crate) title: String,
    pub(crate) busy: bool,
}

/// How a notification is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Osc9,
    Osc777,
    Osc99,
    Bell,
    Not,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manners {
    notify: Said,
    /// A multiplexer stands between us and it: what that does not know itself is handed through.
    in_tmux: bool,
    /// The same of GNU screen.
    in_screen: bool,
    progress: bool,
    title: bool,
}

impl Manners {
    /// As the environment tells, where the user says nothing of it.
    pub(crate) fn of(notify: Notify, title: WindowTitle, env: impl Fn(&str) -> Option<String>) -> Self {
        let said = |name: &str| env(name).filter(|value| !value.is_empty());
        let (term, in_tmux) = (said("TERM").unwrap_or_default(), said("TMUX").is_some());
        // The console of the system shows what it does not know, and that of Emacs draws no title.
        let plain = term == "linux" || term.starts_with("eterm");
        Manners {
            notify: match notify {
                Notify::Auto if plain => Said::Bell,
                Notify::Auto => known_way(&term, &said),
                Notify::Osc9 => Said::Osc9,
                Notify::Osc777 => Said::Osc777,
                Notify::Osc99 => Said::Osc99,
                Notify::Bell => Said::Bell,
                Notify::Off => Said::Not,
            },
            in_tmux,
            progress: !plain && !in_tmux && reads_progress(&term, &said),
            title: !plain && title == WindowTitle::Told,
            in_screen: !in_tmux && said("STY").is_some(),
        }
    }

    /// Said when the terminal is taken: its title is put aside, and it tells whether it has the focus.
    pub(crate) fn enter(&self) -> String {
        let title = if self.title { "\x1b[22;2t" } else { "" };
        let focus = if self.notify == Said::Not { "" } else { "\x1b[?1004h" };
        format!("{title}{focus}")
    }

    /// Takes all of it back.
    pub(crate) fn leave(&self) -> String {
        let progress = if self.progress { progress(false) } else { String::new() };
        let title = if self.title { "\x1b[23;2t" } else { "" };
        let focus = if self.notify == Said::Not { "" } else { "\x1b[?1004l" };
        format!("{progress}{focus}{title}")
    }

    /// What turns the signs that stand into `wanted`.
    pub(crate) fn changed(&self, standing: Option<&Signs>, wanted: &Signs) -> String {
        let mut sequences = String::new();
        if self.title && standing.is_none_or(|signs| signs.title != wanted.title) {
            sequences.push_str(&format!("\x1b]2;{}{END}", harmless(&wanted.title)));
        }
        if self.progress && standing.map_or(wanted.busy, |signs| signs.busy != wanted.busy) {
            sequences.push_str(&progress(wanted.busy));
        }
        sequences
    }

    /// Hands `text` to the clipboard. tmux may take it itself (`set-clipboard on`) or hand it through (`allow-passthrough on`),
    /// and which of them it does cannot be asked: it is told both, and the same text is copied twice where it does both.
    pub(crate) fn copied(&self, text: &str) -> String {
        match (self.in_tmux, self.in_screen) {
            (true, _) => {
                let sequence = copying(text, END);
                format!("{sequence}{}", handed_through(&sequence))
            }
            (false, true) => handed_through_screen(&copying(text, "\x07")),
            (false, false) => copying(text, END),
        }
    }

    /// Tells somebody who looks elsewhere.
    pub(crate) fn notification(&self, text: &str) -> String {
        let text = harmless(text);
        let sequence = match self.notify {
            Said::Osc9 => format!("\x1b]9;{text}{END}"),
            Said::Osc777 => format!("\x1b]777;notify;agent;{text}{END}"),
            Said::Osc99 => format!("\x1b]99;;{text}{END}"),
            // A multiplexer hears a bell itself.
            Said::Bell => return "\x07".to_owned(),
            Said::Not => return String::new(),
        };
        if self.in_tmux { handed_through(&sequence) } else { sequence }
    }
}

/// What hands `text`, in Base64, to the clipboard of the terminal (OSC 52).
fn copying(text: &str, end: &str) -> String {
    let mut sequence = String::new();
    // Writing into a text cannot fail.
    let _written = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence);
    let inside = sequence.trim_end_matches(END).trim_end_matches('\x07');
    format!("{inside}{end}")
}

/// How the terminals that we know of are told. Another one, and one at the far end of a connection that does not say what it
/// is, rings.
fn known_way(term: &str, said: &impl Fn(&str) -> Option<String>) -> Said {
    let program = said("TERM_PROGRAM").or_else(|| said("LC_TERMINAL")).unwrap_or_default();
    let is = |name: &str| program.eq_ignore_ascii_case(name);
    match term {
        _ if term.starts_with("xterm-kitty") || said("KITTY_WINDOW_ID").is_some() => Said::Osc99,
        _ if term.starts_with("foot") || term.starts_with("rxvt") => Said::Osc777,
        _ if term.starts_with("xterm-ghostty") || is("ghostty") => Said::Osc9,
        _ if is("iTerm.app") || is("iTerm2") || said("ITERM_SESSION_ID").is_some() => Said::Osc9,
        _ if is("WezTerm") || said("WEZTERM_PANE").is_some() => Said::Osc9,
        _ => Said::Bell,
    }
}

/// Is this one of the terminals that read a progress? Others would show it as a notification.
fn reads_progress(term: &str, said: &impl Fn(&str) -> Option<String>) -> bool {
    let ghostty = term.starts_with("xterm-ghostty") || said("TERM_PROGRAM").is_some_and(|program| program == "ghostty");
    let windows = said("WT_SESSION").is_some() || said("ConEmuANSI").is_some_and(|value| value == "ON");
    // Of GNOME's, those from 0.80 on.
    let gnome = said("VTE_VERSION").and_then(|version| version.parse::<u32>().ok()).is_some_and(|it| it >= 8_000);
    ghostty || windows || gnome
}

fn progress(busy: bool) -> String {
    format!("\x1b]9;4;{}{END}", if busy { "3;" } else { "0;" })
}

/// As tmux hands a sequence through that is not for itself (`allow-passthrough on`).
fn handed_through(sequence: &str) -> String {
    format!("\x1bPtmux;{}{END}", sequence.replace('\x1b', "\x1b\x1b"))
}

/// The same for GNU screen, which takes no long ones: in pieces, each a sequence of its own. None of them may hold what ends one.
fn handed_through_screen(sequence: &str) -> String {
    let letters: Vec<char> = sequence.chars().collect();
    let pieces = letters.chunks(SCREEN_TAKES).map(|piece| format!("\x1bP{}{END}", piece.iter().collect::<String>()));
    pieces.collect()
}

/// A line, short, and without anything that a terminal obeys.
fn harmless(text: &str) -> String {
    clean_line(text).chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manners(notify: Notify, env: &[(&str, &str)]) -> Manners {
        titled(notify, WindowTitle::Told, env)
    }

    fn titled(notify: Notify, title: WindowTitle, env: &[(&str, &str)]) -> Manners {
        let said = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Manners::of(notify, title, said)
    }

    #[test]
    fn what_is_copied_reaches_the_terminal_behind_a_multiplexer() {
        let plain = manners(Notify::Auto, &[("TERM", "xterm-256color")]).copied("hi");
        assert_eq!(plain, "\x1b]52;c;aGk=\x1b\\");
        let tmux = manners(Notify::Auto, &[("TERM", "tmux-256color"), ("TMUX", "/tmp/x,1,0")]).copied("hi");
        assert_eq!(tmux, format!("{plain}\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\"));
        let screen = manners(Notify::Auto, &[("TERM", "screen"), ("STY", "1.a")]);
        assert_eq!(screen.copied("hi"), "\x1bP\x1b]52;c;aGk=\x07\x1b\\");
        let long = screen.copied(&"x".repeat(900));
        let pieces: Vec<&str> = long.split("\x1b\\").filter(|piece| !piece.is_empty()).collect();
        assert!(
            pieces.len() > 4 && pieces.iter().all(|piece| piece.starts_with("\x1bP") && piece.len() <= 242),
            "{long:?}"
        );
    }

    #[test]
    fn a_title_that_is_to_stay_is_not_touched() {
        let manners = titled(Notify::Auto, WindowTitle::Untouched, &[("TERM", "xterm-256color")]);
        let signs = Signs { title: "a".into(), busy: true };
        assert_eq!((manners.enter().as_str(), manners.leave().as_str()), ("\x1b[?1004h", "\x1b[?1004l"));
        assert_eq!(manners.changed(None, &signs), "");
    }

    #[test]
    fn each_terminal_is_told_in_the_way_it_reads() {
        for (env, sent) in [
            (&[("TERM", "xterm-kitty")][..], "\x1b]99;;done\x1b\\"),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], "\x1b]9;done\x1b\\"),
            (&[("TERM", "xterm-256color"), ("LC_TERMINAL", "iTerm2")], "\x1b]9;done\x1b\\"),
            (&[("TERM", "foot")], "\x1b]777;notify;agent;done\x1b\\"),
            (&[("TERM", "xterm-256color")], "\x07"),
            (&[("TERM", "linux"), ("KITTY_WINDOW_ID", "1")], "\x07"),
            (
                &[("TERM", "tmux-256color"), ("TMUX", "/tmp/x,1,0"), ("WEZTERM_PANE", "0")],
                "\x1bPtmux;\x1b\x1b]9;done\x1b\x1b\\\x1b\\",
            ),
        ] {
            assert_eq!(manners(Notify::Auto, env).notification("done"), sent, "{env:?}");
        }
        let tmux = [("TMUX", "x")];
        assert_eq!(manners(Notify::Bell, &tmux).notification("done"), "\x07");
        assert_eq!(manners(Notify::Off, &tmux).notification("done"), "");
    }

    #[test]
    fn foreign_text_ends_no_sequence_and_begins_none() {
        let evil = "a\x07b\x1b\\c\x1b]52;c;eA==\u{9c}d\ne";
        for notify in [Notify::Osc9, Notify::Osc777, Notify::Osc99] {
            let sent = manners(notify, &[]).notification(evil);
            let inside = sent.strip_prefix("\x1b]").and_then(|sent| sent.strip_suffix("\x1b\\")).unwrap();
            assert!(!inside.contains(|letter: char| letter.is_control()), "{sent:?}");
        }
        let signs = Signs { title: evil.repeat(99), busy: true };
        let sent = manners(Notify::Auto, &[]).changed(None, &signs);
        let inside = sent.strip_prefix("\x1b]2;").and_then(|sent| sent.strip_suffix("\x1b\\")).unwrap();
        assert!(!inside.contains(|letter: char| letter.is_control()) && inside.chars().count() <= LONGEST, "{sent:?}");
    }

    #[test]
    fn signs_are_sent_where_they_change_and_progress_only_to_who_reads_it() {
        let signs = |title: &str, busy| Signs { title: title.into(), busy };
        let windows = manners(Notify::Auto, &[("TERM", "xterm-256color"), ("WT_SESSION", "1")]);
        assert_eq!(windows.changed(None, &signs("a", false)), "\x1b]2;a\x1b\\");
        assert_eq!(windows.changed(Some(&signs("a", false)), &signs("a", true)), "\x1b]9;4;3;\x1b\\");
        assert_eq!(windows.changed(Some(&signs("a", true)), &signs("b", false)), "\x1b]2;b\x1b\\\x1b]9;4;0;\x1b\\");
        assert_eq!(windows.changed(Some(&signs("b", false)), &signs("b", false)), "");
        for env in [&[("TERM", "xterm-256color")][..], &[("TERM", "xterm-256color"), ("VTE_VERSION", "7603")]] {
            assert_eq!(manners(Notify::Auto, env).changed(None, &signs("a", true)), "\x1b]2;a\x1b\\", "{env:?}");
        }
        let console = manners(Notify::Off, &[("TERM", "linux")]);
        assert_eq!((console.enter(), console.leave(), console.changed(None, &signs("a", true))), Default::default());
    }

    #[test]
    fn what_was_said_at_the_start_is_taken_back_at_the_end() {
        let windows = manners(Notify::Auto, &[("TERM", "xterm-256color"), ("WT_SESSION", "1")]);
        assert_eq!(windows.enter(), "\x1b[22;2t\x1b[?1004h");
        assert_eq!(windows.leave(), "\x1b]9;4;0;\x1b\\\x1b[?1004l\x1b[23;2t");
    }
}
