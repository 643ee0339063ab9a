//! The head of a definition: where it begins, what it is called, what it takes.

use crate::language::{Grammar, holds};
use crate::symbol::Kind;
use tree_sitter::Node;

/// Characters of a signature that are kept.
const LONGEST: usize = 160;

/// Words before the name of a function that say only that it is one.
const FUNCTION: [&str; 7] = ["fn", "def", "func", "function", "const", "let", "var"];

/// A definition, before it is written down.
pub(super) struct Head<'tree> {
    pub(super) kind: Kind,
    /// All of it, with what is around it.
    pub(super) whole: Node<'tree>,
    /// How many steps above the node that was found its definition stands.
    pub(super) up: usize,
    /// Says only that it is defined elsewhere.
    pub(super) is_declaration: bool,
    found: Node<'tree>,
    definition: Node<'tree>,
    name: Node<'tree>,
}

impl<'tree> Head<'tree> {
    /// The definition that `found` makes of `name`; `above` is what it stands in, innermost first.
    pub(super) fn of(found: Node<'tree>, name: Node<'tree>, above: &[Node<'tree>], grammar: &Grammar) -> Option<Self> {
        let kind = grammar.rules.kind(found.kind())?;
        let up = if found.kind() == "function_declarator" { declared(above)? } else { 0 };
        let definition = if up == 0 { found } else { above[up - 1] };
        let mut whole = definition;
        for outer in above.iter().skip(up) {
            if !grammar.role(outer.kind_id()).around || is_group(*outer) {
                break;
            }
            whole = *outer;
        }
        let is_declaration = up > 0 && definition.kind() != "function_definition";
        let kind = finer(kind, found);
        Some(Head { kind, whole, up, is_declaration, found, definition, name })
    }

    /// Without what it belongs to.
    pub(super) fn name(&self, text: &str) -> String {
        let name = words(&text[self.name.byte_range()]);
        let name = match self.kind {
            Kind::Impl => name.split('<').next().unwrap_or_default(),
            _ => &name,
        };
        let last = name.rsplit("::").next().unwrap_or(name);
        last.trim().trim_matches(['"', '\'']).to_owned()
    }

    /// The type that it says it belongs to.
    pub(super) fn owner(&self, text: &str) -> Option<String> {
        if let Some(receiver) = self.definition.child_by_field_name("receiver") {
            let receiver = text[receiver.byte_range()].split('[').next().unwrap_or_default();
            let owner = receiver.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|word| !word.is_empty());
            return owner.map(Into::into);
        }
        if self.kind == Kind::Impl {
            return None;
        }
        let (owner, _) = text[self.name.byte_range()].rsplit_once("::")?;
        Some(words(owner))
    }

    /// On one line, without the word for the kind and without decorators.
    pub(super) fn signature(&self, text: &str, grammar: &Grammar) -> String {
        let end = self.end_of_head(text);
        let name = self.name.start_byte().min(end);
        let start = self.start_of_head().min(name);
        let before = text[start..name].split('{').next().unwrap_or_default();
        let before = self.without_keywords(before, grammar);
        let gap = if before.is_empty() || !text[..name].ends_with(char::is_whitespace) { "" } else { " " };
        let rest = words(&text[name..end]);
        let rest = rest.trim_end_matches([' ', '{', ':', '=', ';', ',']);
        let rest = rest.strip_suffix("=>").unwrap_or(rest).trim_end();
        // Go says the kind behind the name.
        let rest = rest.strip_suffix(self.kind.name()).filter(|rest| rest.ends_with(' ')).unwrap_or(rest).trim_end();
        shortened(&format!("{before}{gap}{rest}"))
    }

    fn without_keywords(&self, before: &str, grammar: &Grammar) -> String {
        let before = words(before);
        if self.kind == Kind::Impl {
            return before.trim_start_matches("unsafe ").trim_start_matches("impl").trim().to_owned();
        }
        let has_fn = before.split(' ').any(|word| word == "fn");
        let noise = |word: &str| match () {
            () if self.found.kind() == "type_definition" => word == "typedef",
            // In C, `struct` before a function says what it returns; in Rust, `const` says that it is one.
            () if self.kind.is_function() => FUNCTION.contains(&word) && !(word == "const" && has_fn),
            () => holds(grammar.rules.keywords, word),
        };
        before.split(' ').filter(|word| !noise(word)).collect::<Vec<_>>().join(" ")
    }

