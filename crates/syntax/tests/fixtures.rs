//! What is read from each fixture, one file a language, each with what its language makes hard.

use agent_syntax::{Language, Source};
use std::fmt::Write;

/// The fixtures, each with names to look for.
const FIXTURES: [(&str, &[u8], &[&str]); 16] = [
    (
        "a.rs",
        include_bytes!("fixtures/a.rs.txt"),
        &["inner", "outer", "Toolbox", "LIMIT", "limit", "Slot", "shout", "Groß"],
    ),
    ("a.py", include_bytes!("fixtures/a.py"), &["inner", "outer", "LIMIT", "größe", "environ", "x"]),
    ("a.js", include_bytes!("fixtures/a.js"), &["inner", "outer", "LIMIT", "Box", "#hidden", "state", "Row"]),
    ("a.ts", include_bytes!("fixtures/a.ts"), &["load", "look", "Shelf", "Thing", "size"]),
    ("a.tsx", include_bytes!("fixtures/a.tsx"), &["Button", "Icon", "label"]),
    ("a.go", include_bytes!("fixtures/a.go"), &["limit", "Look", "Server", "str", "helper", "name", "Second"]),
    ("a.c", include_bytes!("fixtures/a.c"), &["total", "total_of", "LIMIT", "point", "TWICE", "choose", "table"]),
    ("a.cpp", include_bytes!("fixtures/a.cpp"), &["run", "size", "Box", "size_", "make"]),
    ("a.java", include_bytes!("fixtures/a.java"), &["look", "Point", "LIMIT", "List", "Outer"]),
    ("a.sh", include_bytes!("fixtures/a.sh"), &["outer", "inner", "LIMIT", "name", "größe"]),
    ("a.rb", include_bytes!("fixtures/a.rb"), &["total", "Cart"]),
    ("broken.rs", include_bytes!("fixtures/broken.rs.txt"), &["whole"]),
    ("crlf.rs", include_bytes!("fixtures/crlf.rs.txt"), &["two"]),
    ("mark.py", include_bytes!("fixtures/mark.py"), &["two", "one"]),
    ("empty.go", include_bytes!("fixtures/empty.go"), &["x"]),
    ("blank.java", include_bytes!("fixtures/blank.java"), &["x"]),
];

#[test]
fn every_fixture_is_read_like_this() {
    let readings = FIXTURES.map(|(name, bytes, wanted)| {
        let text = std::str::from_utf8(bytes).unwrap();
        format!("== {name}\n{}", reading(name, text, wanted))
    });
    insta::assert_snapshot!(readings.join("\n"));
}

fn reading(name: &str, text: &str, wanted: &[&str]) -> String {
    let source = match Language::of(name, text) {
        Some(language) => Source::read(language, text, &|| Ok(())).expect("it is short"),
        None => Source::plain(name, text),
    };
    let by = source.language().map_or("words", Language::name);
    let mut said = format!("by {by}, {:?}, fault {:?}\n", source.lines(), source.fault());
    for symbol in source.symbols() {
        let (indent, kind) = ("  ".repeat(symbol.depth), symbol.kind.name());
        let _ = write!(said, "{}-{} {indent}{kind} {}", symbol.first, symbol.last, symbol.signature);
        let _ = write!(said, " · {}", symbol.name);
        if let Some(owner) = &symbol.owner {
            let _ = write!(said, " of {owner}");
        }
        if let Some(parameters) = symbol.parameters {
            let _ = write!(said, ", takes {parameters}");
        }
        if symbol.kind.is_function() {
            let _ = write!(said, ", {} ways, {} deep", symbol.branches, symbol.nesting);
        }
        said.push('\n');
    }
    for name in wanted {
        let _ = writeln!(said, "--- {name}");
        for found in source.references(name) {
            let line = text.lines().nth(found.line - 1).expect("there is such a line");
            let at: String = line.chars().skip(found.column - 1).take(24).collect();
            let _ = writeln!(said, "{}:{} {}: {at}", found.line, found.column, found.how.name());
        }
    }
    said
}
