//! Line numbers that a model copied in front of its lines.

/// What a line begins with in the results of `read_file`, and in those of `grep_search`.
const AFTER: [char; 2] = ['\t', ':'];

/// Both texts without the line numbers, where every line of `old` has one, each one more than the one before.
pub(crate) fn without_numbers(old: &str, new: &str) -> Option<(String, String)> {
    AFTER.iter().find_map(|after| {
        let (numbers, bare) = counted(old, *after)?;
        let proven = numbers > 1 || *after == '\t';
        proven.then(|| Some((bare, stripped(new, *after)?)))?
    })
}

/// How many lines are numbered, and the text without the numbers.
fn counted(old: &str, after: char) -> Option<(usize, String)> {
    let mut lines: Vec<&str> = old.split('\n').collect();
    let ended = lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty());
    lines.truncate(lines.len() - usize::from(ended));
    let parted: Vec<(usize, &str)> = lines.iter().map(|line| parted(line, after)).collect::<Option<_>>()?;
    if !parted.windows(2).all(|two| two[0].0.checked_add(1) == Some(two[1].0)) {
        return None;
    }
    let bare: Vec<&str> = parted.iter().map(|(_, line)| *line).collect();
    Some((parted.len(), bare.join("\n") + if ended { "\n" } else { "" }))
}

/// All lines of `new` have numbers, or none; a tab after it tells a number also where some have none.
fn stripped(new: &str, after: char) -> Option<String> {
    let lines: Vec<(&str, Option<&str>)> =
        new.split('\n').map(|line| (line, parted(line, after).map(|(_, rest)| rest))).collect();
    let filled = || lines.iter().filter(|(line, _)| !line.trim().is_empty());
    let numbered = filled().filter(|(_, rest)| rest.is_some()).count();
    if after != '\t' && numbered != 0 && numbered != filled().count() {
        return None;
    }
    Some(lines.iter().map(|(line, rest)| rest.unwrap_or(line)).collect::<Vec<_>>().join("\n"))
}

/// `  12<after>text`; also only the number, when nothing comes after it.
fn parted(line: &str, after: char) -> Option<(usize, &str)> {
    let (number, rest) = line.split_once(after).unwrap_or((line, ""));
    Some((number.trim().parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_left_out_where_every_line_has_one() {
        let bare = |old, new| without_numbers(old, new);
        let both = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!(bare("2\ttwo", "2\tTWO"), both("two", "TWO"));
        assert_eq!(bare("  9\ta\n 10\t\n11\n", "a\nb\n"), both("a\n\n\n", "a\nb\n"));
        assert_eq!(bare("9\ta\n10\t\tb", "9\ta\n\tc\n10\t\tb"), both("a\n\tb", "a\n\tc\n\tb"));
        assert_eq!(bare("9:a\n10:b", "9:a\n10:c"), both("a\nb", "a\nc"));
        assert_eq!(bare("9:a\n10:b", "9:a\nc"), None);
        assert_eq!(bare("80: a", "80: b"), None);
        assert_eq!(bare("1\ta\n3\tb", "1\ta"), None);
        assert_eq!(bare("1\ta\nb", "1\ta"), None);
    }
}
