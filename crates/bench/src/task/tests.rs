//! What a task's sheet must say, and what filling makes of it.

use super::*;
use std::fs;

const SHEET: &str = r#"
kind = "mend"
language = "python"
visible = "python3 -m unittest"
on_start = "fails"
hidden = "python3 -m unittest -v test_hidden"
reader = "unittest"
tests = ["test_hidden.Cases.test_@@NAME@@"]
fails_on_start = ["test_hidden.Cases.test_@@NAME@@"]
may_change = ["a.py"]
[fill]
NAME = ["crate"]
"#;

fn template(sheet: &str) -> Result<Template, TaskError> {
    let start = Files::from([("a.py".to_owned(), b"NAME = '@@NAME@@'\n".to_vec())]);
    let prompt = format!("{CANARY} 1: not for training -->\nMend the @@NAME@@.\n");
    Template::of("t", (sheet.to_owned(), prompt, start, Files::new()), Files::new(), BTreeMap::new())
}

fn why(sheet: &str) -> String {
    template(sheet).unwrap_err().to_string()
}

#[test]
fn everything_is_filled_and_the_canary_is_taken_away() {
    let task = template(SHEET).unwrap().fill(1).unwrap();
    assert_eq!(task.prompt, "Mend the crate.");
    assert_eq!(task.sheet.tests, ["test_hidden.Cases.test_crate"]);
    assert_eq!(task.start["a.py"], b"NAME = 'crate'\n");
    assert_eq!(task.sheet.minutes, 5);
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    let told = why(&SHEET.replace("reader = \"unittest\"", ""));
    assert!(told.contains("task t: tests are named and no reader"), "{told}");
    assert!(why(&SHEET.replace("kind = \"mend\"", "kind = \"juggle\"")).contains("juggle"));
    assert!(why(&SHEET.replace("visible =", "visibel =")).contains("visibel"));
    assert!(why(&SHEET.replace("\"fails\"", "\"none\"")).contains("on_start"));
    assert!(why(&SHEET.replace("may_change = [\"a.py\"]", "may_change = []")).contains("nothing could solve it"));
    assert!(why(&SHEET.replace("kind = \"mend\"", "kind = \"cannot\"")).contains("[answer]"));
    let odd = SHEET.replace("fails_on_start = [\"test_hidden", "fails_on_start = [\"test_other");
    assert!(why(&odd).contains("not among tests"));
}

#[test]
fn tasks_share_a_project_that_their_start_is_laid_over() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("bases/shop/a.py", "whole\n");
    write("bases/shop/b.py", "whole\n");
    write("t/start/a.py", "broken\n");
    write("t/prompt.md", "Mend it.\n");
    write("t/task.toml", &format!("base = \"shop\"\n{SHEET}"));
    let task = Template::read(&folder.path().join("t")).unwrap().fill(1).unwrap();
    let expected = [("a.py", "broken\n"), ("b.py", "whole\n")];
    assert_eq!(task.start, expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into());
    write("t/task.toml", &format!("base = \"shops\"\n{SHEET}"));
    assert!(Template::read(&folder.path().join("t")).unwrap_err().to_string().contains("bases/shops"));
    assert!(why(&format!("base = \"../shop\"\n{SHEET}")).contains("without a slash"));
}
