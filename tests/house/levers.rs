//! `docs/LEVERS.md`: what the program does of its own accord, each once as a person sees it. The sessions are played here, and
//! the page is held to what they show; `UPDATE_PAGES=1 cargo test --test house levers` writes it anew.

use crate::stage::{House, call, text};
use regex::Regex;
use serde_json::{Value, json};
use std::path::Path;

/// Columns and rows of the screen. Rows are cheap: what is empty is left out.
const SIZE: (u16, u16) = (96, 60);

/// A question about a change stands there.
const QUESTION: &str = "approve once";

const ABOVE: &str = "\
# How it looks

What the program does of its own accord, each once with a model of a script that has the weakness. What it is for, on what
evidence, and how to switch it off stands in [HARNESS.md](HARNESS.md). A test plays these sessions and holds this page to what they
show; figures of time are left out, and so is what is the same on every screen.
";

/// One session.
struct Scene {
    title: &'static str,
    /// What the model does wrong.
    weakness: &'static str,
    house: House,
    args: &'static [&'static str],
    says: &'static str,
    /// What is pressed at which question.
    answers: &'static [(&'static str, &'static str)],
    /// With this the session is over.
    until: &'static str,
    /// What is typed then, and what it shows.
    then: Option<(&'static str, &'static str)>,
    model: &'static str,
}

impl Scene {
    /// Without any question.
    fn new(title: &'static str, weakness: &'static str, house: House, says: &'static str, until: &'static str) -> Self {
        Scene { title, weakness, house, args: &["--unsafe"], says, answers: &[], until, then: None, model: "m" }
    }

    /// Plays it; what the screen shows above the composer in the end.
    fn shown(&self) -> String {
        let args = [&["--model", self.model], self.args].concat();
        let mut screen = self.house.open_with(&args, SIZE);
        screen.keys(&format!("{}<enter>", self.says));
        for (question, key) in self.answers {
            screen.wait_for(question);
            screen.press_until_gone(key, question);
        }
        screen.wait_for(self.until);
        if self.until == QUESTION {
            return lasting(conversation(&screen.screen(), Below::Dialog));
        }
        self.house.wait_turns(1);
        let shown = screen.wait_gone("Esc interrupts");
        if let Some((typed, until)) = self.then {
            screen.keys(&format!("{typed}<enter>"));
            return lasting(dialog(&screen.wait_for(until)));
        }
        lasting(conversation(&shown, Below::Nothing))
    }

    fn section(&self) -> String {
        format!("\n## {}\n\n{}\n\n```text\n{}\n```\n", self.title, self.weakness, self.shown())
    }
}

/// What is shown below the conversation.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Dialog,
    Nothing,
}

/// The conversation that a screen shows, without the status line.
fn conversation(shown: &str, below: Below) -> String {
    let rows: Vec<&str> = shown.lines().skip_while(|row| !row.starts_with('›')).collect();
    let end = match below {
        Below::Dialog => rows.len() - 1,
        Below::Nothing => rows.iter().position(|row| row.starts_with('─')).unwrap_or(rows.len()),
    };
    let mut shown: Vec<&str> = rows[..end].to_vec();
    shown.dedup_by(|row, before| row.is_empty() && before.is_empty());
    shown.join("\n").trim_end().to_owned()
}

/// The dialog that a screen shows, without the status line.
fn dialog(shown: &str) -> String {
    let rows: Vec<&str> = shown.lines().skip_while(|row| !row.starts_with("── ")).collect();
    rows[..rows.len() - 1].join("\n")
}

/// Without figures that differ from run to run.
fn lasting(shown: String) -> String {
    let filters = [
        (r"\d+(\.\d+)? ?(ms|s)\b", "… s"),
        (r"thought for [^\n]*", "thought for …"),
        // Below a turn stands how long it took, or how much was written where that was a moment.
        (r"(?m)^  (\d+ min )?(… s|[0-9.]+k? tokens)$", ""),
        (r"today is \d{4}-\d\d-\d\d", "today is …"),
        (r"[0-9.]+k? tokens; told to act", "… tokens; told to act"),
    ];
    let replace = |shown: String, (found, put): &(&str, &str)| -> String {
        Regex::new(found).unwrap().replace_all(&shown, *put).into()
    };
    filters.iter().fold(shown, replace).trim_end().to_owned()
}

