//! A large repository in a small window: a false alarm is mended, and then two functions are renamed in fourteen files, with the
//! old names kept for a while, in the same session of 58 requests.

use super::project::{Project, prose, pytest, python, with};
use super::{Session, call, does, edit, needing, read, read_at, run, says, search, search_in};
use serde_json::{Value, json};

/// Files in which the two functions are used.
const USERS: usize = 14;

const GUARD: &str = "\ndef in_type_checking_block(node):\n    \"\"\"Is it inside of `if TYPE_CHECKING`?\"\"\"\n    return \
                     any(name == 'TYPE_CHECKING' for name in node.tests())\n\n\ndef in_sys_guard_block(node):\n    \"\"\"Is it \
                     inside of a guard by version?\"\"\"\n    return any(name.startswith('sys.') for name in node.tests())\n\n";
const PROTECTED: &str = "\ndef check_protected_access(node, scope):\n    \"\"\"Warn of an access from outside.\"\"\"\n    if \
                         node.expr.name in ('self', 'cls'):\n        return None\n    return 'protected-access'\n\n";

pub(crate) fn session() -> Session {
    let mut course = find();
    course.extend(rename());
    let mut wanted: Vec<(String, String)> = (0..USERS)
        .map(|at| (user(at), "if is_in_type_checking_block(node) or is_in_sys_guard_block(node):".into()))
        .collect();
    wanted.push((CLASSES.into(), "'__class__'".into()));
    wanted.push((UTILS.into(), "in_type_checking_block = is_in_type_checking_block".into()));
    Session {
        name: "pylint",
        project: project(),
        window: 16_384,
        says: vec![
            "protected-access warns of self.__class__._x; it should not. Mend it.",
            "Rename in_type_checking_block and in_sys_guard_block to is_in_… everywhere, and keep the old names as aliases.",
        ],
        course,
        summary: "## Goal\nrename in_type_checking_block and in_sys_guard_block to is_in_…, keep the old names as aliases\n\n\
                  ## Decisions\n- one file after the other, by edit_file\n\n## Files\n- pylint/checkers/utils.py has both\n\n\
                  ## Commands\n- sh run_tests.sh: all pass\n\n## Open\n- the files that are left",
        wanted,
    }
}

const CLASSES: &str = "pylint/checkers/classes/class_checker.py";
const UTILS: &str = "pylint/checkers/utils.py";

/// The first task, of seven requests.
fn find() -> Vec<Value> {
    let note = json!({
        "file_path": "doc/whatsnew/fragments/9999.false_positive",
        "content": "No protected-access for what self.__class__ has.\n",
    });
    let alarm = "    if node.expr.name in ('self', 'cls'):\n";
    vec![
        does(search("protected-access")),
        does(read(CLASSES)),
        does(search_in("def check_protected_access", "pylint")),
        needing(
            &["if node.expr.name in ('self', 'cls'):"],
            &[read_at(CLASSES, "def check_protected_access(", 30)],
            edit(CLASSES, alarm, &alarm.replace("'cls'", "'cls', '__class__'")),
        ),
        does(call("write_file", note)),
        says("self.__class__ counts as the object itself now."),
    ]
}

/// The second one, of fifty-one: the functions, their users, what fails, and what is left to say.
fn rename() -> Vec<Value> {
    let mut steps = vec![does(todos("in_progress")), does(search("in_type_checking_block|in_sys_guard_block"))];
    steps.extend(functions());
    for at in 0..USERS {
        steps.push(uses(at));
        if at == 7 {
            steps.extend(failure());
        }
        if at == 11 {
            steps.push(does(run("sh run_tests.sh")));
        }
    }
    steps.extend(rest());
    steps
}

fn todos(status: &str) -> Value {
    let item = |id: &str, content: &str, status: &str| json!({"id": id, "content": content, "status": status});
    let later = if status == "completed" { status } else { "pending" };
    let items = [
        item("1", "rename both in utils.py, aliases", status),
        item("2", "the other files", later),
        item("3", "run the tests", later),
    ];
    call("todo_write", json!({"todos": items}))
}

fn functions() -> Vec<Value> {
    let last = "    return any(name.startswith('sys.') for name in node.tests())\n";
    let aliases = "\n\n# The old names, for a while.\nin_type_checking_block = is_in_type_checking_block\n\
                   in_sys_guard_block = is_in_sys_guard_block\n";
    vec![
        needing(
            &["name.startswith('sys.')"],
            &[some(UTILS, "def in_type_checking_block(", 20), search_in("def in_type", UTILS)],
            edit(UTILS, "def in_type_checking_block(node):", "def is_in_type_checking_block(node):"),
        ),
        does(edit(UTILS, "def in_sys_guard_block(node):", "def is_in_sys_guard_block(node):")),
        does(edit(UTILS, last, &format!("{last}{aliases}"))),
    ]
}

