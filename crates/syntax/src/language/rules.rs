//! What is known of a language besides its grammar: which of its nodes are what.

use crate::symbol::Kind;
use regex::Regex;
use tree_sitter::{Language as Syntax, Query};

/// A language's own tables. Nodes are named as its grammar names them, with blanks between them.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) name: &'static str,
    pub(crate) syntax: fn() -> Syntax,
    /// The queries for definitions and references that come with the grammar, and what these lack (`queries/`). `@bound`
    /// is the name of something that is defined but no symbol of its own: a field, a parameter, a local variable.
    pub(crate) tags: &'static [&'static str],
    /// Nodes that define something, and what. Of what the queries capture, only these count.
    pub(crate) kinds: &'static [(Kind, &'static str)],
    /// Of those, the ones that only name something unless they have a body.
    pub(crate) bodied: &'static str,
    /// Nodes around a definition that belong to it.
    pub(crate) around: &'static str,
    /// Words for kinds that say nothing more beside the kind itself.
    pub(crate) keywords: &'static str,
    pub(crate) comments: &'static str,
    /// Each is one more way through a function.
    pub(crate) branches: &'static str,
    /// Control structures that stand inside each other.
    pub(crate) nests: &'static str,
    /// A nesting node right below one of these goes on with it, as in `else if`.
    pub(crate) goes_on: &'static str,
    pub(crate) imports: &'static str,
    /// Leaves that hold a name, besides those called `…identifier`.
    pub(crate) names: &'static str,
    /// Leaves that hold text which the grammar does not read, where names are words.
    pub(crate) unread: &'static str,
}

/// No rules, to build others on.
pub(crate) const BLANK: Rules = Rules {
    name: "",
    syntax: || tree_sitter_rust::LANGUAGE.into(),
    tags: &[],
    kinds: &[],
    bodied: "",
    around: "",
    keywords: "",
    comments: "comment",
    branches: "",
    nests: "",
    goes_on: "",
    imports: "",
    names: "",
    unread: "",
};

impl Rules {
    /// What a node called `node` defines.
    pub(crate) fn kind(&self, node: &str) -> Option<Kind> {
        self.kinds.iter().find(|(_, nodes)| holds(nodes, node)).map(|(kind, _)| *kind)
    }
}

/// What a node is to us.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Role {
    pub(crate) comment: bool,
    pub(crate) branch: bool,
    pub(crate) nest: bool,
    pub(crate) goes_on: bool,
    pub(crate) import: bool,
    pub(crate) name: bool,
    pub(crate) unread: bool,
    pub(crate) around: bool,
}

/// A grammar that is loaded.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) rules: &'static Rules,
    pub(crate) syntax: Syntax,
    pub(crate) query: Query,
    /// By the grammar's number for a kind of node.
    roles: Vec<Role>,
}

impl Grammar {
    pub(crate) fn load(rules: &'static Rules) -> Self {
        let syntax = (rules.syntax)();
        let query = Query::new(&syntax, &query(rules)).expect("a test loads every grammar with its query");
        let roles = (0..syntax.node_kind_count()).map(|id| role(rules, &syntax, id as u16)).collect();
        Grammar { rules, syntax, query, roles }
    }

    pub(crate) fn role(&self, kind: u16) -> Role {
        self.roles.get(usize::from(kind)).copied().unwrap_or_default()
    }
}

/// All patterns of a language. Comments before a definition and conditions on texts are taken out: they cost much, and
/// nothing here asks for them.
fn query(rules: &Rules) -> String {
    let comments = Regex::new(r"\(comment\)\* @doc\s*\.").expect("a fixed pattern");
    let conditions =
        Regex::new(r#"\(#[a-z-]+[!?](?:\s+(?:@[\w.]+|"(?:[^"\\]|\\.)*"))*\s*\)"#).expect("a fixed pattern");
    let tags = rules.tags.join("\n");
    let tags = comments.replace_all(&tags, "");
    conditions.replace_all(&tags, "").into_owned()
}

/// Is `word` one of `words`, which have blanks between them?
pub(crate) fn holds(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

fn role(rules: &Rules, syntax: &Syntax, id: u16) -> Role {
    let Some(kind) = syntax.node_kind_for_id(id) else { return Role::default() };
    let named = syntax.node_kind_is_named(id);
    let among = |kinds: &str| holds(kinds, kind);
    // `if` is a word of the language and, in some grammars, a kind of node; operators are always words.
    let operator = kind.bytes().all(|byte| byte.is_ascii_punctuation());
    Role {
        comment: named && among(rules.comments),
        branch: (named || operator || kind == "and" || kind == "or") && among(rules.branches),
        nest: named && among(rules.nests),
        goes_on: named && among(rules.goes_on),
        import: named && among(rules.imports),
        name: named && (kind.ends_with("identifier") || among(rules.names)),
        unread: named && among(rules.unread),
        around: named && among(rules.around),
    }
}
