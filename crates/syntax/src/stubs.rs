//! Definitions whose body is still to be written: `todo!()`, `raise NotImplementedError`, a comment that says "implement here".
//!
//! What stands for a method of another class, or is empty on purpose, is no stub: methods that only say that they are not
//! implemented, `pass` and empty bodies count only where the words of the user speak of them.

use crate::Language;
use crate::parse::{Budget, bare};
use regex::Regex;
use std::sync::LazyLock;
use tree_sitter::Node;

/// A definition that is still to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    pub name: String,
    /// The line, from 1, that tells it.
    pub line: usize,
    /// What stands in place of the body, in a few words.
    pub body: String,
}

/// How much a body of this kind says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Nobody means to keep it.
    Clear,
    /// A method that another class is to have, or an empty body, looks the same.
    Vague,
}

/// Bytes of the largest body that may be a stub, and of what is quoted of it.
const LARGEST: usize = 600;
const QUOTED: usize = 60;

/// Words of a user who wants no more than that.
const WANTED: [&str; 17] = [
    "stub",
    "skeleton",
    "scaffold",
    "placeholder",
    "empty",
    "no-op",
    "noop",
    "does nothing",
    "do nothing",
    "abstract",
    "interface",
    "protocol",
    "dummy",
    "mock",
    "fake",
    "todo",
    "not implemented",
];

/// The stubs in `after`, which takes the place of `before` in the file `path`: those that the change wrote, and those that were
/// there and that the user's words, `asked`, speak of.
pub fn stubs_left(path: &str, before: Option<&str>, after: &str, asked: &str) -> Vec<Stub> {
    let asked = asked.to_lowercase();
    let Some(language) = Language::of(path, after).filter(|_| !WANTED.iter().any(|word| asked.contains(word))) else {
        return Vec::new();
    };
    let old = before.map_or_else(Vec::new, |before| stubs(language, before));
    let is_old = |name: &str| old.iter().any(|(stub, _)| stub.name == name);
    let is_left = |(stub, sign): &(Stub, Sign)| {
        let is_asked_for = speaks_of(&asked, &stub.name);
        match sign {
            Sign::Clear => is_asked_for || !is_old(&stub.name),
            Sign::Vague => is_asked_for,
        }
    };
    stubs(language, after).into_iter().filter(is_left).map(|(stub, _)| stub).collect()
}

/// Do these words, in lower case, have this name in them?
fn speaks_of(asked: &str, name: &str) -> bool {
    let words = asked.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.into_iter().any(|word| word == name.to_lowercase())
}

