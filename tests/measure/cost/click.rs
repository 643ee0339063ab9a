//! A progress bar that ends too early, in Python: a strong model finds the place, mends it, adds a test and a line to the log.

use super::project::{Project, prose, pytest, python, with};
use super::{Session, does, edit, needing, read, read_at, run, says, search, search_in};

const MAKE_STEP: &str = "\ndef make_step(bar, n_steps):\n    \"\"\"Move the bar on by so many steps.\"\"\"\n    \
                         bar.pos = min(bar.pos + n_steps, bar.length - 6)\n    if bar.length and bar.pos >= bar.length:\n        \
                         bar.finished = True\n\n";
const LAST_TEST: &str = "\ndef test_progressbar_is_drawn(runner):\n    bar = make_bar(length=10)\n    make_step(bar, 4)\n    \
                         assert bar.pos == 4\n\n";

pub(crate) fn session() -> Session {
    let (bar, test) = ("src/click/_termui_impl.py", "tests/test_termui.py");
    Session {
        name: "click",
        project: project(),
        window: 65_536,
        says: vec!["The progress bar ends at 14/20 when the steps do not divide the length. Mend it, and add a test."],
        course: vec![
            does(run("ls && ls src/click tests")),
            does(search("progress")),
            does(search_in("def make_step|def render|finished", bar)),
            needing(
                &["bar.length - 6"],
                &[read_at(bar, "def make_step(", 12), read(bar)],
                edit(
                    bar,
                    "bar.pos = min(bar.pos + n_steps, bar.length - 6)",
                    "bar.pos = min(bar.pos + n_steps, bar.length)",
                ),
            ),
            does(search_in("def test_progressbar", test)),
            needing(
                &["make_step(bar, 4)"],
                &[read_at(test, "def test_progressbar_is_drawn(", 40)],
                edit(
                    test,
                    "    make_step(bar, 4)\n    assert bar.pos == 4\n",
                    "    make_step(bar, 4)\n    assert bar.pos == 4\n\n\ndef test_progressbar_reaches_the_end(runner):\n    \
                 bar = make_bar(length=20)\n    make_step(bar, 23)\n    assert bar.pos == 20\n",
                ),
            ),
            does(run("sh run_tests.sh")),
            needing(
                &["## Section 0: the value"],
                &[read("CHANGES.md")],
                edit(
                    "CHANGES.md",
                    "## Section 0: the value\n",
                    "## Section 0: the value\n\n- The progress bar reaches its end.\n",
                ),
            ),
            says(
                "The bar took six steps off its length; it reaches the end now, with a test and a line in CHANGES.md.",
            ),
        ],
        summary: "## Goal\nmend the bar\n\n## Open\n- go on",
        wanted: vec![
            (bar.into(), "n_steps, bar.length)\n".into()),
            (test.into(), "test_progressbar_reaches_the_end".into()),
            ("CHANGES.md".into(), "reaches its end".into()),
        ],
    }
}

fn project() -> Project {
    let mut project = Project::default();
    project.add("src/click/core.py", python("core", 210));
    let bar = python("termui", 52);
    project.add("src/click/_termui_impl.py", with(&bar, "def termui_option_3(", MAKE_STEP));
    project.add("tests/test_termui.py", with(&python("test_termui", 36), "def test_termui_handler_30(", LAST_TEST));
    project.add("CHANGES.md", prose("Changes of progress and more", 180));
    for at in 0..14 {
        let text = python(&format!("module{at}"), 12 + at * 3);
        let about = format!("\n# progress is told by module {at}\nprogress_{at} = {at}\n");
        project.add(format!("src/click/module_{at}.py"), text + &about.repeat(2));
    }
    for at in 0..20 {
        project.add(format!("docs/page_{at}.md"), prose(&format!("Page {at}, on progress"), 12));
    }
    project.add("run_tests.sh", pytest(40));
    project
}
