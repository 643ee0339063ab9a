//! Lines that programs print while all goes well: what they compile, download and unpack, and tests that pass. A long run of them
//! tells a model nothing and costs it a part of its window, so it becomes one line that says how many there were.
//!
//! The user sees all of them. Whatever else is printed stays as it is, failures above all.

const RUN: usize = 6;
/// Signs of tests in a row, one a test, from which on most of them are left out.
const MANY_SIGNS: usize = 60;
/// So many of these stay.
const SHOWN_SIGNS: usize = 10;

/// What lines of work that goes well begin with: unless they tell of trouble, too.
const WORK: [&str; 37] = [
    "Compiling ",
    "Checking ",
    "Downloading ",
    "Downloaded ",
    "Fresh ",
    "Updating ",
    "Locking ",
    "Adding ",
    "Installing ",
    "Collecting ",
    "Building ",
    "Using cached ",
    "Requirement already satisfied",
    "Get:",
    "Unpacking ",
    "Selecting previously ",
    "Preparing to unpack ",
    "Setting up ",
    "Receiving objects:",
    "Resolving deltas:",
    "remote: Counting",
    "remote: Compressing",
    "Created wheel ",
    "Stored in directory",
    "Extracting ",
    "Fetching ",
    "Linking ",
    "Pulling ",
    "Progress (",
    "> Task :",
    "go: downloading ",
    "npm http fetch ",
    "npm timing ",
    "[INFO] Downloading ",
    "[INFO] Downloaded ",
    "Downloading from ",
    "Downloaded from ",
];

/// What lines of passed tests begin with.
const PASSES: [&str; 10] = [
    "=== RUN ",
    "=== PAUSE ",
    "=== CONT ",
    "--- PASS:",
    "PASS ",
    "Passed ",
    "ok  \t",
    "?   \t",
    "# Subtest: ",
    "duration_ms: ",
];

/// What lines of passed tests end with.
const ENDINGS: [&str; 3] = [" ... ok", " PASSED", "] PASS"];

/// Words that make a line one to be read, whatever it begins with.
const TROUBLE: [&str; 12] = [
    "error", "errors", "failed", "failure", "fatal", "warning", "warn", "denied", "unable", "cannot", "conflict",
    "timeout",
];

/// Signs of which progress bars are made.
const BARS: [char; 7] = ['█', '▓', '░', '━', '=', '#', '.'];

/// `text` in which long runs of such lines are one.
pub(crate) fn folded(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < lines.len() {
        let routine = lines[at..].iter().take_while(|line| is_routine(line)).count();
        let same = lines[at..].iter().take_while(|line| **line == lines[at] && !line.trim().is_empty()).count();
        let run = routine.max(same);
        if run >= RUN {
            out.push_str(lines[at]);
            out.push_str(&format!("[{} more lines like this]\n", run - 1));
            at += run;
        } else {
            without_signs(lines[at], &mut out);
            at += 1;
        }
    }
    out
}

/// The line without most of a long run of signs for tests that passed or were left out. Those of others stay.
fn without_signs(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(begin) = rest.find('.') {
        let length = rest[begin..].find(|sign| !is_sign(sign)).unwrap_or(rest.len() - begin);
        let shown = if length >= MANY_SIGNS { SHOWN_SIGNS } else { length };
        out.push_str(&rest[..begin + shown]);
        if shown < length {
            out.push_str(&format!("[{} more like this]", length - shown));
        }
        rest = &rest[begin + length..];
    }
    out.push_str(rest);
}

/// One test that passed, was left out, or failed as it should.
fn is_sign(sign: char) -> bool {
    ".sx".contains(sign)
}

fn is_routine(line: &str) -> bool {
    let line = line.trim();
    let begins = |with: &[&str]| with.iter().any(|begin| line.starts_with(begin));
    (begins(&WORK) && !tells_of_trouble(line))
        || begins(&PASSES)
        || ENDINGS.iter().any(|end| without_share(line).ends_with(end))
        || line.starts_with(['✓', '✔', '√'])
        || ["---", "..."].contains(&line)
        || is_step(line)
        || is_tap(line)
        || is_dots(line)
        || is_bar(line)
        || (line.ends_with(" sec") && line.contains("   Passed  "))
}

fn tells_of_trouble(line: &str) -> bool {
    let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '-' && sign != '_');
    words.any(|word| TROUBLE.iter().any(|trouble| word.eq_ignore_ascii_case(trouble)))
}

/// The line without how far the whole is: `[ 12%]`.
fn without_share(line: &str) -> &str {
    let bare =
        line.strip_suffix("%]").map(|rest| rest.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ' '));
    bare.and_then(|rest| rest.strip_suffix('[')).map_or(line, str::trim_end)
}

/// `tests/test_parse.py ......ss. [ 12%]`, `........ 88/200`, and dots alone: tests that passed or were left out, a sign each.
fn is_dots(line: &str) -> bool {
    let is_count = |text: &str| text.contains('/') && text.chars().all(|sign| sign.is_ascii_digit() || sign == '/');
    let bare = match line.rsplit_once(' ') {
        Some((signs, count)) if is_count(count) => signs,
        _ => without_share(line),
    };
    let (name, signs) = bare.rsplit_once(' ').unwrap_or(("", bare));
    let is_share = bare.len() < line.len();
    let are_signs = !signs.is_empty() && signs.chars().all(is_sign) && signs.contains('.');
    are_signs && ((is_share && !name.contains(' ')) || (name.is_empty() && signs.len() >= 20))
}

