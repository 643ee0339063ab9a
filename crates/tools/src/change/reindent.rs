//! A new text that stands at another depth than the one it replaces: where that alone keeps the file from parsing, it is
//! shifted. Pure.

use agent_syntax::new_fault;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Shift {
    new: String,
    /// By so many letters, to the left where it is negative.
    by: isize,
}

/// `made`, the file with `new` in place of `old`, does not parse, and `text`, what it is now, does: the file with the new text
/// shifted to the depth of the old one, if it parses then, and by how many letters it was shifted. `put` makes the file of
/// another new text. Only for languages in which indentation says what belongs together.
pub(crate) fn mended(
    path: &str,
    (text, made): (&str, &str),
    (old, new): (&str, &str),
    put: impl Fn(&str) -> Option<String>,
) -> Option<(String, isize)> {
    if !is_by_indentation(path) || new_fault(path, Some(text), made).is_none() {
        return None;
    }
    let tries = shifts(text, old, new).into_iter();
    tries
        .filter_map(|shift| Some((put(&shift.new)?, shift.by)))
        .find(|(made, _)| new_fault(path, Some(text), made).is_none())
}

fn is_by_indentation(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "py" | "pyi" | "pyw" | "yaml" | "yml")
}

/// The ways in which `new` may be meant to stand where `old` does.
fn shifts(text: &str, old: &str, new: &str) -> Vec<Shift> {
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let Some(at) = text.replace("\r\n", "\n").find(&old) else { return Vec::new() };
    let text = text.replace("\r\n", "\n");
    let before = text[..at].rsplit('\n').next().unwrap_or_default();
    // What stands before the place in its line is the depth of it, if it is nothing else.
    let lead = if before.trim().is_empty() { before } else { indent(before) };
    let mut found = Vec::new();
    if !lead.is_empty() {
        // The old text was given without its indentation: so was the new one, whose first line has it from the file.
        found.push(deeper(&new, lead, 1));
    }
    let (is, given) = (first_indent(&old), first_indent(&new));
    if let Some(more) = is.strip_prefix(given).filter(|more| !more.is_empty()) {
        found.push(deeper(&new, more, 0));
    }
    if let Some(less) = given.strip_prefix(is).filter(|less| !less.is_empty()) {
        found.extend(shallower(&new, less));
    }
    found
}

/// All lines from the `from`th on, counted from 0, with `more` before them.
fn deeper(new: &str, more: &str, from: usize) -> Shift {
    let put = |(at, line): (usize, &str)| match line.trim().is_empty() || at < from {
        true => line.to_owned(),
        false => format!("{more}{line}"),
    };
    let by = isize::try_from(more.chars().count()).unwrap_or(isize::MAX);
    Shift { new: new.split_inclusive('\n').enumerate().map(put).collect(), by }
}

/// All lines without `less` before them; `None` where one has not so much.
fn shallower(new: &str, less: &str) -> Option<Shift> {
    let cut = |line: &str| match line.trim().is_empty() {
        true => Some(line.to_owned()),
        false => line.strip_prefix(less).map(str::to_owned),
    };
    let by = isize::try_from(less.chars().count()).ok()?;
    let new = new.split_inclusive('\n').map(cut).collect::<Option<String>>()?;
    Some(Shift { new, by: -by })
}

fn first_indent(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).map_or("", indent)
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(path: &str, text: &str, old: &str, new: &str) -> Option<(String, isize)> {
        let put = |new: &str| Some(text.replacen(old, new, 1));
        mended(path, (text, &text.replacen(old, new, 1)), (old, new), put)
    }

    const TEXT: &str = "class A:\n    def f(self, x):\n        a = 1\n        return x\n";

    #[test]
    fn a_block_given_without_its_depth_is_put_at_the_depth_of_what_it_replaces() {
        let whole = TEXT.replace("return x", "if x:\n            return x\n        return 0");
        assert_eq!(mend("a.py", TEXT, "return x", "if x:\n    return x\nreturn 0"), Some((whole.clone(), 8)));
        assert_eq!(mend("a.py", TEXT, "        return x", "if x:\n    return x\nreturn 0"), Some((whole.clone(), 8)));
        let far = "            if x:\n                return x\n            return 0";
        assert_eq!(mend("a.py", TEXT, "        return x", far), Some((whole, -4)));
        let yaml = "jobs:\n  a:\n    steps:\n      - run: x\n";
        let wanted = "jobs:\n  a:\n    steps:\n      - run: y\n        env:\n          A: 1\n      - run: z\n";
        assert_eq!(
            mend("ci.yml", yaml, "      - run: x\n", "- run: y\n  env:\n    A: 1\n- run: z\n"),
            Some((wanted.to_owned(), 6))
        );
    }

    #[test]
    fn what_parses_what_no_shift_mends_and_other_languages_stay_as_they_are() {
        for (path, text, old, new) in [
            ("a.py", TEXT, "return x", "return x + 1"),
            ("a.py", TEXT, "        return x", "        return (x"),
            ("a.py", TEXT, "return x", "if x:\n    return (x\nreturn 0"),
            ("a.py", "def f(:\n    a\n", "    a", "a\n  b"),
            ("a.js", "function f() {\n  return 1;\n}\n", "  return 1;", "if (x {"),
        ] {
            assert_eq!(mend(path, text, old, new), None, "{path}: {new:?}");
        }
    }

    #[test]
    fn tabs_and_line_ends_are_those_of_the_file() {
        let text = "def f(x):\r\n\treturn x\r\n";
        let put = |new: &str| Some(text.replacen("return x", &new.replace('\n', "\r\n"), 1));
        let made = put("if x:\n\treturn x\nreturn 0").unwrap();
        let found = mended("a.py", (text, &made), ("return x", "if x:\n\treturn x\nreturn 0"), put);
        assert_eq!(found, Some(("def f(x):\r\n\tif x:\r\n\t\treturn x\r\n\treturn 0\r\n".to_owned(), 1)));
    }
}