fn once(say: &Value) -> Value {
    json!({"times": 1, "say": say})
}

/// A model that says these things, one after the other.
fn model(capabilities: &[&str], replies: &[Value]) -> House {
    let replies: Vec<Value> = replies.iter().map(once).collect();
    rules(capabilities, &replies)
}

/// A model that follows these rules.
fn rules(capabilities: &[&str], rules: &[Value]) -> House {
    House::scripted(json!({
        "models": [{"name": "m", "context_length": 32768, "family": "qwen2", "capabilities": capabilities}],
        "replies": rules,
    }))
}

fn with(house: House, harness: &str) -> House {
    std::fs::write(house.config().join("config.toml"), format!("[harness]\nfacts = false\n{harness}\n")).unwrap();
    house
}

const TOOLS: &[&str] = &["completion", "tools"];

fn write(file: &str, content: &str) -> Value {
    call("write_file", json!({"file_path": file, "content": content}))
}

fn edit(file: &str, old: &str, new: &str) -> Value {
    call("edit_file", json!({"file_path": file, "old_string": old, "new_string": new}))
}

fn read(file: &str) -> Value {
    call("read_file", json!({"file_path": file}))
}

fn run(command: &str) -> Value {
    call("run_command", json!({"command": command}))
}

fn area(body: &str) -> String {
    format!("def area(a, b):\n    return {body}\n")
}

/// A function that adds where it should multiply, with its tests, which run in the same way on every machine.
fn shapes(house: House) -> House {
    let settings = "[harness]\nfacts = false\n[checks]\ncommand = \"python3 -m unittest\"\n";
    std::fs::write(house.config().join("config.toml"), settings).unwrap();
    house.write("shapes.py", &area("a + b"));
    house.write(
        "test_shapes.py",
        "import unittest\nfrom shapes import area\n\n\nclass Area(unittest.TestCase):\n    def test_area(self):\n        \
         self.assertEqual(area(2, 3), 6)\n\n    def test_none(self):\n        self.assertEqual(area(0, 3), 0)\n",
    );
    house
}

fn checked() -> Scene {
    let house = shapes(model(
        TOOLS,
        &[
            edit("shapes.py", "a + b", "a - b"),
            text("Mended. All tests pass."),
            edit("shapes.py", "a - b", "a * b"),
            text("It multiplies now."),
        ],
    ));
    Scene::new(
        "Checked at the end of a turn",
        "The model says that it is done, and ran no test.",
        house,
        "mend area in shapes.py",
        "It multiplies now.",
    )
}

fn begun_again() -> Scene {
    let house = shapes(model(
        TOOLS,
        &[
            edit("shapes.py", "a + b", "a - b"),
            text("Mended."),
            text("It is mended."),
            edit("shapes.py", "a + b", "a * b"),
            text("It multiplies now."),
        ],
    ));
    Scene {
        answers: &[("start again", "y")],
        ..Scene::new(
            "A fresh start",
            "The model does not get on. You are asked whether the task is to be begun again, and said yes here.",
            house,
            "mend area in shapes.py",
            "It multiplies now.",
        )
    }
}

fn thinking() -> Scene {
    let thoughts: String = (0..400).map(|at| format!("Or is it option {at}?\n\n")).collect();
    let house = rules(
        &["completion", "tools", "thinking"],
        &[
            json!({"when": {"user_contains": "you have thought long enough"}, "say": text("It splits at blanks.")}),
            json!({"when": {}, "say": [{"thinking": thoughts}, {"done_reason": "length"}]}),
        ],
    );
    Scene::new(
        "Thinking with a bound",
        "The model thinks without end (`think_tokens = 400` here).",
        with(house, "think_tokens = 400"),
        "how does the parser work?",
        "It splits at blanks.",
    )
}

