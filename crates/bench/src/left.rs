//! How long the rest of a run takes, by the trials that were made. Pure.

use crate::rows::TrialRow;
use crate::task::TaskKind;
use std::collections::BTreeMap;
use std::time::Duration;

/// About how long trials take of which arm and kind stand in `todo`: each as long as the median of its like, which are
/// those of its arm and kind, else of its arm, else of its kind, else all. Trials that do not count tell nothing of it: where
/// a server is gone they take no time. None where nothing was made yet.
pub fn time_left<'a>(
    todo: impl IntoIterator<Item = (&'a str, TaskKind)>,
    rows: &[TrialRow],
    kinds: &BTreeMap<String, TaskKind>,
) -> Option<Duration> {
    let mut known: BTreeMap<(&str, TaskKind), f64> = BTreeMap::new();
    let mut secs = 0.0;
    for (arm, kind) in todo {
        secs += match known.get(&(arm, kind)) {
            Some(secs) => *secs,
            None => *known.entry((arm, kind)).or_insert(like(arm, kind, rows, kinds)?),
        };
    }
    Some(Duration::from_secs_f64(secs))
}

fn like(arm: &str, kind: TaskKind, rows: &[TrialRow], kinds: &BTreeMap<String, TaskKind>) -> Option<f64> {
    let is_kind = |row: &TrialRow| kinds.get(&row.task) == Some(&kind);
    let same: [&dyn Fn(&TrialRow) -> bool; 4] =
        [&|row| row.arm == arm && is_kind(row), &|row| row.arm == arm, &is_kind, &|_| true];
    same.iter().find_map(|same| {
        let mut secs: Vec<f64> =
            rows.iter().filter(|row| row.counts() && same(row)).map(|row| row.secs.max(0.0)).collect();
        secs.sort_by(f64::total_cmp);
        secs.get(secs.len() / 2).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::TrialClass;
    use crate::rows::sample;

    #[test]
    fn each_trial_is_reckoned_by_those_most_like_it() {
        let kinds = BTreeMap::from([("w".to_owned(), TaskKind::Write), ("m".to_owned(), TaskKind::Mend)]);
        let row = |arm, task, secs| TrialRow { secs, ..sample(arm, task, 1, TrialClass::Wrong) };
        let rows = [row("a", "w", 10.0), row("a", "w", 30.0), row("a", "w", 500.0), row("b", "m", 100.0)];
        let left = |todo: &[(&'static str, TaskKind)]| time_left(todo.iter().copied(), &rows, &kinds);
        assert_eq!(left(&[("a", TaskKind::Write)]), Some(Duration::from_secs(30)), "its arm and kind");
        assert_eq!(left(&[("b", TaskKind::Write)]), Some(Duration::from_secs(100)), "its arm");
        assert_eq!(left(&[("c", TaskKind::Mend)]), Some(Duration::from_secs(100)), "its kind");
        assert_eq!(left(&[("a", TaskKind::Write), ("b", TaskKind::Mend)]), Some(Duration::from_secs(130)));
        assert_eq!(left(&[]), Some(Duration::ZERO));
        assert_eq!(time_left([("a", TaskKind::Write)], &[], &kinds), None, "from nothing follows nothing");
        let fault = TrialRow { secs: 0.1, ..sample("a", "w", 2, TrialClass::Fault) };
        let faults = [vec![fault; 5], rows.to_vec()].concat();
        assert_eq!(time_left([("a", TaskKind::Write)], &faults, &kinds), Some(Duration::from_secs(30)));
        assert_eq!(time_left([("a", TaskKind::Write)], &faults[..5], &kinds), None, "nothing that counts");
    }
}
