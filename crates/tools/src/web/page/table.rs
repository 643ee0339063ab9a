//! Tables as Markdown, without blanks to make columns even: one long cell would be paid for in every row.

use super::tree::{NodeId, Tree};

/// The cells of a table with headings, which becomes one; any other only arranges things and is read as what stands in it.
pub(super) fn cells(tree: &Tree, table: NodeId) -> Option<Vec<NodeId>> {
    let rows: Vec<Vec<NodeId>> = rows(tree, table).map(|row| cells_of(tree, row)).collect();
    let is_headed = rows.first().is_some_and(|row| row.iter().any(|cell| tree.tag(*cell) == "th"));
    is_headed.then(|| rows.concat())
}

/// A table of these cells and what is written in each.
pub(super) fn written(tree: &Tree, cells: Vec<(NodeId, String)>) -> String {
    let mut text = String::from("\n\n");
    for (nth, row) in cells.chunk_by(|(one, _), (other, _)| tree.parent(*one) == tree.parent(*other)).enumerate() {
        let row: Vec<String> = row.iter().map(|(_, inside)| one_line(inside)).collect();
        text.push_str(&format!("| {} |\n", row.join(" | ")));
        if nth == 0 {
            text.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
        }
    }
    text.push('\n');
    text
}

/// The rows of this table, not those of tables in it.
fn rows(tree: &Tree, table: NodeId) -> impl Iterator<Item = NodeId> {
    let groups = tree.children(table).iter().flat_map(|child| match tree.tag(*child) {
        "thead" | "tbody" | "tfoot" => tree.children(*child),
        _ => std::slice::from_ref(child),
    });
    groups.copied().filter(|row| tree.tag(*row) == "tr")
}

fn cells_of(tree: &Tree, row: NodeId) -> Vec<NodeId> {
    tree.children(row).iter().copied().filter(|cell| matches!(tree.tag(*cell), "td" | "th")).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
