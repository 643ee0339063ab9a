//! On what a run ran, as far as the system tells. A wrong guess harms nothing: it is shown and not used.

use serde::{Deserialize, Serialize};
use std::fs;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system and the processor's family.
    pub system: String,
    pub processor: String,
    /// Threads that it runs at once.
    pub threads: usize,
    pub memory_gb: u64,
    /// Graphics cards by their names.
    pub cards: Vec<String>,
}

impl Machine {
    pub fn this() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Machine {
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: field(&text("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".into()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gb: memory(&text("/proc/meminfo")),
            cards: cards(),
        }
    }

    /// In a line.
    pub fn words(&self) -> String {
        let cards = if self.cards.is_empty() { "no card that is known".to_owned() } else { self.cards.join(", ") };
        format!(
            "{}, {} ({} threads), {} GB of memory, {cards}",
            self.system, self.processor, self.threads, self.memory_gb
        )
    }
}

/// What stands behind `name :`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// `MemTotal: 32768000 kB`, in GB.
fn memory(text: &str) -> u64 {
    let kilobytes = field(text, "MemTotal").and_then(|total| total.split_whitespace().next()?.parse::<u64>().ok());
    (kilobytes.unwrap_or(0) + (1 << 19)) >> 20
}

/// As the driver of NVIDIA tells them; those of others have no name in a file.
fn cards() -> Vec<String> {
    let folders = fs::read_dir("/proc/driver/nvidia/gpus").into_iter().flatten().flatten();
    let texts = folders.filter_map(|folder| fs::read_to_string(folder.path().join("information")).ok());
    texts.filter_map(|text| field(&text, "Model")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        assert_eq!(field("a : b\nmodel name\t: Some CPU @ 3\n", "model name").as_deref(), Some("Some CPU @ 3"));
        assert_eq!(memory("MemTotal:       32768000 kB\nMemFree: 1 kB\n"), 31);
        assert_eq!(memory(""), 0);
        assert!(Machine::this().threads > 0);
    }
}
