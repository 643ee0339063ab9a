//! In which stages the trials of a run are made: all arms together, or one arm after another against the first. Pure.

use crate::class::TrialClass;
use crate::figures::{TaskPair, compare};
use crate::order::{Slot, Trying, order};
use crate::rows::TrialRow;
use crate::run::RunPlan;
use crate::task::TaskKind;
use crate::tuning::is_better;
use std::collections::BTreeSet;

/// Some trials that are made before those of the next stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The arm that is held against the first; none: all arms are in it.
    pub arm: Option<usize>,
    /// Its trials in their order.
    pub slots: Vec<Slot>,
}

impl RunPlan {
    /// The stages of the run, in their order. Trials of the first arm are in several of them, and made once.
    pub fn stages(&self) -> Vec<Stage> {
        let kinds: Vec<TaskKind> = self.tasks.iter().map(|(_, kind)| *kind).collect();
        let of = |arms: usize| order(arms, &kinds, self.trials, self.turns(), self.seed);
        match self.trying {
            Trying::Together => vec![Stage { arm: None, slots: of(self.arms.len()) }],
            Trying::OneByOne | Trying::Tuning => (1..self.arms.len())
                .map(|arm| {
                    let second = |slot: Slot| Slot { arm: if slot.arm == 0 { 0 } else { arm }, ..slot };
                    Stage { arm: Some(arm), slots: of(2).into_iter().map(second).collect() }
                })
                .collect(),
        }
    }

    /// The trials that are still to be made: those of stages that can tell nothing more are left out.
    pub fn outstanding(&self, rows: &[TrialRow]) -> BTreeSet<Slot> {
        let done: BTreeSet<_> = rows.iter().filter(|row| row.counts()).map(TrialRow::key).collect();
        let stages = self.stages().into_iter().filter(|stage| !self.is_lost(stage, rows));
        stages.flat_map(|stage| stage.slots).filter(|slot| !done.contains(&self.key(*slot))).collect()
    }

    /// Would the arm of `stage` not be better beyond doubt even if it solved all that it was not given yet, and the first arm
    /// nothing more?
    pub(crate) fn is_lost(&self, stage: &Stage, rows: &[TrialRow]) -> bool {
        let (Trying::Tuning, Some(arm)) = (self.trying, stage.arm) else { return false };
        let count = |arm: usize, task: &str| {
            let name = &self.arms[arm].name;
            let of_it = rows.iter().filter(|row| row.arm == *name && row.task == task && row.counts());
            of_it.fold((0, 0), |(solved, all), row| (solved + u32::from(row.class == TrialClass::Solved), all + 1))
        };
        let best = |task: &str| {
            let ((solved, tried), (other, _)) = (count(arm, task), count(0, task));
            TaskPair { one: (solved + self.trials.saturating_sub(tried), self.trials), other: (other, self.trials) }
        };
        let tasks = self.tasks.iter().filter(|(_, kind)| *kind != TaskKind::Cannot);
        let pairs: Vec<TaskPair> = tasks.map(|(task, _)| best(task)).collect();
        !is_better(&compare(&pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::sample;

    fn plan(arms: usize, tasks: usize, trials: u32, trying: &str) -> RunPlan {
        let arm = |name| format!(r#"{{"name":"{name}","host":"h","kind":"auto","model":"m"}}"#);
        let arms: Vec<String> = (0..arms).map(|at| arm(format!("a{at}"))).collect();
        let tasks: Vec<String> = (0..tasks).map(|at| format!(r#"["t{at}","mend"]"#)).collect();
        let json = format!(
            r#"{{"version":1,"id":"r","began":0,"agent":"0","course":"own","folder":null,"hash":"h","tasks":[{}],
            "left_out":[],"arms":[{}],"trials":{trials},"seed":1,"time_factor":1.0,"command":"","trying":"{trying}"}}"#,
            tasks.join(","),
            arms.join(",")
        );
        serde_json::from_str(&json).unwrap()
    }

    fn rows(arm: &str, tasks: std::ops::Range<usize>, class: TrialClass) -> Vec<TrialRow> {
        tasks.map(|task| sample(arm, &format!("t{task}"), 1, class)).collect()
    }

    #[test]
    fn one_after_the_other_each_arm_meets_the_first_and_no_trial_is_made_twice() {
        let plan = plan(3, 4, 2, "one_by_one");
        let stages = plan.stages();
        assert_eq!((stages.len(), stages[1].arm), (2, Some(2)));
        assert!(stages[0].slots.iter().all(|slot| slot.arm < 2) && stages[1].slots.iter().all(|slot| slot.arm != 1));
        assert_eq!(plan.outstanding(&[]).len(), 24);
        assert_eq!(plan.order().len(), 24);
        assert_eq!(plan.outstanding(&rows("a0", 0..4, TrialClass::Wrong)).len(), 20);
    }

    #[test]
    fn a_candidate_is_left_as_soon_as_nothing_could_make_it_better() {
        let plan = plan(2, 12, 1, "tuning");
        let stage = &plan.stages()[0];
        assert!(!plan.is_lost(stage, &[]));
        // The model as it is solves seven: five more tasks show no difference beyond doubt.
        let first = rows("a0", 0..7, TrialClass::Solved);
        assert!(plan.is_lost(stage, &first));
        let failed = rows("a1", 0..7, TrialClass::Wrong);
        assert!(plan.is_lost(stage, &failed), "five won and seven alike");
        assert!(!plan.is_lost(stage, &rows("a1", 0..3, TrialClass::Wrong)), "nine could still be won");
        assert!(plan.outstanding(&first).is_empty());
        // Where nobody is tuned all of it is made.
        let compared = RunPlan { trying: Trying::OneByOne, ..plan.clone() };
        assert_eq!(compared.outstanding(&first).len(), 17);
    }

    #[test]
    fn so_few_tasks_that_nothing_could_be_shown_are_not_begun() {
        let few = plan(2, 4, 1, "tuning");
        assert!(few.outstanding(&[]).is_empty());
    }
}