/// One file: it is looked at around the place, and the whole function is written anew, as careful models do it. So most of the
/// window is filled by what the model writes itself.
fn uses(at: usize) -> Value {
    let (file, guard) = (user(at), "    if in_type_checking_block(node) or in_sys_guard_block(node):");
    let place = json!({"line_of": format!("{}  # {at}.", guard.trim()), "less": 14});
    let read = json!({"file_path": file, "offset": place, "limit": 41});
    let look = json!([
        {"text": format!("Now {file}: I look at the function in which both are used, so that the change is exact.")},
        {"call": {"name": "read_file", "arguments": read}},
    ]);
    let renamed = guarded(at).replace("in_type", "is_in_type").replace("in_sys", "is_in_sys");
    let change = json!({"file_path": file, "old_string": guarded(at), "new_string": renamed});
    let say = json!([
        {"text": format!("The guard of {file} calls both by their old names. I write it with the new ones and leave the rest \
                          of the function, its words and its order, just as they are; the next file is number {}.", at + 1)},
        {"call": {"name": "edit_file", "arguments": change}},
    ]);
    needing(&[&format!("def guard_{at}(")], &[look, search("in_type_checking_block|in_sys_guard_block")], say)
}

/// The function in which both are used.
fn guarded(at: usize) -> String {
    let mut text =
        format!("def guard_{at}(node, scope, options):\n    \"\"\"Leave out what is only there for types.\"\"\"\n");
    for (kind, name) in [("imports", "module"), ("names", "alias"), ("calls", "function"), ("blocks", "body")] {
        text.push_str(&format!(
            "    for {name} in node.{kind}():\n        if options.ignores({name}) or {name}.scope() is not scope:\n            \
             continue\n"
        ));
    }
    text + &format!(
        "    if in_type_checking_block(node) or in_sys_guard_block(node):  # {at}.\n        return None\n    return \
         node.scope()\n"
    )
}

/// The tests fail once: in a file in which a name is imported.
fn failure() -> Vec<Value> {
    let file = "pylint/extensions/typing.py";
    vec![
        does(run("sh run_tests_failing.sh")),
        needing(
            &["from utils import in_type_checking_block"],
            &[search_in("import in_type_checking_block", "pylint"), read(file)],
            edit(file, "from utils import in_type_checking_block", "from utils import is_in_type_checking_block"),
        ),
        does(some(file, "import in_type_checking_block", 40)),
        does(run("sh run_tests.sh")),
    ]
}

/// Reads 60 lines, from some before the one that holds `text`.
fn some(file: &str, text: &str, less: u64) -> Value {
    call("read_file", json!({"file_path": file, "offset": {"line_of": text, "less": less}, "limit": 60}))
}

fn rest() -> Vec<Value> {
    let (tests, first) = ("tests/test_utils.py", "def test_utils_value_0(");
    let note = json!({"file_path": "doc/whatsnew/fragments/9998.internal", "content": "Two names are clearer.\n"});
    vec![
        does(search("[^_]in_type_checking_block|[^_]in_sys_guard_block")),
        does(search_in("def test_utils_value_0", tests)),
        does(some(tests, first, 20)),
        does(edit(
            tests,
            first,
            &format!("def test_old_names():\n    assert utils.in_type_checking_block\n\n\n{first}"),
        )),
        does(run("sh run_tests.sh")),
        does(call("write_file", note)),
        does(todos("completed")),
        says("Both are renamed in fifteen files, the old names stay as aliases, and the tests pass."),
    ]
}

fn user(at: usize) -> String {
    format!("pylint/checkers/checker_{at}.py")
}

fn project() -> Project {
    let mut project = Project::default();
    project.add(UTILS, with(&python("utils", 160), "def utils_value_96(", GUARD));
    project.add(CLASSES, with(&python("classes", 165), "def classes_value_120(", PROTECTED));
    for at in 0..USERS {
        let use_it = format!("\n{}\n\n", guarded(at));
        let own = python(&format!("checker{at}"), 40 + at * 5);
        project.add(user(at), with(&own, &format!("def checker{at}_value_24("), &use_it));
    }
    project.add("tests/test_utils.py", python("test_utils", 90));
    for at in 0..120 {
        project.add(
            format!("tests/functional/p/protected_{at}.py"),
            format!("# protected-access {at}\nobj._x  # [protected-access]\n"),
        );
    }
    for at in 0..3_900 {
        project.add(
            format!("tests/functional/{}/case_{at}.py", at % 26),
            format!("\"\"\"Case {at}.\"\"\"\nVALUE = {at}\n"),
        );
    }
    for at in 0..70 {
        project.add(format!("doc/whatsnew/fragments/{at}.md"), prose(&format!("Fragment {at}"), 2));
    }
    let typing = python("typing", 60) + "\nfrom utils import in_type_checking_block\n";
    project.add("pylint/extensions/typing.py", typing);
    project.add("run_tests.sh", pytest(60));
    project.add("run_tests_failing.sh", traceback());
    project
}

/// A script that prints what a test says that cannot import a name.
fn traceback() -> String {
    let mut text = "cat <<'END'\n________ ERROR collecting tests/test_typing.py ________\n".to_owned();
    for at in 0..30 {
        text.push_str(&format!(
            "  File \"/usr/lib/python3/importlib/_bootstrap_{at}.py\", line {}, in _call_with_frames_removed_{at}\n    \
             return f_{at}(*args, **kwds)\n",
            at * 31
        ));
    }
    text + "E   ImportError: cannot import name 'in_type_checking_block' from 'utils'\n1 error in 0.42s\nEND\nexit 1\n"
}
