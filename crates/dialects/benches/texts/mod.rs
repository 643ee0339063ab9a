//! The texts that are measured: prose, answers full of code, calls in several dialects, and the worst that was thought of.

use agent_dialects::Tools;
use agent_protocol::ToolSpec;
use serde_json::{Value, json};

/// A text whose speed is measured.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Calls in it.
    pub(crate) calls: usize,
    /// Bytes of the largest call.
    pub(crate) largest: usize,
    pub(crate) is_prose: bool,
    /// Is there a speed it has to reach?
    pub(crate) has_bar: bool,
}

/// Writes a call whose arguments have so many bytes.
type Call = fn(usize) -> String;

/// A kind of text that might take more than linear time.
pub(crate) struct Worst {
    pub(crate) name: &'static str,
    /// So many bytes of it.
    pub(crate) text: fn(usize) -> String,
}

pub(crate) const WORST: &[Worst] = &[
    Worst { name: "braces never closed", text: |size| "{\"name\": ".repeat(size / 9) },
    Worst { name: "lines that begin JSON", text: |size| "{\"name\":\"read_file\",\"x\":\"y\n".repeat(size / 27) },
    Worst {
        name: "lines of open arguments",
        text: |size| "{\"name\":\"read_file\",\"arguments\":{\n".repeat(size / 35),
    },
    Worst { name: "calls, then prose", text: |size| lines(size) + "\nSo much for that.\n" },
    Worst { name: "calls among prose", text: |size| (bare(10) + "\nThat was a call.\n").repeat(size / 80) },
    Worst { name: "closers in a string", text: |size| open_call("</tool_call> ", size) },
    Worst { name: "closers in quotes", text: |size| open_call("\\\"</tool_call>\\\" ", size) },
    Worst { name: "marks of strings", text: |size| open_call("\" : \" , ", size) },
    Worst { name: "openers without end", text: |size| "<tool_call>".repeat(size / 11) },
    Worst { name: "openers and braces", text: |size| "<tool_call>{\"name\": ".repeat(size / 20) },
    Worst { name: "blocks of nonsense", text: |size| "<tool_call>{bad</tool_call>\n".repeat(size / 28) },
    Worst { name: "functions never closed", text: |size| "<function=read_file>\n<parameter=path>\n".repeat(size / 38) },
    Worst { name: "ends of parameters", text: |size| open_parameter("</parameter> x\n", size) },
    Worst { name: "ends of functions", text: |size| open_parameter("</function>\nx\n", size) },
    Worst { name: "invokes never closed", text: |size| "<invoke name=\"f\">\n".repeat(size / 18) },
    Worst { name: "tags without end", text: |size| "<invoke".repeat(size / 7) },
    Worst { name: "named tags without end", text: |size| "<function name=".repeat(size / 15) },
    Worst { name: "backticks", text: |size| "`".repeat(size) },
    Worst { name: "backticks and words", text: |size| "a `b ``c ```d <x ".repeat(size / 17) },
    Worst { name: "code with angles on a line", text: |size| "`a".to_owned() + &"<b ".repeat(size / 3) },
    Worst { name: "square brackets", text: |size| "[".repeat(size) },
    Worst { name: "square brackets on lines", text: |size| "[\n".repeat(size / 2) },
    Worst { name: "lists of calls begun", text: |size| "[read_file(path=[\n".repeat(size / 18) },
    Worst { name: "fences begun", text: |size| "```json\n{\"name\": \"read_file\",\n".repeat(size / 30) },
    Worst { name: "fences of fences", text: |size| "```\n~~~~\n".repeat(size / 9) },
    Worst { name: "names on lines", text: |size| "read_file(\n".repeat(size / 11) },
    Worst { name: "names and keys on lines", text: |size| "read_file\npath\n".repeat(size / 15) },
    Worst { name: "angles", text: |size| "<".repeat(size) },
    Worst { name: "channels", text: |size| "<|channel|>commentary to=f ".repeat(size / 27) },
    Worst { name: "angles in thought", text: |size| "<think>".to_owned() + &"<tool_call>{\"a\": ".repeat(size / 17) },
    Worst { name: "calls in thought", text: |size| "<think>".to_owned() + &hermes(10).repeat(size / 90) },
    Worst { name: "white space after a call", text: |size| hermes(10) + &" \n".repeat(size / 2) },
    Worst { name: "white space", text: |size| " ".repeat(size) },
    Worst { name: "headings", text: |size| "## Function Call\nread_file({\n".repeat(size / 29) },
    Worst { name: "one long value", text: |size| hermes(size) },
    Worst { name: "one long raw value", text: |size| qwen(size) },
    Worst { name: "one long bare value", text: bare },
];

