//! A page as a tree. Its nodes stand in one list and name one another by their places there, so neither walking it nor
//! dropping it takes stack, however deep it nests.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};
use std::rc::Rc;

/// The place of a node in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(usize);

#[derive(Debug)]
pub(super) enum Content {
    Element(Element),
    Text(StrTendril),
    /// The document itself, a comment, an instruction: nothing that is read.
    Other,
}

/// A tag, with what stands in it.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Rc<QualName>,
    pub(super) attributes: Vec<Attribute>,
    /// HTML begins again within it, in the midst of mathematics.
    pub(super) holds_html: bool,
}

/// A node, and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    parent: Option<NodeId>,
    pub(super) children: Vec<NodeId>,
}

/// A page. What a template holds counts as its children.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node { content: Content::Other, parent: None, children: Vec::new() }] }
    }
}

impl Tree {
    pub(super) const ROOT: NodeId = NodeId(0);

    /// A node that stands nowhere yet.
    pub(super) fn add(&mut self, content: Content) -> NodeId {
        self.nodes.push(Node { content, parent: None, children: Vec::new() });
        NodeId(self.nodes.len() - 1)
    }

    /// Every node, wherever it stands.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    pub(super) fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The name of an element; empty for any other node.
    pub(super) fn tag(&self, id: NodeId) -> &str {
        self.element(id).map_or("", |element| &element.name.local)
    }

    pub(super) fn element(&self, id: NodeId) -> Option<&Element> {
        match &self.node(id).content {
            Content::Element(element) => Some(element),
            Content::Text(_) | Content::Other => None,
        }
    }

    pub(super) fn element_mut(&mut self, id: NodeId) -> Option<&mut Element> {
        match &mut self.nodes[id.0].content {
            Content::Element(element) => Some(element),
            Content::Text(_) | Content::Other => None,
        }
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        let attributes = &self.element(id)?.attributes;
        attributes.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
    }

    /// The text right inside `id`, but not that of its elements.
    pub(super) fn text(&self, id: NodeId) -> String {
        let texts = self.children(id).iter().map(|child| match &self.node(*child).content {
            Content::Text(text) => text,
            Content::Element(_) | Content::Other => "",
        });
        texts.collect()
    }

    /// Puts `child` behind the children of `parent`.
    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        self.nodes[child.0].parent = Some(parent);
        self.nodes[parent.0].children.push(child);
    }

    /// Puts `child` right before `sibling`, if that stands somewhere.
    pub(super) fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.detach(child);
        if let Some((parent, place)) = self.place(sibling) {
            self.nodes[child.0].parent = Some(parent);
            self.nodes[parent.0].children.insert(place, child);
        }
    }

    /// Takes a node out of where it stands.
    pub(super) fn detach(&mut self, child: NodeId) {
        if let Some((parent, place)) = self.place(child) {
            self.nodes[parent.0].children.remove(place);
            self.nodes[child.0].parent = None;
        }
    }

    /// Puts all children of `from` behind those of `to`.
    pub(super) fn move_children(&mut self, from: NodeId, to: NodeId) {
        let children = std::mem::take(&mut self.nodes[from.0].children);
        for child in &children {
            self.nodes[child.0].parent = Some(to);
        }
        self.nodes[to.0].children.extend(children);
    }

    /// What stands right before `id`, under the same parent.
    pub(super) fn previous(&self, id: NodeId) -> Option<NodeId> {
        let (parent, place) = self.place(id)?;
        self.children(parent).get(place.checked_sub(1)?).copied()
    }

    /// Adds to a text; `false`: it is none.
    pub(super) fn extend_text(&mut self, id: NodeId, more: &str) -> bool {
        match &mut self.nodes[id.0].content {
            Content::Text(text) => {
                text.push_slice(more);
                true
            }
            Content::Element(_) | Content::Other => false,
        }
    }

    /// The parent, and the place among its children. A page grows at its end, so it is looked for from there.
    fn place(&self, id: NodeId) -> Option<(NodeId, usize)> {
        let parent = self.node(id).parent?;
        Some((parent, self.children(parent).iter().rposition(|child| *child == id)?))
    }
}
