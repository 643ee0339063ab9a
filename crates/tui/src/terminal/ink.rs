//! Puts styled cells into terminal bytes, saying no more than what changes from one cell to the next.

use crate::clean::marked;
use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};
use std::io::Write as _;
use unicode_width::UnicodeWidthChar as _;

/// Stands where something was drawn that may not be written.
const REFUSED: &str = "\u{fffd}";

/// What the terminal's pen is set to, as far as we know.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    at: Option<Position>,
    look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Look {
    fg: Color,
    bg: Color,
    underline: Color,
    modifier: Modifier,
}

const ON: &[(Modifier, &str)] = &[
    (Modifier::BOLD, "1"),
    (Modifier::DIM, "2"),
    (Modifier::ITALIC, "3"),
    (Modifier::UNDERLINED, "4"),
    (Modifier::SLOW_BLINK, "5"),
    (Modifier::RAPID_BLINK, "6"),
    (Modifier::REVERSED, "7"),
    (Modifier::HIDDEN, "8"),
    (Modifier::CROSSED_OUT, "9"),
];

impl Pen {
    /// Writes `cell` at `position`.
    pub(crate) fn put(&mut self, position: Position, cell: &Cell, out: &mut Vec<u8>) {
        self.go(position, out);
        self.wear(Look { fg: cell.fg, bg: cell.bg, underline: cell.underline_color, modifier: cell.modifier }, out);
        let symbol = harmless(cell.symbol());
        out.extend_from_slice(symbol.as_bytes());
        self.at = after(position, symbol);
    }

    /// Back to plain, so that the next frame begins from what is known.
    pub(crate) fn rest(&mut self, out: &mut Vec<u8>) {
        self.wear(Look::default(), out);
        self.at = None;
    }

    fn go(&mut self, to: Position, out: &mut Vec<u8>) {
        match self.at {
            Some(at) if at == to => {}
            Some(at) if at.y == to.y && at.x < to.x => say(out, format_args!("\x1b[{}C", to.x - at.x)),
            _ => go(to, out),
        }
    }

    fn wear(&mut self, look: Look, out: &mut Vec<u8>) {
        let was = self.look;
        if was == look {
            return;
        }
        self.look = look;
        let mut codes: Vec<String> = Vec::new();
        // Taking something off is only certain by taking all off: not every terminal knows 22 to 29 alike.
        let was = if (was.modifier - look.modifier).is_empty() { was } else { Look::default() };
        if was == Look::default() && self.look != was {
            codes.push("0".to_owned());
        }
        let added = look.modifier - was.modifier;
        codes.extend(ON.iter().filter(|(modifier, _)| added.contains(*modifier)).map(|(_, code)| (*code).to_owned()));
        if look.fg != was.fg {
            codes.push(colour(look.fg, 30));
        }
        if look.bg != was.bg {
            codes.push(colour(look.bg, 40));
        }
        if look.underline != was.underline {
            codes.push(underline(look.underline));
        }
        if look == Look::default() {
            codes = Vec::new();
        }
        say(out, format_args!("\x1b[{}m", codes.join(";")));
    }
}

/// `symbol`, or a mark where a terminal would do anything but show it. Everything was cleaned before it
/// was drawn; a room that forgets to must not become a way to the terminal.
fn harmless(symbol: &str) -> &str {
    let shows = match symbol.as_bytes() {
        [byte] => matches!(byte, b' '..=b'~'),
        _ => marked(symbol).is_empty() && !symbol.contains(['\n', '\t']),
    };
    if shows { symbol } else { REFUSED }
}

pub(crate) fn go(to: Position, out: &mut Vec<u8>) {
    say(out, format_args!("\x1b[{};{}H", to.y + 1, to.x + 1));
}

/// Where the cursor stands after `symbol`; `None` where terminals disagree about its width.
fn after(position: Position, symbol: &str) -> Option<Position> {
    let mut letters = symbol.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    let width = u16::try_from(letter.width()?).ok()?;
    Some(Position::new(position.x + width, position.y))
}

/// The code of a colour; `base` is 30 for letters and 40 for what is behind them.
fn colour(colour: Color, base: u8) -> String {
    let plain = |number: u8| (base + number).to_string();
    let bright = |number: u8| (base + 60 + number).to_string();
    match colour {
        Color::Reset => plain(9),
        Color::Black => plain(0),
        Color::Red => plain(1),
        Color::Green => plain(2),
        Color::Yellow => plain(3),
        Color::Blue => plain(4),
        Color::Magenta => plain(5),
        Color::Cyan => plain(6),
        Color::Gray => plain(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Rgb(red, green, blue) => format!("{};2;{red};{green};{blue}", base + 8),
        Color::Indexed(index) => format!("{};5;{index}", base + 8),
    }
}

fn underline(colour: Color) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("58;2;{red};{green};{blue}"),
        Color::Indexed(index) => format!("58;5;{index}"),
        _ => "59".to_owned(),
    }
}

/// Writes to memory, which cannot fail.
pub(crate) fn say(out: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("writing to memory cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_should_not_have_been_drawn_is_refused_at_the_last_door() {
        let mut cell = Cell::default();
        for symbol in ["\u{1b}", "\u{1b}[2J", "\u{9b}", "a\u{202e}", "\u{200b}", "\u{e0041}", "\n", "\t", "\u{7f}"] {
            let mut bytes = Vec::new();
            Pen::default().put(Position::ORIGIN, cell.set_symbol(symbol), &mut bytes);
            assert!(bytes.ends_with("H\u{fffd}".as_bytes()), "{symbol:?}");
        }
        for symbol in ["a", " ", "漢", "e\u{301}", "👩🏽\u{200d}💻", "❤\u{fe0f}", "1\u{fe0f}\u{20e3}", "ｶ\u{ff9e}", "🇩🇪"]
        {
            let mut bytes = Vec::new();
            Pen::default().put(Position::ORIGIN, cell.set_symbol(symbol), &mut bytes);
            assert!(bytes.ends_with(format!("H{symbol}").as_bytes()), "{symbol:?}");
        }
    }
}
