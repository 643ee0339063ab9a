//! Inline elements of one kind that stand right next to each other become one: `**ab**` says what `**a****b**` does not.

use super::elements::is_block;
use super::tree::{Content, NodeId, Tree};

/// Joins them all over the page, where each holds text and nothing else.
pub(super) fn join(tree: &mut Tree) {
    for parent in tree.ids() {
        let mut before: Option<NodeId> = None;
        for child in tree.children(parent).to_vec() {
            match before.and_then(|before| twins(tree, before, child)) {
                Some((text, more)) => {
                    tree.extend_text(text, &more);
                    tree.detach(child);
                }
                None => before = Some(child),
            }
        }
    }
}

/// Of two that are twins the text of the first, to be extended, and what stands in the second.
fn twins(tree: &Tree, first: NodeId, second: NodeId) -> Option<(NodeId, String)> {
    let (one, other) = (tree.element(first)?, tree.element(second)?);
    let tag = tree.tag(first);
    let is_joined = kind(tag) == kind(tree.tag(second)) && tag != "a" && !is_block(tag);
    let text = only_text(tree, first)?;
    only_text(tree, second)?;
    (is_joined && one.attributes == other.attributes).then(|| (text, tree.text(second)))
}

fn only_text(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let [only] = tree.children(id) else { return None };
    matches!(tree.node(*only).content, Content::Text(_)).then_some(*only)
}

/// Two names that say the same.
fn kind(tag: &str) -> &str {
    match tag {
        "i" => "em",
        "b" => "strong",
        _ => tag,
    }
}
