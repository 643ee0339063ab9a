//! Writes a tree as Markdown. What is open stands in a list of its own, so however deep a page nests takes no stack.

use super::elements::{self, is_block};
use super::table;
use super::text;
use super::tree::{Content, NodeId, Tree};

/// What is left out: the title is told by itself, the rest is no text.
const SKIPPED: [&str; 12] =
    ["head", "title", "script", "style", "template", "svg", "iframe", "object", "canvas", "select", "audio", "video"];

/// `tree` as Markdown.
pub(super) fn write(tree: &Tree) -> String {
    let mut open = vec![Opened::document(tree)];
    while let Some(mut element) = open.pop() {
        if let Some(child) = element.children.next() {
            let within = element.begin(tree, child);
            open.push(element);
            open.extend(within);
        } else if let Some(above) = open.last_mut() {
            above.end(tree, element);
        } else {
            return element.written;
        }
    }
    String::new()
}

/// An element of which some children are written already.
struct Opened {
    id: NodeId,
    /// The children that are still to be written; of a table its cells.
    children: std::vec::IntoIter<NodeId>,
    written: String,
    /// What is written next stands at the beginning of a line: blanks before it mean nothing.
    begins_line: bool,
    /// Text is written to the letter, within code and what is formatted already.
    is_literal: bool,
    is_in_cell: bool,
    /// The numbers of a list that has them.
    numbers: Option<elements::Numbers>,
    /// The cells of a table that is written as one.
    cells: Option<Vec<(NodeId, String)>>,
}

impl Opened {
    fn document(tree: &Tree) -> Self {
        Opened {
            id: Tree::ROOT,
            children: tree.children(Tree::ROOT).to_vec().into_iter(),
            written: String::new(),
            begins_line: true,
            is_literal: false,
            is_in_cell: false,
            numbers: None,
            cells: None,
        }
    }

    fn within(&self, tree: &Tree, id: NodeId) -> Self {
        let tag = tree.tag(id);
        let is_literal = self.is_literal || matches!(tag, "pre" | "code");
        let is_in_cell = self.is_in_cell || matches!(tag, "td" | "th");
        let cells = if tag == "table" && !is_in_cell { table::cells(tree, id) } else { None };
        Opened {
            id,
            written: String::new(),
            begins_line: !is_literal && is_block(tag),
            is_literal,
            is_in_cell,
            numbers: (tag == "ol").then(|| elements::Numbers::of(tree, id)),
            children: cells.clone().unwrap_or_else(|| tree.children(id).to_vec()).into_iter(),
            cells: cells.map(|_| Vec::new()),
        }
    }

    /// Writes a child that is text; gives one that is an element, to be written first.
    fn begin(&mut self, tree: &Tree, child: NodeId) -> Option<Self> {
        match &tree.node(child).content {
            Content::Text(text) => self.text(tree, text),
            Content::Element(_) => {
                let tag = tree.tag(child);
                if is_block(tag) {
                    self.written.truncate(self.written.trim_end_matches(' ').len());
                }
                return (!SKIPPED.contains(&tag)).then(|| self.within(tree, child));
            }
            Content::Other => {}
        }
        None
    }

    fn text(&mut self, tree: &Tree, text: &str) {
        let before = self.written.len();
        if self.is_literal {
            // What stands there without a fence must not begin one.
            if tree.tag(self.id) == "pre" && text.starts_with(['`', '~']) {
                self.written.push('\\');
            }
            self.written.push_str(text);
        } else {
            let text = text::escaped(text);
            let is_after_blank = self.begins_line || self.written.ends_with(' ');
            self.written.push_str(if is_after_blank { text.trim_start_matches(' ') } else { &text });
        }
        self.begins_line &= self.written.len() == before;
    }

    /// Takes in a child that is written.
    fn end(&mut self, tree: &Tree, child: Self) {
        let (id, tag) = (child.id, tree.tag(child.id));
        if let Some(cells) = &mut self.cells {
            cells.push((id, child.written));
            return;
        }
        let piece = match tag {
            "li" => elements::item(&child.written, self.numbers.as_mut()),
            "table" if child.cells.is_some() => table::written(tree, child.cells.unwrap_or_default()),
            _ => elements::written(tree, id, &child.written, self.is_literal),
        };
        if !piece.is_empty() {
            self.append(piece);
            self.begins_line = is_block(tag);
        }
    }

