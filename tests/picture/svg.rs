//! A terminal's screen as an SVG: a dark window, one rectangle or text for each stretch of cells that look alike.
//!
//! Every text is given the width of its cells, so that columns stay in line whatever monospaced font there is.

use std::fmt::Write;
use vt100::{Cell, Color, Screen};

const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 14.0;
/// Height of the bar with the three dots.
const BAR: f64 = 28.0;

const PAPER: &str = "#16181d";
const INK: &str = "#d7dae0";

/// The sixteen colours that a terminal chooses itself.
const PALETTE: [&str; 16] = [
    "#1f2229", "#e06c75", "#8cc570", "#e0b56a", "#61a8ef", "#c678dd", "#4fb8c4", "#c8ccd4", "#7a8190", "#f0808a",
    "#a5d98a", "#f0cb85", "#82bdf5", "#d798ea", "#74d0da", "#ffffff",
];

/// How a cell looks.
#[derive(Clone, PartialEq, Default)]
struct Look {
    ink: String,
    paper: Option<String>,
    attributes: String,
}

/// Cells next to each other that look alike.
struct Stretch {
    column: u16,
    cells: u16,
    text: String,
    look: Look,
}

/// Draws a screen of this size, columns first.
pub(crate) fn draw(screen: &Screen, (columns, rows): (u16, u16), title: &str) -> String {
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + BAR + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" font-size=\"14\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"9\" fill=\"{PAPER}\"/>\n"
    );
    for (place, colour) in ["#ec6a5e", "#f4bf4f", "#61c554"].iter().enumerate() {
        let x = 20.0 + 20.0 * place as f64;
        line(&mut svg, format_args!("<circle cx=\"{x}\" cy=\"15\" r=\"6\" fill=\"{colour}\"/>"));
    }
    for row in 0..rows {
        for stretch in stretches(screen, row, columns) {
            put(&mut svg, row, &stretch);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn stretches(screen: &Screen, row: u16, columns: u16) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else { continue };
        if cell.is_wide_continuation() {
            if let Some(stretch) = found.last_mut() {
                stretch.cells += 1;
            }
            continue;
        }
        let look = look(cell);
        let text = if cell.has_contents() { cell.contents() } else { " " };
        match found.last_mut().filter(|stretch| stretch.look == look) {
            Some(stretch) => {
                stretch.text.push_str(text);
                stretch.cells += 1;
            }
            None => found.push(Stretch { column, cells: 1, text: text.into(), look }),
        }
    }
    found
}

fn look(cell: &Cell) -> Look {
    let (mut ink, mut paper) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
    if cell.inverse() {
        (ink, paper) = (paper.or(Some(PAPER.into())), ink.or(Some(INK.into())));
    }
    let kinds = [
        (cell.bold(), " font-weight=\"bold\""),
        (cell.italic(), " font-style=\"italic\""),
        (cell.underline(), " text-decoration=\"underline\""),
        (cell.dim(), " opacity=\"0.65\""),
    ];
    let attributes = kinds.iter().filter(|kind| kind.0).map(|kind| kind.1).collect();
    Look { ink: ink.unwrap_or_else(|| INK.into()), paper, attributes }
}

fn put(svg: &mut String, row: u16, stretch: &Stretch) {
    let Look { ink, paper, attributes } = &stretch.look;
    let x = MARGIN + f64::from(stretch.column) * CELL.0;
    let y = BAR + f64::from(row) * CELL.1;
    let width = f64::from(stretch.cells) * CELL.0;
    if let Some(paper) = paper {
        let height = CELL.1;
        line(
            svg,
            format_args!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{paper}\"/>"),
        );
    }
    // Blanks at the ends need no ink, and not every reader of an SVG keeps them.
    let text = stretch.text.trim();
    if !text.is_empty() {
        let before = stretch.text.len() - stretch.text.trim_start().len();
        let after = stretch.text.len() - stretch.text.trim_end().len();
        let (x, y) = (x + before as f64 * CELL.0, y + 13.5);
        let (width, text) = (width - (before + after) as f64 * CELL.0, escaped(text));
        line(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 xml:space=\"preserve\" fill=\"{ink}\"{attributes}>{text}</text>"
            ),
        );
    }
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(red, green, blue) => Some(hex([red, green, blue])),
        Color::Idx(index @ 0..16) => Some(PALETTE[usize::from(index)].into()),
        Color::Idx(index @ 16..232) => {
            let step = |of: u8| if of == 0 { 0 } else { 55 + 40 * of };
            let cube = index - 16;
            Some(hex([step(cube / 36), step(cube / 6 % 6), step(cube % 6)]))
        }
        Color::Idx(index @ 232..) => Some(hex([8 + 10 * (index - 232); 3])),
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn line(svg: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(svg, "{element}").expect("writing to memory does not fail");
}
