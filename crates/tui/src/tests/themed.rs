//! That the colours of a theme reach the screen, and that the one without any brings none.

use super::harness::{Stage, asks_edit, opened, turn};
use crate::themes::Theme;
use ratatui::style::{Color, Modifier};

/// The colour of the mode's first letter in the last line.
fn of_the_mode(theme: &str) -> Color {
    let mut stage = Stage::themed(80, 24, Theme::named(theme).unwrap());
    stage.hear(opened());
    let (page, _) = stage.draw();
    let word = |x: &u16| (0..4).map(|at| page[(x + at, 23)].symbol()).collect::<String>() == "SAFE";
    let x = (0..76).find(word).expect("the last line says the mode");
    assert!(page[(x, 23)].modifier.contains(Modifier::BOLD), "{theme}");
    page[(x, 23)].fg
}

#[test]
fn the_colour_of_a_theme_reaches_the_screen() {
    assert_eq!(of_the_mode("terminal"), Color::Green);
    assert_eq!(of_the_mode("light"), Color::Indexed(22));
    assert_eq!(of_the_mode("contrast"), Color::LightGreen);
}

#[test]
fn grounds_of_a_theme_go_over_the_whole_width() {
    let mut stage = Stage::themed(80, 30, Theme::named("dark").unwrap());
    stage.hear(opened()).hear(turn("hello")).hear(asks_edit("a\n", "b\n")).wait(1_000);
    let (page, _) = stage.draw();
    let ground = |wanted: u8| {
        let rows = (0..30).filter(|y| (2..78).all(|x| page[(x, *y)].bg == Color::Indexed(wanted)));
        rows.count()
    };
    assert_eq!((ground(236), ground(22), ground(52)), (1, 1, 1), "what was said, a line added, a line removed");
}

#[test]
fn without_colour_no_cell_has_any() {
    let mut stage = Stage::themed(80, 24, Theme::plain());
    let (page, _) = stage.hear(opened()).draw();
    assert!(page.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
}