fn stubs(language: Language, text: &str) -> Vec<(Stub, Sign)> {
    let Ok(tree) = bare(&(language.rules().syntax)(), text, &Budget::new(text, &|| Ok(()))) else { return Vec::new() };
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        found.extend(stub(language, text, cursor.node()));
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The stub that `node` is.
fn stub(language: Language, text: &str, node: Node<'_>) -> Option<(Stub, Sign)> {
    let word = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let (name, body) = match node.kind() {
        "function_definition"
        | "function_item"
        | "function_declaration"
        | "method_declaration"
        | "method_definition"
        | "generator_function_declaration" => (node.child_by_field_name("name")?, node.child_by_field_name("body")?),
        "variable_declarator" => {
            let value = node.child_by_field_name("value").filter(|value| value.kind() == "arrow_function")?;
            (node.child_by_field_name("name")?, value.child_by_field_name("body")?)
        }
        _ => return None,
    };
    if body.byte_range().len() > LARGEST {
        return None;
    }
    let mut cursor = body.walk();
    let parts: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
    // In Python the comments before the first statement stand beside the block.
    let mut cursor = node.walk();
    let beside = node.children(&mut cursor).filter(|child| child.kind() == "comment");
    let is_comment = |part: &&Node<'_>| part.kind().contains("comment");
    let comments: Vec<Node<'_>> = beside.chain(parts.iter().copied().filter(|part| is_comment(&part))).collect();
    let mut statements = parts.iter().copied().filter(|part| !is_comment(&part)).filter(|part| !is_docstring(*part));
    let (first, more) = (statements.next(), statements.next());
    if more.is_some() {
        return None;
    }
    let told = comments.iter().copied().find(|comment| TO_DO.is_match(word(*comment)));
    let said = first.map(word).unwrap_or_default().trim().trim_end_matches(';').to_owned();
    let is_inner = is_method(node);
    let sign = match (language, told) {
        (_, Some(_)) if said.is_empty() || NOTHING.is_match(&said) => Sign::Clear,
        (Language::Rust, _) if RUST.is_match(&said) => {
            if is_inside(node, "trait_item") {
                Sign::Vague
            } else {
                Sign::Clear
            }
        }
        (Language::Python, _) if said.starts_with("raise NotImplementedError") => {
            vague_if(is_inner || has_decorator(node))
        }
        (Language::Python, _) if matches!(said.as_str(), "pass" | "...") => {
            if has_decorator(node) || is_of_interface(node, text) {
                return None;
            }
            Sign::Vague
        }
        (Language::JavaScript | Language::TypeScript | Language::Tsx, _) if THROWS.is_match(&said) => {
            vague_if(is_inner)
        }
        (Language::Go, _) if PANICS.is_match(&said) => Sign::Clear,
        _ => return None,
    };
    let at = told.or(first)?;
    let quoted = word(at).lines().next().unwrap_or_default().trim();
    let body = quoted[..quoted.floor_char_boundary(QUOTED)].to_owned();
    Some((Stub { name: word(name).to_owned(), line: at.start_position().row + 1, body }, sign))
}

fn vague_if(is_vague: bool) -> Sign {
    if is_vague { Sign::Vague } else { Sign::Clear }
}

/// How comments say that the code is still to be written.
static TO_DO: LazyLock<Regex> = LazyLock::new(|| {
    let words = "implement (?:here|this|me|the|it)|(?:your|add|write|put) (?:the |your )?(?:code|implementation|logic) (?:goes )?here|\
                 todo:? (?:implement|write|add|fill)|implementation (?:goes|comes) here|to be implemented|not (?:yet )?implemented";
    pattern(&format!("(?i)(?:{words})"))
});

/// Statements that do nothing but give a value back.
static NOTHING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^(?:pass|\.\.\.|(?:return )?(?:None|null|nil|undefined|0|false|False|""|''|\[\]|\{\}|\(\)|String::new\(\)|Vec::new\(\))?|return)$"#,
    )
});

