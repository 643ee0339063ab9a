//! By which way the calls of this session arrived, counted.

use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Origin, Way};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Arrivals {
    by_way: BTreeMap<Way, Count>,
    repaired: u64,
    repairs: u64,
    changed: u64,
}

/// How many came by one way, and those of them that were read as a dialect.
#[derive(Debug, Default)]
struct Count {
    calls: u64,
    dialects: BTreeMap<String, u64>,
}

impl Arrivals {
    pub fn arrived(&mut self, origin: &Origin) {
        let count = self.by_way.entry(origin.way).or_default();
        count.calls += 1;
        if let Some(dialect) = &origin.dialect {
            *count.dialects.entry(clean_line(dialect).into_owned()).or_default() += 1;
        }
        self.repaired += u64::from(!origin.repairs.is_empty());
        self.repairs += origin.repairs.len() as u64;
    }

    /// A call is carried out in other words than the model's.
    pub fn changed(&mut self) {
        self.changed += 1;
    }

    /// `12 by the server · 3 from text (hermes 2, qwen3-coder 1)`.
    pub fn by_way(&self) -> String {
        let ways: Vec<String> = self.by_way.iter().map(|(way, count)| count.label(*way)).collect();
        if ways.is_empty() { "none yet".to_owned() } else { ways.join(" · ") }
    }

    /// `4 repairs in 2 calls · 1 call changed`; empty where every call was carried out as it came.
    pub fn mended(&self) -> String {
        let repairs = (self.repairs > 0)
            .then(|| format!("{} in {}", counted(self.repairs, "repair"), counted(self.repaired, "call")));
        let changed = (self.changed > 0).then(|| format!("{} changed", counted(self.changed, "call")));
        repairs.into_iter().chain(changed).collect::<Vec<_>>().join(" · ")
    }
}

impl Count {
    fn label(&self, way: Way) -> String {
        let mut dialects: Vec<(&String, &u64)> = self.dialects.iter().collect();
        dialects.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let dialects: Vec<String> = dialects.iter().map(|(dialect, count)| format!("{dialect} {count}")).collect();
        let dialects = if dialects.is_empty() { String::new() } else { format!(" ({})", dialects.join(", ")) };
        format!("{} {}{dialects}", self.calls, way.words())
    }
}

#[cfg(test)]
mod tests {
    use super::Arrivals;
    use agent_protocol::{Origin, Way};

    fn origin(way: Way, dialect: Option<&str>, repairs: usize) -> Origin {
        Origin { way, dialect: dialect.map(Into::into), raw: String::new(), repairs: vec!["mended".into(); repairs] }
    }

    #[test]
    fn calls_are_counted_by_way_and_dialect_the_frequent_first() {
        let mut arrivals = Arrivals::default();
        assert_eq!((arrivals.by_way(), arrivals.mended()), ("none yet".into(), String::new()));
        (0..12).for_each(|_| arrivals.arrived(&Origin::default()));
        arrivals.arrived(&origin(Way::ServerError, Some("qwen3-coder"), 1));
        arrivals.arrived(&origin(Way::Text, Some("glm"), 0));
        (0..2).for_each(|_| arrivals.arrived(&origin(Way::Text, Some("hermes"), 2)));
        arrivals.arrived(&origin(Way::Constrained, None, 0));
        let ways = "12 by the server · 3 from text (hermes 2, glm 1) · 1 from a server error (qwen3-coder 1) · 1 held to a schema";
        assert_eq!((arrivals.by_way().as_str(), arrivals.mended().as_str()), (ways, "5 repairs in 3 calls"));
        arrivals.changed();
        assert_eq!(arrivals.mended(), "5 repairs in 3 calls · 1 call changed");
    }
}
