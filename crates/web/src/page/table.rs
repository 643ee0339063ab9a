//! Tables as Markdown, without blanks to make columns even: one long cell would be paid for in every row.

use htmd::Element;
use htmd::element_handler::{HandlerResult, Handlers};
use markup5ever_rcdom::{Handle, NodeData};

/// A table with headings becomes one; any other only arranges things and is read as what stands in it.
pub(super) fn table(handlers: &dyn Handlers, element: Element) -> Option<HandlerResult> {
    let rows = rows(element.node);
    let headed = rows.first().is_some_and(|row| cells(row).iter().any(|cell| tag(cell) == "th"));
    if !headed || within_cell(element.node) {
        return Some(format!("\n\n{}\n\n", handlers.walk_children(element.node).content.trim_matches('\n')).into());
    }
    let mut text = String::from("\n\n");
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> =
            cells(row).iter().map(|cell| one_line(&handlers.walk_children(cell).content)).collect();
        if cells.is_empty() {
            continue;
        }
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if at == 0 {
            text.push_str(&format!("|{}\n", " --- |".repeat(cells.len())));
        }
    }
    text.push('\n');
    Some(text.into())
}

/// The rows of this table, not those of tables in it.
fn rows(table: &Handle) -> Vec<Handle> {
    let mut rows = Vec::new();
    for child in table.children.borrow().iter() {
        match tag(child) {
            "tr" => rows.push(child.clone()),
            "thead" | "tbody" | "tfoot" => {
                rows.extend(child.children.borrow().iter().filter(|row| tag(row) == "tr").cloned());
            }
            _ => {}
        }
    }
    rows
}

fn cells(row: &Handle) -> Vec<Handle> {
    row.children.borrow().iter().filter(|cell| matches!(tag(cell), "td" | "th")).cloned().collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn within_cell(node: &Handle) -> bool {
    let parent = |node: &Handle| {
        let weak = node.parent.take();
        node.parent.set(weak.clone());
        weak.and_then(|weak| weak.upgrade())
    };
    let mut above = parent(node);
    while let Some(node) = above {
        if matches!(tag(&node), "td" | "th") {
            return true;
        }
        above = parent(&node);
    }
    false
}

fn tag(node: &Handle) -> &str {
    match &node.data {
        NodeData::Element { name, .. } => &name.local,
        NodeData::Document
        | NodeData::Doctype { .. }
        | NodeData::Text { .. }
        | NodeData::Comment { .. }
        | NodeData::ProcessingInstruction { .. } => "",
    }
}

#[cfg(test)]
mod tests {
    use htmd::HtmlToMarkdown;

    fn read(html: &str) -> String {
        HtmlToMarkdown::builder().add_handler(vec!["table"], super::table).build().convert(html).unwrap()
    }

    #[test]
    fn a_table_with_headings_is_one_and_costs_no_blanks() {
        let table = "<table><thead><tr><th>Key<th>What</tr></thead><tr><td>a|b<td>one\n two</tr>\
            <tr><td><code>c</code><td><p>three</table>";
        assert_eq!(read(table), "| Key | What |\n| --- | --- |\n| a\\|b | one two |\n| `c` | three |");
        let wide = format!("<table><tr><th>{}</tr>{}</table>", "x".repeat(50_000), "<tr><td>y</tr>".repeat(5_000));
        assert!(read(&wide).len() < 200_000);
    }

    #[test]
    fn a_table_that_only_arranges_is_read_as_what_stands_in_it() {
        let read = read("<table><tr><td>left<td><table><tr><th>h</table></table>");
        assert!(!read.contains("---") && read.contains("left") && read.contains('h'), "{read}");
    }
}