static RUST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:std::|core::)?(?:todo|unimplemented)!\s*[\(\[{]"));

static THROWS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)^throw (?:new )?\w*Error\(\s*['"`](?:[\w. ]+: ?)?(?:not (?:yet )?implemented|unimplemented|todo|implement me)[^'"`]*['"`]\s*\)$"#,
    )
});

static PANICS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?i)^panic\(\s*["`](?:not (?:yet )?implemented|unimplemented|todo|implement me)[^"`]*["`]\s*\)$"#)
});

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a fixed pattern")
}

fn is_docstring(node: Node<'_>) -> bool {
    node.kind() == "expression_statement" && node.named_child(0).is_some_and(|child| child.kind() == "string")
}

fn has_decorator(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "decorated_definition")
}

/// Does a class hold it that only says what others have to do?
fn is_of_interface(node: Node<'_>, text: &str) -> bool {
    let class = std::iter::successors(node.parent(), Node::parent).find(|around| around.kind() == "class_definition");
    let bases = class.and_then(|class| class.child_by_field_name("superclasses"));
    let bases = bases.and_then(|bases| text.get(bases.byte_range())).unwrap_or_default();
    ["Protocol", "ABC"].iter().any(|word| bases.contains(word))
}

/// Does a class hold it?
fn is_method(node: Node<'_>) -> bool {
    ["class_definition", "class_body", "class_declaration"].into_iter().any(|kind| is_inside(node, kind))
}

fn is_inside(node: Node<'_>, kind: &str) -> bool {
    std::iter::successors(node.parent(), Node::parent).any(|around| around.kind() == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, before: Option<&str>, after: &str, asked: &str) -> Vec<String> {
        stubs_left(path, before, after, asked).into_iter().map(|stub| stub.name).collect()
    }

    #[test]
    fn a_body_that_was_to_be_written_and_is_not_is_a_stub() {
        for (path, text) in [
            ("a.py", "def clean(x):\n    \"\"\"Cleans.\"\"\"\n    raise NotImplementedError\n"),
            ("a.py", "def clean(x):\n    # TODO: implement\n    return None\n"),
            ("a.py", "class A:\n    def clean(self):\n        # your code here\n        pass\n"),
            ("a.rs", "fn clean(x: u8) -> u8 {\n    todo!()\n}\n"),
            (
                "a.rs",
                "impl A {\n    fn clean(&self) {\n        // soon\n        unimplemented!(\"{}\", 1);\n    }\n}\n",
            ),
            ("a.js", "export function clean(x) {\n  throw new Error(\"Not implemented\");\n}\n"),
            ("a.ts", "export const clean = (x: string): string => {\n  // implement here\n};\n"),
            ("a.go", "func clean() string {\n\tpanic(\"not implemented\")\n}\n"),
        ] {
            assert_eq!(names(path, None, text, "add what cleans"), ["clean"], "{text}");
            assert_eq!(
                names(path, Some(text), text, "add something else"),
                Vec::<String>::new(),
                "it was there: {text}"
            );
            assert_eq!(names(path, Some(text), text, "write clean()"), ["clean"], "it was asked for: {text}");
            assert_eq!(names(path, None, text, "add a stub of clean"), Vec::<String>::new(), "{text}");
        }
        let pass = "def clean(x):\n    pass\n";
        assert_eq!(names("a.py", Some(pass), pass, "Implement `clean` in a.py"), ["clean"]);
        let stub = stubs_left("a.py", None, "def clean(x):\n    # TODO: implement\n    return None\n", "clean");
        assert_eq!(stub, [Stub { name: "clean".into(), line: 2, body: "# TODO: implement".into() }]);
    }

    #[test]
    fn what_is_empty_on_purpose_or_for_other_classes_is_no_stub() {
        for (path, text) in [
            ("a.py", "def close(x):\n    pass\n"),
            (
                "a.py",
                "class A(ABC):\n    @abstractmethod\n    def clean(self): ...\n    def other(self):\n        raise NotImplementedError\n",
            ),
            ("a.py", "def f():\n    try:\n        g()\n    except OSError:\n        pass\n"),
            ("a.py", "@overload\ndef f(x: int) -> int: ...\n"),
            ("a.py", "def f(x):\n    if not x:\n        raise NotImplementedError\n    return x\n"),
            (
                "a.js",
                "export const noop = () => {};\nexport class A { clean() { throw new Error('not implemented'); } }\n",
            ),
            ("a.js", "export function f() { throw new Error('no such file'); }\n"),
            (
                "a.rs",
                "trait A { fn clean(&self) { unimplemented!() } fn none(&self) {} }\nfn f(x: u8) { if x > 1 { todo!() } }\n",
            ),
            ("a.go", "func f() {\n\tpanic(err)\n}\nfunc g() {}\n"),
            ("a.ts", "export abstract class A { abstract clean(): void; }\n"),
        ] {
            assert_eq!(names(path, None, text, "add what is missing"), Vec::<String>::new(), "{text}");
        }
        for text in [
            "class Job(Protocol):\n    def run(self): ...\n",
            "class Job(abc.ABC):\n    @abc.abstractmethod\n    def run(self):\n        pass\n",
            "@overload\ndef run(x: int) -> int: ...\n",
        ] {
            assert_eq!(names("a.py", Some(text), text, "run the tests"), Vec::<String>::new(), "{text}");
        }
    }
}
