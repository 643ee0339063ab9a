//! Files as they are in real projects, and changes that a model could want of them.

use std::path::Path;

/// One wanted change of one file.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The name of the file.
    pub(crate) name: String,
    /// The whole file.
    pub(crate) text: String,
    /// What is in it exactly once.
    pub(crate) old: String,
    pub(crate) new: String,
}

impl Sample {
    /// The file after the change.
    pub(crate) fn done(&self) -> String {
        self.text.replacen(&self.old, &self.new, 1)
    }
}

/// Every change in `wanted/`, in a fixed order.
pub(crate) fn all() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edits");
    let mut names: Vec<String> = std::fs::read_dir(folder.join("files"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.iter().flat_map(|name| of(&folder, name)).collect()
}

fn of(folder: &Path, name: &str) -> Vec<Sample> {
    let text = std::fs::read_to_string(folder.join("files").join(name)).unwrap();
    let wanted = std::fs::read_to_string(folder.join("wanted").join(format!("{name}.txt"))).unwrap();
    let blocks = wanted.strip_prefix("--- old\n").unwrap().split("\n--- old\n");
    blocks
        .map(|block| {
            let (old, new) = block.split_once("\n--- new\n").unwrap();
            let new = new.strip_suffix('\n').unwrap_or(new);
            assert_eq!(text.matches(old).count(), 1, "{name} has this once:\n{old}");
            Sample { name: name.into(), text: text.clone(), old: old.into(), new: new.into() }
        })
        .collect()
}