fn file_in_the_answer() -> Scene {
    let house =
        model(TOOLS, &[text("Here is the file:\n\nshapes.py\n```python\ndef area(a, b):\n    return a * b\n```\n")]);
    house.write("shapes.py", &area("a + b"));
    Scene {
        args: &[],
        ..Scene::new(
            "A file in the answer becomes a change",
            "The model prints the file instead of writing it. It is asked about, in every mode.",
            house,
            "mend area in shapes.py",
            QUESTION,
        )
    }
}

fn syntax() -> Scene {
    let house = model(
        TOOLS,
        &[
            read("shapes.py"),
            edit("shapes.py", "    return a + b", "    return (a * b"),
            edit("shapes.py", "    return (a * b", "    return a * b"),
            text("It multiplies now."),
        ],
    );
    house.write("shapes.py", &area("a + b"));
    Scene::new(
        "The syntax gate",
        "The model forgets a bracket. It is told in the result, with the line; a small model's change is refused.",
        with(house, "syntax = \"tell\""),
        "mend area in shapes.py",
        "It multiplies now.",
    )
}

fn losing_code() -> Scene {
    let names = ["area", "rim", "height", "volume"];
    let whole: String = names.iter().map(|name| format!("def {name}(a, b):\n    return a + b\n\n\n")).collect();
    let house = model(
        TOOLS,
        &[
            read("shapes.py"),
            write("shapes.py", "def area(a, b):\n    return a * b\n\n\n# ... rest of the code unchanged ...\n"),
            edit("shapes.py", "def area(a, b):\n    return a + b", "def area(a, b):\n    return a * b"),
            text("It multiplies now."),
        ],
    );
    house.write("shapes.py", &whole);
    Scene::new(
        "Writes that would lose code",
        "The model leaves out what stays.",
        with(house, ""),
        "mend area in shapes.py",
        "It multiplies now.",
    )
}

fn long_reads() -> Scene {
    let house = model(TOOLS, &[read("parts.py"), run("cat parts.py"), text("It has 300 parts.")]);
    let whole: String = (0..300).map(|at| format!("def part_{at}(n):\n    return n + {at}\n\n\n")).collect();
    house.write("parts.py", &whole);
    Scene::new(
        "Long reads",
        "The model reads a file of 1,200 lines, and prints it once more: both times it gets 250 lines and an outline of the rest.",
        with(house, ""),
        "what is in parts.py?",
        "It has 300 parts.",
    )
}

fn loud_commands() -> Scene {
    let house = model(TOOLS, &[run("sh check.sh"), text("All 200 pass.")]);
    house.write("check.sh", "for n in $(seq 200); do echo \"test part_$n ... ok\"; done\necho\necho 'test result: ok. 200 passed; 0 failed'\n");
    Scene::new(
        "Command output by meaning",
        "A program tells of each of 200 tests. You see all of it with Ctrl+O; the model gets the end, and how many lines were alike.",
        with(house, ""),
        "run check.sh",
        "All 200 pass.",
    )
}

fn facts() -> Scene {
    let house = model(TOOLS, &[run("make check"), text("The tests pass.")]).with_facts();
    house.write("Makefile", "check:\n\ttrue\n");
    house.write("src/parse.rs", "// parses\npub fn parse_item() {}\n");
    Scene::new(
        "Facts with the first words",
        "The model does not know the project.",
        house,
        "does parse_item pass its tests?",
        "The tests pass.",
    )
}

