//! The picture in letters, at most 72 columns wide.

use super::{Point, Scene, VariantFigures, apart};

/// Columns of the field, and rows of it: a quarter is four rows.
const WIDE: usize = 62;
const HIGH: usize = 16;
/// What a line has before the field.
const MARGIN: usize = 7;
/// A line is no longer.
const LONGEST: usize = 72;

/// Empty where nothing was solved.
pub(in crate::report) fn text(arms: &[VariantFigures]) -> String {
    let Some(scene) = Scene::of(arms) else { return String::new() };
    let column = |time: f64| (time / scene.end() * (WIDE - 1) as f64).round();
    let at: Vec<f64> = scene.points.iter().map(|point| column(point.time)).collect();
    let mut field = vec![vec![' '; WIDE]; HIGH + 1];
    let columns = apart(&at, 2.0).into_iter().map(|column| (column as usize).min(WIDE - 1));
    for (point, column) in scene.points.iter().zip(columns) {
        draw(&mut field, point, column);
    }
    let mut lines: Vec<String> = field.iter().enumerate().map(|(row, cells)| line(row, cells)).collect();
    lines.push(format!("{}└{}", " ".repeat(MARGIN - 1), "─".repeat(WIDE)));
    lines.push(axis(&scene, column));
    lines.push(format!("{:>width$}", format!("{} per solved task", scene.unit), width = MARGIN + WIDE));
    lines.extend(scene.points.iter().map(|point| cut(&format!("  {}  {}", point.label, point.words))));
    lines.extend(scene.without.iter().map(|words| cut(&format!("  –  {words}"))));
    lines.join("\n")
}

fn draw(field: &mut [Vec<char>], point: &Point, column: usize) {
    let row = |share: f64| ((1.0 - share) * HIGH as f64).round().clamp(0.0, HIGH as f64) as usize;
    for cells in &mut field[row(point.high)..=row(point.low)] {
        cells[column] = '│';
    }
    field[row(point.share)][column] = point.label;
}

/// A row with what stands before it: the share at each quarter.
fn line(row: usize, cells: &[char]) -> String {
    let cells: String = cells.iter().collect();
    let line = match row % (HIGH / 4) {
        0 => format!("{:>3} % ┤{cells}", 100 - row * 100 / HIGH),
        _ => format!("{}│{cells}", " ".repeat(MARGIN - 1)),
    };
    line.trim_end().to_owned()
}

fn axis(scene: &Scene, column: impl Fn(f64) -> f64) -> String {
    let mut axis = " ".repeat(MARGIN);
    for (time, mark) in scene.marks() {
        let begins = MARGIN + column(time) as usize;
        let begins = begins.min(LONGEST - mark.len());
        if begins >= axis.len() || axis.trim().is_empty() {
            axis = format!("{axis:<begins$}{mark}");
        }
    }
    axis
}

fn cut(line: &str) -> String {
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    line.chars().take(LONGEST - 1).chain(['…']).collect()
}
