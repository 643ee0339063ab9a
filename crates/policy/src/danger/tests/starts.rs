//! One line a command: what it starts.

use super::ROOT;
use crate::danger::{Started, started};
use std::path::Path;

fn of(command: &str) -> Vec<String> {
    let shown = |path: &Path| path.strip_prefix(ROOT).unwrap_or(path).display().to_string();
    let all = started(command, Path::new(ROOT), Some(Path::new("/home/ann"))).into_iter();
    let words = all.map(|one| match one {
        Started::Program(name) => name,
        Started::File(path) => format!("={}", shown(&path)),
        Started::Maybe(path) => format!("?{}", shown(&path)),
    });
    words.collect()
}

#[test]
fn programs_and_scripts_are_named_where_they_would_be_found() {
    let rows: &[(&str, &[&str])] = &[
        ("make test", &["make", "?test"]),
        ("./build.sh", &["=build.sh"]),
        ("../x/run a", &["=/home/ann/x/run", "?a"]),
        ("~/bin/x", &["=/home/ann/bin/x"]),
        ("cd sub && ./x.sh", &["cd", "?sub", "=sub/x.sh"]),
        ("bash x.sh a.py", &["bash", "=x.sh", "?a.py"]),
        ("python3 -u tools/a.py", &["python3", "=tools/a.py"]),
        (". ./env.sh", &[".", "=env.sh"]),
        ("sudo ./x.sh", &["=x.sh", "sudo", "?x.sh"]),
        ("sh -c './y.sh a'", &["=y.sh", "?a", "sh", "?y.sh a"]),
        ("bash -e x.sh", &["bash", "=x.sh"]),
        ("python3 -c 'x'", &["python3", "?x"]),
        ("make -f other.mk SHELL=./s", &["make", "?other.mk", "?s"]),
        ("cat x.sh", &["cat"]),
        ("./a.sh && ./a.sh", &["=a.sh"]),
        ("./*.sh $X", &[]),
        ("ls; ./b", &["ls", "=b"]),
    ];
    for (command, expected) in rows {
        assert_eq!(of(command), *expected, "{command}");
    }
}