    fn start_of_head(&self) -> usize {
        let mut start = match self.whole.kind() {
            "decorated_definition" => self.definition.start_byte(),
            _ => self.whole.start_byte(),
        };
        for node in [self.whole, self.definition] {
            start = start.max(end_of_decorators(node, self.name.start_byte()));
        }
        start
    }

    /// Where the body begins, or what is given to it.
    fn end_of_head(&self, text: &str) -> usize {
        let after = self.name.end_byte();
        let stop = |node: Node<'tree>| {
            let ends = |child: &Node<'_>| child.kind() == "field_initializer_list" || child.kind().ends_with("comment");
            let mut cursor = node.walk();
            let child = node.children(&mut cursor).take(32).find(|child| child.start_byte() >= after && ends(child));
            child.or_else(|| node.child_by_field_name("body"))
        };
        let body = stop(self.definition).or_else(|| stop(self.value()?));
        if let Some(body) = body.filter(|body| body.start_byte() >= after) {
            // What a struct without names for its fields holds is short, and all that it is.
            let is_tuple = body.kind() == "ordered_field_declaration_list";
            return if is_tuple { body.end_byte() } else { body.start_byte() };
        }
        let end = self.definition.end_byte();
        let rest = &text[self.name.end_byte().min(end)..end];
        let stops: &[char] = if self.is_declaration { &['{'] } else { &['{', '\n', '\r'] };
        self.name.end_byte().min(end) + rest.find(stops).unwrap_or(rest.len())
    }

    /// The function that is given to a name.
    fn value(&self) -> Option<Node<'tree>> {
        let value = |field| self.definition.child_by_field_name(field);
        value("value").or_else(|| value("right")).filter(|value| is_function(*value))
    }

    pub(super) fn parameters(&self, text: &str) -> Option<usize> {
        let holder = self.value().unwrap_or(self.found);
        if holder.child_by_field_name("parameter").is_some() {
            return Some(1);
        }
        let list = holder.child_by_field_name("parameters")?;
        let mut cursor = list.walk();
        let counted = |(at, node): (usize, Node<'_>)| match node.kind() {
            "self_parameter"
            | "receiver_parameter"
            | "attribute_item"
            | "keyword_separator"
            | "positional_separator" => 0,
            "parameter_declaration" | "variadic_parameter_declaration" if &text[node.byte_range()] == "void" => 0,
            "parameter_declaration" => node.children_by_field_name("name", &mut node.walk()).count().max(1),
            "identifier" if at == 0 && ["self", "cls"].contains(&&text[node.byte_range()]) => 0,
            kind if kind.ends_with("comment") => 0,
            _ => 1,
        };
        Some(list.named_children(&mut cursor).enumerate().map(counted).sum())
    }
}

/// How far above a declarator its definition or declaration stands; `None` where it declares no function by itself.
fn declared(above: &[Node<'_>]) -> Option<usize> {
    for (at, node) in above.iter().enumerate() {
        match node.kind() {
            "function_definition" | "declaration" | "field_declaration" => return Some(at + 1),
            "pointer_declarator"
            | "reference_declarator"
            | "parenthesized_declarator"
            | "function_declarator"
            | "attributed_declarator" => {}
            _ => return None,
        }
    }
    None
}

/// Holds several definitions, of which each stands for itself.
fn is_group(node: Node<'_>) -> bool {
    let groups =
        ["lexical_declaration", "variable_declaration", "type_declaration", "const_declaration", "var_declaration"];
    groups.contains(&node.kind()) && node.named_child_count() > 1
}

/// What only a look inside tells.
fn finer(kind: Kind, node: Node<'_>) -> Kind {
    match node.kind() {
        "type_spec" => match node.child_by_field_name("type").map(|inner| inner.kind()) {
            Some("struct_type") => Kind::Struct,
            Some("interface_type") => Kind::Interface,
            _ => kind,
        },
        "variable_declarator" if node.child_by_field_name("value").is_some_and(is_function) => Kind::Function,
        _ => kind,
    }
}

fn is_function(node: Node<'_>) -> bool {
    ["arrow_function", "function_expression", "generator_function"].contains(&node.kind())
}

/// Where the last decorator of `node` before `name` ends; 0 without one.
fn end_of_decorators(node: Node<'_>, name: usize) -> usize {
    let mut end = 0;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).take_while(|child| child.start_byte() < name) {
        match child.kind() {
            "decorator" | "annotation" | "marker_annotation" | "attribute_declaration" => end = child.end_byte(),
            "modifiers" => end = end.max(end_of_decorators(child, name)),
            _ => {}
        }
    }
    end
}

/// On one line, with single blanks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
