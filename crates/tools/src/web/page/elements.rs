//! What each kind of element is in Markdown, once what stands in it is written.

use super::text::{indented, is_blank, longest_ticks};
use super::tree::{NodeId, Tree};
use std::collections::HashSet;

/// Elements that begin on a line of their own, by the rules of Markdown.
#[rustfmt::skip]
const BLOCKS: [&str; 66] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
    "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "pre", "script", "search", "section", "style",
    "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

/// Does an element begin on a line of its own?
pub(super) fn is_block(tag: &str) -> bool {
    BLOCKS.binary_search(&tag).is_ok()
}

/// The numbers of a list.
pub(super) struct Numbers {
    next: usize,
    last: usize,
}

impl Numbers {
    /// Those of the list at `id`.
    pub(super) fn of(tree: &Tree, id: NodeId) -> Self {
        let start = tree.attribute(id, "start").and_then(|start| start.parse::<i32>().ok());
        let next = start.and_then(|start| usize::try_from(start).ok()).unwrap_or(1).max(1);
        let items = tree.children(id).iter().filter(|child| tree.tag(**child) == "li").count();
        Numbers { next, last: (next + items).saturating_sub(1) }
    }

    /// The number of the next item, with blanks up to where its text begins, as far from the left as that of the last one.
    fn mark(&mut self) -> String {
        let digits = self.last.to_string().len();
        let number = format!("{}.", self.next);
        self.next += 1;
        format!("{number:<width$}", width = digits + 2)
    }
}

/// An item of a list.
pub(super) fn item(written: &str, numbers: Option<&mut Numbers>) -> String {
    let mark = numbers.map_or_else(|| "- ".to_owned(), Numbers::mark);
    format!("\n{mark}{}", indented(written.trim_start_matches(is_blank), mark.len()))
}

/// Any other element, with what is written of its children; `is_literal`: it stands in code or in what is formatted.
pub(super) fn written(tree: &Tree, id: NodeId, inside: &str, is_literal: bool) -> String {
    let is_within = |tag| tree.parent(id).is_some_and(|parent| tree.tag(parent) == tag);
    match tree.tag(id) {
        "a" => link(inside, tree.attribute(id, "href")),
        "img" => picture(tree, id),
        "br" => "  \n".into(),
        "hr" => "\n\n* * *\n\n".into(),
        "b" | "strong" => emphasized(inside, "**"),
        "i" | "em" => emphasized(inside, "*"),
        "code" if is_within("pre") => fenced(tree, id, inside),
        "code" => code(inside.trim_matches(is_blank)),
        "span" if !is_literal => inside.trim_matches('\n').into(),
        "blockquote" => quote(inside),
        "ul" | "ol" => list(inside, is_within("li")),
        tag @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => heading(inside, tag),
        tag if is_block(tag) => format!("\n\n{}\n\n", inside.trim_matches('\n')),
        _ => inside.into(),
    }
}

fn heading(inside: &str, tag: &str) -> String {
    let level = tag[1..].parse().unwrap_or(1);
    format!("\n\n{} {}\n\n", "#".repeat(level), inside.trim_matches(is_blank))
}

fn link(inside: &str, address: Option<&str>) -> String {
    let Some(address) = address else { return inside.into() };
    let begun = inside.trim_start_matches(is_blank);
    let text = begun.trim_end_matches(is_blank);
    format!("[{text}]({}){}", destination(address), &begun[text.len()..])
}

fn picture(tree: &Tree, id: NodeId) -> String {
    let Some(address) = tree.attribute(id, "src").or_else(|| tree.attribute(id, "href")) else { return String::new() };
    let alt = tree.attribute(id, "alt").unwrap_or_default().replace('"', "\\\"");
    let lines: Vec<_> = alt.lines().map(|line| line.trim_matches(is_blank)).filter(|line| !line.is_empty()).collect();
    format!("![{}]({})", lines.join("\n"), destination(address))
}

/// An address as it stands in a link.
fn destination(address: &str) -> String {
    let escaped = address.replace('(', "\\(").replace(')', "\\)");
    if escaped.contains(' ') { format!("<{escaped}>") } else { escaped }
}

/// Marks stand right at the words, blanks outside of them.
fn emphasized(inside: &str, mark: &str) -> String {
    let words = inside.trim();
    if words.is_empty() {
        return String::new();
    }
    let before = &inside[..inside.len() - inside.trim_start().len()];
    let after = &inside[inside.trim_end().len()..];
    format!("{before}{mark}{words}{mark}{after}")
}

/// As many backticks as stand nowhere in it, and blanks where it begins or ends with one.
fn code(inside: &str) -> String {
    let touches = inside.starts_with('`') || inside.ends_with('`');
    let runs: HashSet<usize> = inside.split(|letter| letter != '`').map(str::len).collect();
    let unused = || (1..).find(|ticks| !runs.contains(ticks)).unwrap_or(1);
    let ticks = if touches { longest_ticks(inside) + 1 } else { unused() };
    let (mark, gap) = ("`".repeat(ticks), if touches { " " } else { "" });
    format!("{mark}{gap}{inside}{gap}{mark}")
}

fn fenced(tree: &Tree, id: NodeId, inside: &str) -> String {
    let inside = inside.strip_suffix('\n').unwrap_or(inside);
    let language = language(tree, id).or_else(|| language(tree, tree.parent(id)?)).unwrap_or_default();
    let fence = "`".repeat(3.max(longest_ticks(inside) + 1));
    format!("{fence}{language}\n{inside}\n{fence}")
}

fn language(tree: &Tree, id: NodeId) -> Option<&str> {
    tree.attribute(id, "class")?.split(' ').find_map(|class| class.strip_prefix("language-"))
}

fn quote(inside: &str) -> String {
    let lines = inside.trim_start_matches('\n').trim_end_matches(is_blank).lines();
    format!("\n\n{}\n\n", lines.map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"))
}

fn list(inside: &str, is_within_item: bool) -> String {
    let items = inside.trim_matches('\n');
    match items {
        "" => String::new(),
        _ if is_within_item => format!("\n{items}\n"),
        _ => format!("\n\n{items}\n\n"),
    }
}
