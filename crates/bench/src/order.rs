//! In which order trials run: the first trial of every task before the second of any, and the arms in step, so that a run may
//! stop anywhere and still tell something.

use crate::random::Random;
use crate::task::TaskKind;
use serde::{Deserialize, Serialize};

/// Tasks that one model works on before the next is loaded.
const BLOCK: usize = 4;

/// How the arms take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    /// Task by task: no model has to be loaded in between.
    EachTask,
    /// Some tasks at a time: each change loads another model.
    Blocks,
}

/// How the arms of a run are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trying {
    #[default]
    Together,
    /// One after the other, each against the first.
    OneByOne,
    /// The same; one that cannot become better any more is left.
    Tuning,
}

/// One trial that is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    pub arm: usize,
    pub task: usize,
    /// Which trial of it, from 1.
    pub trial: u32,
}

/// The whole order of `trials` trials by `arms` arms of tasks of these `kinds`.
pub fn order(arms: usize, kinds: &[TaskKind], trials: u32, turns: Turns, seed: u64) -> Vec<Slot> {
    let size = match turns {
        Turns::EachTask => 1,
        Turns::Blocks => BLOCK,
    };
    let mut slots = Vec::new();
    let mut forth = true;
    for trial in 1..=trials {
        let tasks = mixed(kinds, seed.wrapping_add(u64::from(trial)));
        for block in tasks.chunks(size) {
            // There and back again: whoever was last begins, so it stays loaded, and nobody is always first.
            for turn in 0..arms {
                let arm = if forth { turn } else { arms - 1 - turn };
                slots.extend(block.iter().map(|task| Slot { arm, task: *task, trial }));
            }
            forth = !forth;
        }
    }
    slots
}

/// The tasks, kinds by turns, so that the first few are of all kinds.
fn mixed(kinds: &[TaskKind], seed: u64) -> Vec<usize> {
    let mut tasks: Vec<usize> = (0..kinds.len()).collect();
    Random::new(seed).shuffle(&mut tasks);
    let mut placed: Vec<(f64, usize)> = Vec::with_capacity(tasks.len());
    for (at, task) in tasks.iter().enumerate() {
        let same = |other: &&usize| kinds[**other] == kinds[*task];
        let (before, all) = (tasks[..at].iter().filter(same).count(), tasks.iter().filter(same).count());
        // Each kind is spread evenly over the whole.
        placed.push(((before as f64 + 0.5) / all as f64, *task));
    }
    placed.sort_by(|one, other| one.0.total_cmp(&other.0));
    placed.into_iter().map(|(_, task)| task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn kinds() -> Vec<TaskKind> {
        let mut kinds = vec![TaskKind::Write; 6];
        kinds.extend([TaskKind::Mend; 4]);
        kinds.extend([TaskKind::Find; 2]);
        kinds
    }

    fn counts(slots: &[Slot], arms: usize) -> Vec<usize> {
        (0..arms).map(|arm| slots.iter().filter(|slot| slot.arm == arm).count()).collect()
    }

    #[test]
    fn each_trial_is_made_once_and_the_first_of_all_tasks_comes_first() {
        for turns in [Turns::EachTask, Turns::Blocks] {
            let slots = order(3, &kinds(), 2, turns, 7);
            assert_eq!(slots.len(), 72);
            assert_eq!(slots.iter().collect::<BTreeSet<_>>().len(), 72);
            assert!(slots[..36].iter().all(|slot| slot.trial == 1));
        }
    }

    #[test]
    fn wherever_it_stops_the_arms_are_in_step() {
        for (turns, apart) in [(Turns::EachTask, 1), (Turns::Blocks, BLOCK)] {
            let slots = order(2, &kinds(), 3, turns, 1);
            for stop in 0..=slots.len() {
                let counts = counts(&slots[..stop], 2);
                assert!(counts[0].abs_diff(counts[1]) <= apart, "{turns:?} at {stop}: {counts:?}");
            }
        }
    }

    #[test]
    fn the_first_tasks_are_of_all_kinds_and_a_seed_gives_one_order() {
        let (kinds, first) = (kinds(), order(1, &kinds(), 1, Turns::EachTask, 3));
        let seen: BTreeSet<TaskKind> = first[..6].iter().map(|slot| kinds[slot.task]).collect();
        assert_eq!(seen.len(), 3);
        assert_eq!(first, order(1, &kinds, 1, Turns::EachTask, 3));
        assert_ne!(first, order(1, &kinds, 1, Turns::EachTask, 4));
    }

    #[test]
    fn models_are_seldom_loaded() {
        let slots = order(2, &kinds(), 1, Turns::Blocks, 1);
        let loads = slots.windows(2).filter(|pair| pair[0].arm != pair[1].arm).count();
        assert_eq!(loads, 3);
    }
}
