//! Folders of two levels, with the files below each.

use super::survey::{Survey, shown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Folders named on each level of one folder.
const MOST: usize = 20;

pub(super) fn lines(survey: &Survey) -> Vec<String> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in &survey.files {
        let mut folders: Vec<&Path> =
            file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
        folders.reverse();
        folders.into_iter().take(2).for_each(|folder| *counts.entry(folder.to_owned()).or_default() += 1);
    }
    let outer: Vec<&PathBuf> = counts.keys().filter(|folder| folder.components().count() == 1).collect();
    let mut lines: Vec<String> = outer.iter().take(MOST).map(|folder| line(folder, &counts)).collect();
    let more = outer.len().saturating_sub(MOST);
    lines.extend((more > 0).then(|| format!("… {more} more folders")));
    lines
}

/// `src/ 40: a 12, b 20`.
fn line(folder: &Path, counts: &BTreeMap<PathBuf, usize>) -> String {
    let inner: Vec<(&PathBuf, &usize)> = counts.iter().filter(|(path, _)| path.parent() == Some(folder)).collect();
    let name = |path: &Path| path.file_name().map(|name| shown(Path::new(name))).unwrap_or_default();
    let mut words: Vec<String> =
        inner.iter().take(MOST).map(|(path, files)| format!("{} {files}", name(path))).collect();
    let more = inner.len().saturating_sub(MOST);
    words.extend((more > 0).then(|| format!("{more} more")));
    let inner = if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
    format!("{}/ {}{inner}", name(folder), counts[folder])
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;

    #[test]
    fn folders_come_with_the_files_below_them() {
        let found = lines(&survey(&["a.rs", "src/a.rs", "src/b/c/d.rs", "src/b/e.rs", "docs/x.md"]));
        assert_eq!(found, ["docs/ 1", "src/ 3: b 2"]);
    }
}
