//! C, with clangd: a server that indexes, and counts columns in UTF-16.

use crate::lsp::{House, about, installed};
use agent_protocol::{Action, Status};
use serde_json::json;

const HEADER: &str = "int twice(int number);\n";
const LIBRARY: &str = "#include \"twice.h\"\n\nint twice(int number) { return 2 * number; }\n";
const MAIN: &str = "#include \"twice.h\"\n\nint main(void) { /* 🦀 */ return twice(3); }\n";
const COMMANDS: &str = r#"[
  { "directory": "$ROOT", "file": "twice.c", "arguments": ["cc", "-c", "twice.c"] },
  { "directory": "$ROOT", "file": "main.c", "arguments": ["cc", "-c", "main.c"] }
]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_project_in_c_is_known_across_its_files() {
    if !installed("clangd", "clangd") {
        return;
    }
    let files = [("twice.h", HEADER), ("twice.c", LIBRARY), ("main.c", MAIN), ("compile_commands.json", COMMANDS)];
    let mut house = House::new(&files);
    let outcome = house.agreed(about("hover", "main.c", json!({ "symbol": "twice", "line": 3 }))).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert!(outcome.told.contains("int twice(int number)"), "{}", outcome.told);

    let definition = house.told(about("definition", "main.c", json!({ "line": 3, "symbol": "twice" }))).await;
    assert!(definition.starts_with("twice.c:3:5: int twice(") || definition.starts_with("twice.h:1:5"), "{definition}");
    let references = house.told(about("references", "main.c", json!({ "line": 3, "symbol": "twice" }))).await;
    assert!(references.contains("main.c:3:33: int main(void)"), "{references}");
    let symbols = house.told(about("symbols", "main.c", json!({}))).await;
    assert!(symbols.starts_with("3: function main"), "{symbols}");

    let rename = about("rename", "main.c", json!({ "line": 3, "symbol": "twice", "new_name": "doubled" }));
    let (job, held) = house.asked(&rename);
    assert!(matches!(job.action(), Action::Write { .. }));
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(house.text("main.c"), MAIN.replace("twice(3)", "doubled(3)"));
    assert_eq!(house.text("twice.h"), HEADER.replace("twice", "doubled"));

    house.write("main.c", &MAIN.replace("twice(3)", "doubled(3) + thrice(3)"));
    let diagnostics = house.told(about("diagnostics", "main.c", json!({}))).await;
    assert!(diagnostics.starts_with("main.c:3:46: ") && diagnostics.contains("thrice"), "{diagnostics}");
}
