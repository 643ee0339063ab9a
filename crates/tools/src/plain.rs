//! What a terminal would show of a program's output, as plain text for the model: escape sequences are dropped, and a
//! carriage return or backspace overwrites, so that a progress bar costs one line.

/// `output` without anything but text, tabs and line ends.
pub(crate) fn plain(output: &str) -> String {
    let mut text = Text::default();
    let mut state = State::Ground;
    for c in output.chars() {
        state = match state {
            State::Ground => text.take(c),
            State::Escape => after_escape(c),
            State::Control if ('\u{40}'..='\u{7e}').contains(&c) => State::Ground,
            State::Control => State::Control,
            State::Charset => State::Ground,
            State::Words if c == '\u{7}' || c == '\u{9c}' => State::Ground,
            State::Words if c == '\u{1b}' => State::Escape,
            // A sequence that never ends must not swallow what follows.
            State::Words if c == '\n' => text.take(c),
            State::Words => State::Words,
        };
    }
    text.done
}

#[derive(Debug, Clone, Copy)]
enum State {
    Ground,
    /// After ESC.
    Escape,
    /// In `ESC [ … letter`.
    Control,
    /// In `ESC ( letter`.
    Charset,
    /// In `ESC ] … BEL` and its kin.
    Words,
}

fn after_escape(c: char) -> State {
    match c {
        '[' => State::Control,
        ']' | 'P' | 'X' | '^' | '_' => State::Words,
        ' '..='/' => State::Charset,
        _ => State::Ground,
    }
}

#[derive(Debug, Default)]
struct Text {
    done: String,
    /// Where the last line starts.
    line: usize,
    /// A carriage return came; what follows overwrites the line, unless it is the line's end.
    returned: bool,
}

impl Text {
    fn take(&mut self, c: char) -> State {
        match c {
            '\u{1b}' => return State::Escape,
            '\u{9b}' => return State::Control,
            '\n' => {
                self.done.push(c);
                self.line = self.done.len();
                self.returned = false;
            }
            '\r' => self.returned = true,
            '\u{8}' if self.done.len() > self.line => drop(self.done.pop()),
            c if c.is_control() && c != '\t' => {}
            c => {
                if std::mem::take(&mut self.returned) {
                    self.done.truncate(self.line);
                }
                self.done.push(c);
            }
        }
        State::Ground
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_stays() {
        for (output, expected) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[1;31mred\u{1b}[0m\n", "red\n"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b\n", "ab\n"),
            ("\u{1b}(Ba\u{1b}7b", "ab"),
            (" 10%\r 50%\r100%\r\ndone\r\n", "100%\ndone\n"),
            ("abc\u{8}\u{8}X\n\u{8}y", "aX\ny"),
            ("a\u{0}\u{7}b\u{85}c", "abc"),
            ("\u{1b}]never ended\nbut this stays", "\nbut this stays"),
            ("cut off \u{1b}[3", "cut off "),
        ] {
            assert_eq!(plain(output), expected, "{output:?}");
        }
    }
}
