//! Python, with the server of its own community.

use crate::lsp::{House, about, installed, start_shown, working_in};
use agent_protocol::{Action, Status};
use serde_json::json;

const SHAPES: &str = "\
class Circle:
    \"\"\"A round thing.\"\"\"

    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3 * self.radius ** 2


def describe(shape):
    return f\"é {shape.area()}\"
";
const MAIN: &str = "\
from shapes import Circle, describe

# describe is used below
print(describe(Circle(2)))
";

fn house() -> Option<House> {
    // The better servers for Python come first where they are there; which of them answers is not the matter here.
    let own = agent_tools::LanguageServer {
        name: "pylsp".into(),
        command: vec!["pylsp".into()],
        extensions: vec!["py".into()],
    };
    let files = [("shapes.py", SHAPES), ("main.py", MAIN)];
    installed("pylsp", "python3-pylsp").then(|| House::with(&files, &[own]))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_is_asked_once_and_every_question_is_answered() {
    let Some(mut house) = house() else { return };
    let first = about("definition", "main.py", json!({ "line": 4, "symbol": "describe" }));
    let (job, _) = house.asked(&first);
    assert_eq!(
        start_shown(&*job),
        "Start pylsp for this project: pylsp; it runs until the session ends; then: Ask for definition of describe \
         in main.py:4"
    );
    let outcome = house.agreed(first).await;
    assert_eq!(outcome.told, "shapes.py:11:5: def describe(shape):\n");
    assert_eq!(outcome.summary, "started pylsp; 1 place in 1 file");

    let references = house.told(about("references", "shapes.py", json!({ "line": 11, "symbol": "describe" }))).await;
    assert_eq!(
        references,
        "main.py:1:28: from shapes import Circle, describe\nmain.py:4:7: print(describe(Circle(2)))\n\
         shapes.py:11:5: def describe(shape):\n"
    );
    let hover = house.told(about("hover", "main.py", json!({ "line": 4, "symbol": "Circle" }))).await;
    assert!(hover.contains("Circle(radius)") && hover.contains("A round thing."), "{hover}");
    let symbols = house.told(about("symbols", "shapes.py", json!({}))).await;
    assert!(symbols.contains("1: class Circle\n") && symbols.contains("7: "), "{symbols}");
    let completions = house.told(about("completions", "shapes.py", json!({ "line": 12, "symbol": "shape" }))).await;
    assert!(completions.contains("shape"), "{completions}");
    house.write("main.py", &MAIN.replace("2)))", "2))"));
    let diagnostics = house.told(about("diagnostics", "main.py", json!({}))).await;
    // Which checks it makes is a matter of what is installed beside it.
    assert!(diagnostics.starts_with("main.py:") || diagnostics.contains("main.py"), "{diagnostics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rename_is_a_change_of_all_files_that_the_person_sees_first() {
    let Some(mut house) = house() else { return };
    let rename = about("rename", "shapes.py", json!({ "line": 11, "symbol": "describe", "new_name": "tell" }));
    let started = house.agreed(rename.clone()).await;
    assert_eq!(started.told, "pylsp runs now; call lsp rename again\n");
    let (job, held) = house.asked(&rename);
    assert_eq!(job.preview().title, "Rename describe to tell in 2 files");
    assert!(matches!(job.action(), Action::Write { .. }));
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(outcome.told, "edited main.py: 2 lines added, 2 removed\nedited shapes.py: 1 line added, 1 removed");
    assert_eq!(house.text("shapes.py"), SHAPES.replace("describe", "tell"));
    let comment = "# describe is used below";
    assert_eq!(house.text("main.py"), MAIN.replace("describe", "tell").replace("# tell is used below", comment));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_server_when_the_session_is_over() {
    let Some(mut house) = house() else { return };
    house.agreed(about("symbols", "shapes.py", json!({}))).await;
    assert!(!working_in(&house.root).is_empty());
    let House { toolbox, root, _folder, .. } = house;
    drop(toolbox);
    assert_eq!(working_in(&root), Vec::<String>::new());
}