/// ` 45%|████▌     | 45/100`, `━━━━━━━━━━ 1.2/1.2 MB`.
fn is_bar(line: &str) -> bool {
    let longest =
        BARS.iter().map(|bar| line.split(|sign| sign != *bar).map(|run| run.chars().count()).max().unwrap_or(0));
    let longest = longest.max().unwrap_or(0);
    let figures = line.chars().any(|sign| sign.is_ascii_digit());
    figures
        && !tells_of_trouble(line)
        && ((longest >= 5 && line.contains('%')) || line.contains("%|") || line.contains("━━━━━━━━"))
}

/// `[12/340] CC a.o` and `[ 45%] Building C object a.o`.
fn is_step(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inside, _)| inside.trim());
    inside.is_some_and(|inside| {
        let figures = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        inside.strip_suffix('%').is_some_and(figures)
            || inside.split_once('/').is_some_and(|(done, all)| figures(done) && figures(all))
    })
}

/// `ok 12 - parses nothing`.
fn is_tap(line: &str) -> bool {
    line.strip_prefix("ok ").is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(line: impl Fn(usize) -> String) -> String {
        (0..40).map(|at| line(at) + "\n").collect()
    }

    #[test]
    fn long_runs_of_what_goes_well_become_one_line() {
        let kinds: [&dyn Fn(usize) -> String; 16] = [
            &|at| format!("   Compiling crate-{at} v1.0.0"),
            &|at| format!("test parses_{at} ... ok"),
            &|at| format!("ok {at} - reads {at}"),
            &|at| format!("[{at}/40] CC {at}.o"),
            &|at| format!("--- PASS: Test{at} (0.00s)"),
            &|at| format!("  ✓ reads {at} (3ms)"),
            &|at| format!(" Downloaded crate-{at} v1.0.0"),
            &|at| format!("PASS src/reads_{at}.test.js"),
            &|at| format!("tests/test_{at}.py::test_reads PASSED [ {at}%]"),
            &|at| format!("tests/test_{at}.py ........s.. [ {at}%]"),
            &|at| format!("...................................... {at}/3960"),
            &|at| format!(" {at}%|████▌     | {at}/100 [00:01<00:01, 43it/s]"),
            &|at| format!("     ━━━━━━━━━━━━━━━━━━━━ {at}.2/90.2 MB 10 MB/s eta 0:00:00"),
            &|at| format!("{at}0K .......... .......... ..........  {at}% 1.2M 3s"),
            &|at| format!("ok  \texample.com/pkg{at}\t0.012s"),
            &|at| format!("      {at}/40 Test #{at}: reads ........................   Passed    0.01 sec"),
        ];
        for kind in kinds {
            let text = format!("{}\ntest result: ok. 40 passed\n", many(kind));
            let told = folded(&text);
            assert_eq!(told, format!("{}\n[39 more lines like this]\n\ntest result: ok. 40 passed\n", kind(0)));
        }
    }

    #[test]
    fn what_fails_and_what_is_short_stays() {
        let passes = many(|at| format!("test a_{at} ... ok"));
        let text = format!("{passes}test b ... FAILED\n{passes}\nfailures:\n  b: expected 1\n");
        let told = folded(&text);
        assert!(told.contains("test b ... FAILED\n") && told.contains("failures:\n  b: expected 1\n"), "{told}");
        assert_eq!(told.lines().count(), 8, "{told}");
        let node = (1..=9).map(|at| format!("# Subtest: a{at}\nok {at} - a{at}\n  ---\n  duration_ms: 0.4\n  ...\n"));
        let bad = "not ok 10 - b\n  ---\n  duration_ms: 0.4\n  error: 'one is two'\n  ...\n";
        assert_eq!(
            folded(&(node.collect::<String>() + bad)),
            format!("# Subtest: a1\n[44 more lines like this]\n{bad}")
        );
        let installs = many(|at| format!("Building wheel for a{at} (setup.py): started"));
        let broken = "Building wheel for b (setup.py): finished with status 'error'\n";
        let told = folded(&format!("{installs}{broken}{installs}"));
        assert!(told.contains(broken), "what fails in the middle of what goes well is read: {told}");
        let short = "Compiling a\nCompiling b\nerror: c\nok, that is all\n[see above]\nPASSWORD unset\n";
        assert_eq!(folded(short), short);
        let prose = "see above...\n1. 50% of them == none\n.s\ntests ... [ 9%]\nerror: 3% ##### 4\n".repeat(9);
        assert_eq!(folded(&prose), prose);
    }

    #[test]
    fn of_many_signs_in_a_line_few_stay_and_each_failure() {
        let text = format!("{}F{}E.\n{} 88/100\n", ".".repeat(7000), "s.x".repeat(200), ".".repeat(88));
        assert_eq!(
            folded(&text),
            "..........[6990 more like this]Fs.xs.xs.xs.[589 more like this]E.\n..........[78 more like this] 88/100\n"
        );
        let short = format!("{}\nContents {} 7\n", ".".repeat(MANY_SIGNS - 1), ".".repeat(40));
        assert_eq!(folded(&short), short);
    }

    #[test]
    fn the_same_line_again_and_again_is_told_once() {
        let text = format!("begin\n{}end\n", "waiting for the lock\n".repeat(30));
        assert_eq!(folded(&text), "begin\nwaiting for the lock\n[29 more lines like this]\nend\n");
        assert_eq!(folded("\n\n\n\n\n\n\n\n"), "\n\n\n\n\n\n\n\n");
    }
}
