//! Rows under one another, and texts cut to fit.

const GAP: usize = 2;

/// The rows with their columns under one another, no blanks at their ends.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0) + GAP;
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The beginning of `text`, at most `most` characters; what is missing is marked.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_one_another() {
        let rows = [["a".into(), "long".into(), "x".into()], ["wider".into(), "b".into(), String::new()]];
        assert_eq!(table(&rows), ["a      long  x", "wider  b"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!([cut("four", 4), cut("fives", 4), cut("éééé", 2)], ["four", "fiv…", "é…"]);
    }
}