fn looking_on() -> Scene {
    let mut replies: Vec<Value> = [1, 2, 1, 2].map(|at| read(&format!("part_{at}.py"))).into();
    replies.extend([edit("part_2.py", "n - 1", "n"), text("It counts all of them now.")]);
    let house = model(TOOLS, &replies);
    (1..3).for_each(|at| house.write(&format!("part_{at}.py"), &format!("def part_{at}(n):\n    return n - 1\n")));
    Scene::new(
        "Looks without a change",
        "The model looks again and again at what it has seen (`looks = 2` here, 12 as it is built in).",
        with(house, "looks = 2"),
        "mend part_2: it counts one too few",
        "It counts all of them now.",
    )
}

fn other_forms() -> Scene {
    let patch =
        "*** Begin Patch\n*** Update File: shapes.py\n@@\n-    return a + b\n+    return a * b\n*** End Patch\n";
    let house = model(
        TOOLS,
        &[
            call("shell", json!({"command": ["apply_patch", patch]})),
            call("attempt_completion", json!({"result": "It multiplies now."})),
        ],
    );
    house.write("shapes.py", &area("a + b"));
    Scene::new(
        "Forms of other agents",
        "The model was trained beside another agent, and writes its calls.",
        with(house, ""),
        "mend area in shapes.py",
        "It multiplies now.",
    )
}

fn nothing_done() -> Scene {
    let house = model(TOOLS, &[text("I have renamed the function in all files."), text("I have renamed it.")]);
    house.write("shapes.py", &area("a + b"));
    Scene::new(
        "Claims against facts",
        "The model says that it did what it did not.",
        with(house, ""),
        "rename area to surface in shapes.py",
        "nothing was changed",
    )
}

fn sampling() -> Scene {
    let model = json!({
        "name": "qwen3.6:27b", "context_length": 32768, "capabilities": ["completion", "tools", "thinking"],
        "parameters": {"presence_penalty": 1.5, "temperature": 1.0},
    });
    let house = House::scripted(json!({"models": [model], "replies": [once(&text("It parses items."))]}));
    Scene {
        model: "qwen3.6:27b",
        then: Some(("/model", "its own: 1.5")),
        ..Scene::new(
            "Sampling as the makers say",
            "The server has settings of its own for this model. What its maker says is sent instead, and `/model` tells.",
            house,
            "what does this do?",
            "It parses items.",
        )
    }
}

fn new_errors() -> Scene {
    let look = call("lsp", json!({"action": "diagnostics", "file_path": "shapes.py"}));
    let replies = [
        look,
        edit("shapes.py", "return area(a, b)", "return area_gone(a, b)"),
        edit("shapes.py", "area_gone(a, b)", "area(a, b) * 2"),
        text("Doubled."),
    ];
    let house = model(TOOLS, &replies);
    house.write("shapes.py", "def twice(a, b):\n    return area(a, b)\n");
    house.write("linter.py", include_str!("levers/linter.py"));
    let settings = "syntax = \"off\"\n[checks]\nrounds = 0\n[lsp.linter]\ncommand = [\"/usr/bin/python3\", \"linter.py\"]\n\
                    extensions = [\"py\"]";
    Scene {
        args: &["--unsafe", "--tools", "core,code"],
        ..Scene::new(
            "New errors of a language server",
            "The model calls what is not there. A server runs already, as it was asked before.",
            with(house, settings),
            "double what twice returns in shapes.py",
            "Doubled.",
        )
    }
}

#[test]
fn the_page_shows_what_a_person_sees() {
    let scenes = [
        facts(),
        checked(),
        begun_again(),
        thinking(),
        file_in_the_answer(),
        nothing_done(),
        syntax(),
        losing_code(),
        long_reads(),
        loud_commands(),
        looking_on(),
        other_forms(),
        sampling(),
        new_errors(),
    ];
    let page = ABOVE.to_owned() + &scenes.iter().map(Scene::section).collect::<String>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/LEVERS.md");
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    let differs = page.split("\n## ").zip(written.split("\n## ")).find(|(shown, written)| shown != written);
    assert_eq!(differs, None, "docs/LEVERS.md is not what is shown");
    assert_eq!(page.len(), written.len());
}