/// All texts whose speed is measured, of about `size` bytes each.
pub(crate) fn samples(size: usize) -> Vec<Sample> {
    let mut samples = vec![
        Sample { is_prose: true, ..plain("plain prose", PROSE, size) },
        Sample { is_prose: true, ..plain("prose in one line", &PROSE.replace('\n', " "), size) },
        Sample { has_bar: false, ..plain("Markdown with code", MARKDOWN, size) },
    ];
    let kinds: [(&str, Call); 6] = [
        ("Hermes", hermes),
        ("Qwen3-Coder", qwen),
        ("DeepSeek", deepseek),
        ("GLM", glm),
        ("Mistral", mistral),
        ("invoke", invoke),
    ];
    for (name, call) in kinds {
        for (kind, bytes) in [("small", 40), ("large", 20_000)] {
            let one = call(bytes) + "\n";
            let calls = (size / one.len()).max(1);
            let largest = one.len();
            let name = format!("{name}, {kind} arguments");
            samples.push(Sample { name, text: one.repeat(calls), calls, largest, is_prose: false, has_bar: true });
        }
    }
    // Calls without a mark count only as the last thing of an answer.
    for (kind, text) in [("small", lines(size.min(200_000))), ("large", bare(size.min(200_000)))] {
        let calls = text.matches("\"name\"").count();
        let (name, largest) = (format!("bare JSON, {kind} arguments"), text.len());
        samples.push(Sample { name, text, calls, largest, is_prose: false, has_bar: true });
    }
    samples
}

fn plain(name: &str, text: &str, size: usize) -> Sample {
    let text = text.repeat(size / text.len() + 1);
    Sample { name: name.to_owned(), text, calls: 0, largest: 0, is_prose: false, has_bar: true }
}

/// The tools that are offered.
pub(crate) fn tools() -> Tools {
    let spec = |name: &str, keys: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), json!({"type": "string"}))).collect();
        let parameters = json!({"type": "object", "properties": properties, "required": keys});
        ToolSpec { name: name.to_owned(), description: String::new(), parameters, aliases: Vec::new() }
    };
    let names = ["read_file", "list_dir", "run_command", "grep_search", "glob_files", "edit_file", "web_fetch"];
    let mut specs: Vec<ToolSpec> = names.iter().map(|name| spec(name, &["path"])).collect();
    specs.push(spec("write_file", &["path", "content"]));
    Tools::new(&specs)
}

const PROSE: &str = "The parser walks over the text once and keeps what it has seen in a small buffer. When a line ends \
it looks back, decides, and goes on; nothing is copied twice, and nothing is thrown away that a person might want to see.
Most of the time goes into the first pass, which is why the second one can afford to be careful (and is).

However, one thing remains: the buffer grows when a line is very long, say, because a file was minified. In practice \
that does not matter much, for such files are rare, but it is worth a test. Überraschungen gibt es immer, as they say.
";

const MARKDOWN: &str = "## What changed

The function `read` now takes a `&str`; see `src/lib.rs` and the type `Vec<Option<T>>` in it. Three things follow:

1. **Callers** pass a slice: `read(&text)`.
2. *Tests* in `tests/read.rs` compare `Result<(), Error>` values, not strings.
3. [The docs](https://example.org/docs_(new)) mention `<T>` and x < y.

```rust
fn read(text: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        if line.len() < 80 && !line.is_empty() { tokens.push(Token { line: line.to_owned(), at: [1, 2, 3] }); }
    }
    Ok(tokens)
}
```

Then a configuration, which is not a call:

```json
{\"editor\": {\"tabSize\": 2, \"rulers\": [80, 120]}, \"files\": [\"a\", \"b\"]}
```

- [x] done
- [ ] open

| key | value |
|-----|-------|
| `a` | 1     |

";

/// Source code of about so many bytes, as a value holds it.
fn code(size: usize) -> String {
    const LINE: &str = "    if (a[i] < b && c > d) { x = \"y\"; } // <T> `z`\n";
    if size < LINE.len() { "a".repeat(size) } else { LINE.repeat(size / LINE.len()) }
}

fn arguments(size: usize) -> String {
    json!({"path": "src/a.rs", "content": code(size)}).to_string()
}

fn hermes(size: usize) -> String {
    format!("<tool_call>\n{{\"name\": \"write_file\", \"arguments\": {}}}\n</tool_call>", arguments(size))
}

fn qwen(size: usize) -> String {
    let code = code(size);
    format!(
        "<tool_call>\n<function=write_file>\n<parameter=path>\nsrc/a.rs\n</parameter>\n<parameter=content>\n{code}\n\
         </parameter>\n</function>\n</tool_call>"
    )
}

fn deepseek(size: usize) -> String {
    format!(
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n```json\n{}\n```<｜tool▁call▁end｜>",
        arguments(size)
    )
}

fn glm(size: usize) -> String {
    format!(
        "<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>src/a.rs</arg_value>\n<arg_key>content</arg_key>\n\
         <arg_value>{}</arg_value>\n</tool_call>",
        code(size)
    )
}

fn mistral(size: usize) -> String {
    format!("[TOOL_CALLS]write_file[ARGS]{}", arguments(size))
}

fn invoke(size: usize) -> String {
    format!(
        "<invoke name=\"write_file\">\n<parameter name=\"path\">src/a.rs</parameter>\n<parameter name=\"content\">{}\
         </parameter>\n</invoke>",
        code(size)
    )
}

fn bare(size: usize) -> String {
    format!("{{\"name\": \"write_file\", \"arguments\": {}}}", arguments(size))
}

/// Bare calls, one a line.
fn lines(size: usize) -> String {
    let one = bare(10) + "\n";
    one.repeat(size / one.len())
}

fn open_call(inner: &str, size: usize) -> String {
    let call = "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"content\": \"";
    call.to_owned() + &inner.repeat(size / inner.len())
}

fn open_parameter(inner: &str, size: usize) -> String {
    "<function=write_file>\n<parameter=content>\n".to_owned() + &inner.repeat(size / inner.len())
}
