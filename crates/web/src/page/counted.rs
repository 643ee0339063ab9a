//! The tree that the parser builds, counted while it grows: by the rules of HTML a few bytes can make many nodes.

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::borrow::Cow;
use std::cell::Cell;

/// A tree, and how many elements, attributes and texts were made for it.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) dom: RcDom,
    pub(super) made: Cell<usize>,
    /// Attributes that came twice in their tag.
    pub(super) twice: Cell<usize>,
}

impl Counted {
    fn count(&self, parts: usize) {
        self.made.set(self.made.get() + parts);
    }
}

/// What the parser says of an attribute that its tag has already.
const TWICE: &str = "Duplicate attribute";

/// Everything is the tree's own to do. Errors are not kept: there may be many.
impl TreeSink for Counted {
    type Handle = Handle;
    type Output = RcDom;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> RcDom {
        self.dom
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.twice.set(self.twice.get() + usize::from(message == TWICE));
    }

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.dom.elem_name(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.count(1 + attributes.len());
        self.dom.create_element(name, attributes, flags)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.count(1);
        self.dom.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.count(1);
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.count(1);
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, before: &Handle, child: NodeOrText<Handle>) {
        self.count(1);
        self.dom.append_based_on_parent_node(element, before, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.dom.append_doctype_to_document(name, public, system);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        self.dom.same_node(one, other)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.count(1);
        self.dom.append_before_sibling(sibling, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        // Each time all that it has are looked through.
        let has = if let NodeData::Element { attrs, .. } = &target.data { attrs.borrow().len() } else { 0 };
        self.count(has + attributes.len());
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(node)
    }
}
