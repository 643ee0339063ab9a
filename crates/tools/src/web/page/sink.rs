//! Where the parser puts what it finds: into a [`Tree`], counted while it grows, for by the rules of HTML a few bytes can
//! make many nodes.

use super::tree::{Content, Element, NodeId, Tree};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

/// A tree that grows, and how many elements, attributes and texts were made for it.
#[derive(Default)]
pub(super) struct Sink {
    pub(super) tree: RefCell<Tree>,
    pub(super) made: Cell<usize>,
    /// Attributes that came twice in their tag.
    pub(super) twice: Cell<usize>,
}

/// A node in the hands of the parser, which asks for names all the time; what is no element has an empty one.
#[derive(Clone)]
pub(super) struct Handle {
    id: NodeId,
    name: Rc<QualName>,
}

impl Sink {
    fn count(&self, parts: usize) {
        self.made.set(self.made.get() + parts);
    }

    fn nameless(&self, id: NodeId) -> Handle {
        Handle { id, name: Rc::new(QualName::new(None, "".into(), "".into())) }
    }

    /// The node to be put somewhere; none if it is text that `before` takes in.
    fn joined(&self, child: NodeOrText<Handle>, before: Option<NodeId>) -> Option<NodeId> {
        match child {
            NodeOrText::AppendNode(node) => Some(node.id),
            NodeOrText::AppendText(text) => {
                let mut tree = self.tree.borrow_mut();
                let is_joined = before.is_some_and(|before| tree.extend_text(before, &text));
                (!is_joined).then(|| tree.add(Content::Text(text)))
            }
        }
    }
}

/// What the parser says of an attribute that its tag has already.
const TWICE: &str = "Duplicate attribute";

/// Errors are not kept: there may be many.
impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.twice.set(self.twice.get() + usize::from(message == TWICE));
    }

    fn get_document(&self) -> Handle {
        self.nameless(Tree::ROOT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.count(1 + attributes.len());
        let (name, holds_html) = (Rc::new(name), flags.mathml_annotation_xml_integration_point);
        let element = Element { name: name.clone(), attributes, holds_html };
        Handle { id: self.tree.borrow_mut().add(Content::Element(element)), name }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        self.count(1);
        self.nameless(self.tree.borrow_mut().add(Content::Other))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.count(1);
        let last = self.tree.borrow().children(parent.id).last().copied();
        if let Some(child) = self.joined(child, last) {
            self.tree.borrow_mut().append(parent.id, child);
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, before: &Handle, child: NodeOrText<Handle>) {
        let stands_somewhere = self.tree.borrow().parent(element.id).is_some();
        if stands_somewhere {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    /// Nobody reads them, so they stand right in the template.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.count(1);
        let previous = self.tree.borrow().previous(sibling.id);
        if let Some(child) = self.joined(child, previous) {
            self.tree.borrow_mut().insert_before(sibling.id, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        if let Some(element) = self.tree.borrow_mut().element_mut(target.id) {
            // Each time all that it has are looked through.
            self.count(element.attributes.len() + attributes.len());
            let has: HashSet<QualName> = element.attributes.iter().map(|attribute| attribute.name.clone()).collect();
            element.attributes.extend(attributes.into_iter().filter(|attribute| !has.contains(&attribute.name)));
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.borrow_mut().move_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Handle) -> bool {
        self.tree.borrow().element(node.id).is_some_and(|element| element.holds_html)
    }
}