    /// At most one empty line stands between two pieces, and one blank.
    fn append(&mut self, piece: String) {
        if self.written.is_empty() {
            self.written = piece;
            return;
        }
        let before = self.written.len() - self.written.trim_end_matches('\n').len();
        let after = piece.len() - piece.trim_start_matches('\n').len();
        let mut piece = piece.as_str();
        if !self.is_literal {
            piece = &piece[(before + after).saturating_sub(2).min(after)..];
            let meets_blank = before + after == 0 && self.written.ends_with(' ');
            piece = if meets_blank { piece.strip_prefix(' ').unwrap_or(piece) } else { piece };
        }
        self.written.push_str(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::page::{parse, tree::Element, twins};
    use html5ever::QualName;

    fn read(html: &str) -> String {
        let mut tree = parse::parse(html).unwrap();
        twins::join(&mut tree);
        write(&tree).trim().to_owned()
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

    #[test]
    fn each_kind_of_element_is_what_it_is_in_markdown() {
        for (html, markdown) in [
            ("<h1> One </h1><h3>Three", "# One\n\n### Three"),
            ("one<br>two<hr>three", "one  \ntwo\n\n* * *\n\nthree"),
            ("<p>a <b> bold</b><i></i> and <em>so</em>", "a **bold** and *so*"),
            ("<b>a</b><strong>b</strong><code>c</code><code>d</code>", "**ab**`cd`"),
            ("<ol start=9><li>nine<li>ten<p>more</ol>", "9.  nine\n10. ten\n\n    more"),
            ("<ul><li>one<ol><li>two</ol></ul>", "- one\n  1. two"),
            ("<blockquote><p>a<p>b</blockquote>", "> a\n> \n> b"),
            ("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``"),
            ("<pre class='x language-c'><code>a ``` *b*\n</code></pre>", "````c\na ``` *b*\n````"),
            ("<pre>as  it\n stands</pre>", "as  it\n stands"),
            ("<a href='(a)'>x </a>y <a>z</a>", "[x](\\(a\\)) y z"),
            ("<img src=a.png alt='a\n\n b'><img alt=none>", "![a\nb](a.png)"),
            ("<p>&lt;b&gt; &amp;amp; &eacute; &#x41; &nosuch;", "\\<b> &amp; é A &nosuch;"),
            ("<script>no()</script><style>no</style><template>no</template>yes<svg><text>no</text></svg>", "yes"),
        ] {
            assert_eq!(read(html), markdown, "{html}");
        }
    }

    #[test]
    fn what_is_never_closed_or_closed_twice_is_read_all_the_same() {
        assert_eq!(read("<table><tr><td><ul><li><b>one<p>two</table>three"), "- **one\n\n  two**\n\nthree");
        assert_eq!(read("</p></b></li>x</table></ul>y<p a=\"b>z"), "xy");
        assert_eq!(read("<select><option>a</select><frameset><frame>b<!-- c"), "b");
    }

    #[test]
    fn a_huge_attribute_is_no_more_than_its_length() {
        let huge = "x".repeat(1 << 20);
        assert_eq!(read(&format!("<p title='{huge}'>a <a href='{huge}'>b</a>")).len(), huge.len() + 7);
    }

    #[test]
    fn however_deep_a_tree_is_neither_writing_nor_dropping_it_takes_stack() {
        let mut tree = Tree::default();
        let mut at = Tree::ROOT;
        for _ in 0..100_000 {
            let name = QualName::new(None, "".into(), "span".into());
            let element = Element { name: name.into(), attributes: Vec::new(), holds_html: false };
            let child = tree.add(Content::Element(element));
            tree.append(at, child);
            at = child;
        }
        let text = tree.add(Content::Text("deep".into()));
        tree.append(at, text);
        assert_eq!(write(&tree), "deep");
    }
}
