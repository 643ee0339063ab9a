//! The picture as SVG, written as text. Lines and letters have their own colours by light and by dark, and there is no ground.

use super::{Point, Scene, VariantFigures, apart};
use std::fmt::Write;

/// The whole, and the field in it.
const WIDE: f64 = 720.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 300.0;
/// A line of the legend.
const LINE: f64 = 20.0;
/// From one point to the next at least.
const APART: f64 = 16.0;

const STYLE: &str = "<style>text{font:13px sans-serif;fill:#1f2328}.a{stroke:#8c959f}.g{stroke:#8c959f;stroke-opacity:.3}\
                     .i{stroke:#0969da;stroke-width:2}circle{fill:#0969da}@media(prefers-color-scheme:dark){\
                     text{fill:#d1d7e0}.i{stroke:#4493f8}circle{fill:#4493f8}}</style>\n";

/// Empty where nothing was solved.
pub(in crate::report) fn svg(arms: &[VariantFigures]) -> String {
    let Some(scene) = Scene::of(arms) else { return String::new() };
    let across = |time: f64| LEFT + time / scene.end() * (RIGHT - LEFT);
    let legend = BOTTOM + 60.0;
    let high = legend + LINE * (scene.points.len() + scene.without.len()) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {high}\" role=\"img\">\n<title>Share of tasks solved, \
         against the time of a solved task</title>\n{STYLE}"
    );
    svg += &axes(&scene, across);
    let at: Vec<f64> = scene.points.iter().map(|point| across(point.time)).collect();
    for (point, x) in scene.points.iter().zip(apart(&at, APART)) {
        svg += &drawn(point, x.min(RIGHT));
    }
    let labels = scene.points.iter().map(|point| (point.label, &point.words));
    let lines = labels.chain(scene.without.iter().map(|words| ('–', words)));
    for (count, (label, words)) in lines.enumerate() {
        let y = legend + LINE * count as f64;
        svg += &said(LEFT, y, "start", &format!("{label}  {words}"));
    }
    svg + "</svg>\n"
}

fn down(share: f64) -> f64 {
    BOTTOM - share * (BOTTOM - TOP)
}

fn axes(scene: &Scene, across: impl Fn(f64) -> f64) -> String {
    let mut svg = String::new();
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let class = if quarter == 0 { "a" } else { "g" };
        svg += &stroke(class, (LEFT, down(share)), (RIGHT, down(share)));
        svg += &said(LEFT - 8.0, down(share) + 4.0, "end", &format!("{} %", quarter * 25));
    }
    svg += &stroke("a", (LEFT, TOP), (LEFT, BOTTOM));
    for (time, mark) in scene.marks() {
        svg += &said(across(time), BOTTOM + 18.0, "middle", &mark);
    }
    svg + &said(RIGHT, BOTTOM + 36.0, "end", &format!("{} per solved task", scene.unit))
}

fn drawn(point: &Point, x: f64) -> String {
    let mut svg = stroke("i", (x, down(point.low)), (x, down(point.high)));
    let y = down(point.share);
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>");
    // Where the interval ends at the edge the number is still beside it.
    svg + &said(x - 8.0, y + 4.0, "end", &point.label.to_string())
}

fn stroke(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n")
}

fn said(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escaped(words))
}

/// As XML takes it. Letters that XML does not know at all are left out.
fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&apos;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => text.push(letter),
        }
    }
    text
}
