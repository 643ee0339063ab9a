//! Both ways, by language: what is dangerous is found, by the rule that is meant, and what only looks so is not.
//!
//! In `samples/*.txt` every line is a rule (or `-` for none), a bar, and a text in which `⏎` is a line end.

use super::*;

/// Each: the name the text would have, and its samples.
const SAMPLES: [(&str, &str); 12] = [
    ("src/a.rs", include_str!("samples/rust.txt")),
    ("src/a.py", include_str!("samples/python.txt")),
    ("src/a.ts", include_str!("samples/script.txt")),
    ("src/a.go", include_str!("samples/go.txt")),
    ("src/a.c", include_str!("samples/c.txt")),
    ("src/A.java", include_str!("samples/java.txt")),
    ("bin/a.sh", include_str!("samples/shell.txt")),
    ("web/a.php", include_str!("samples/php.txt")),
    ("app/a.rb", include_str!("samples/ruby.txt")),
    ("Dockerfile", include_str!("samples/docker.txt")),
    (".github/workflows/a.yml", include_str!("samples/workflow.txt")),
    ("deploy/a.yaml", include_str!("samples/cluster.txt")),
];

fn found(path: &str, text: &str) -> Vec<&'static str> {
    let mut rules: Vec<&str> = calls(Path::new(path), text).into_iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// Whole files have what one line lacks, so that only the sample itself is judged.
fn is_beside(path: &str, rule: &str) -> bool {
    path == "Dockerfile" && ["docker-no-user", "docker-latest"].contains(&rule)
}

#[test]
fn what_is_dangerous_is_found_and_what_only_looks_so_is_not() {
    let mut faults = String::new();
    for (path, samples) in SAMPLES {
        for line in samples.lines().filter(|line| !line.is_empty()) {
            let (expected, text) = line.split_once(" | ").unwrap_or_else(|| panic!("{path}: {line}"));
            let mut rules = found(path, &text.replace('⏎', "\n"));
            rules.retain(|rule| *rule == expected || !is_beside(path, rule));
            let mut expected: Vec<&str> = expected.split(' ').filter(|rule| *rule != "-").collect();
            expected.sort_unstable();
            if rules != expected {
                faults.push_str(&format!("\n{path}: {text}\n  expected {expected:?}, found {rules:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn every_rule_has_a_sample_and_every_language_look_alikes() {
    let mut missing = Vec::new();
    for (path, samples) in SAMPLES {
        let language = FileKind::of(Path::new(path), "").unwrap();
        let sampled: Vec<&str> = samples.lines().filter_map(|line| Some(line.split_once(" | ")?.0)).collect();
        let rules = language.reading().1.into_iter().flat_map(|table| table.rules()).map(|rule| rule.name.as_str());
        missing.extend(rules.filter(|rule| !sampled.iter().any(|names| names.split(' ').any(|name| name == *rule))));
        assert!(sampled.contains(&"-"), "{path} has no look-alike");
    }
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn a_finding_says_where_why_and_what_then() {
    let findings = calls(Path::new("src/a.py"), "import os\n\nos.system(line)\n");
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.rule, finding.line, finding.severity), ("py-system", 3, Severity::High));
    assert_eq!(finding.confidence, Confidence::Likely);
    assert!(finding.why.contains("shell") && finding.fix.contains("subprocess"), "{finding:?}");
}

#[test]
fn tests_and_examples_are_less_sure() {
    let sure = |path: &str| calls(Path::new(path), "import os\nos.system(line)\n")[0].confidence;
    assert_eq!(
        (sure("src/a.py"), sure("tests/a.py"), sure("src/test_a.py")),
        (Confidence::Likely, Confidence::Maybe, Confidence::Maybe)
    );
    let inside = "fn f() {}\n#[cfg(test)]\nmod tests {\n    static mut A: u8 = 1;\n}\n";
    assert_eq!(calls(Path::new("src/a.rs"), inside)[0].confidence, Confidence::Likely);
}

#[test]
fn an_unsafe_block_says_what_it_does_and_weighs_less_where_somebody_says_why() {
    // Written in two words, for this is no such block itself.
    let told = |text: &str| {
        let finding = calls(Path::new("src/a.rs"), &text.replace("un safe", "unsafe")).remove(0);
        (finding.what, finding.confidence)
    };
    assert_eq!(told("un safe { libc::kill(1, 9) }"), ("libc::kill".into(), Confidence::Sure));
    let said = "// SAFETY: it is there\nlet a = un safe { *pointer };";
    assert_eq!(told(said), ("*pointer".into(), Confidence::Maybe));
}

#[test]
fn packed_files_and_files_of_no_known_language_are_left_out() {
    let packed = format!("eval(x);{}", "a;".repeat(4_000));
    assert_eq!(calls(Path::new("a.min.js"), &packed), []);
    assert_eq!(calls(Path::new("notes.md"), "eval(x)"), []);
}

#[test]
fn the_worst_and_surest_weighs_most() {
    let finding = |severity, confidence| Finding {
        rule: "",
        severity,
        confidence,
        line: 1,
        what: String::new(),
        why: "",
        fix: "",
    };
    let weights = [
        finding(Severity::Critical, Confidence::Sure),
        finding(Severity::Critical, Confidence::Maybe),
        finding(Severity::High, Confidence::Likely),
        finding(Severity::Low, Confidence::Maybe),
    ];
    assert_eq!(weights.map(|finding| finding.weight()), [8, 6, 5, 0]);
}
