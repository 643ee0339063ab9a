//! A run that was killed anywhere comes to the rows and figures of one that was not.

use super::figures;
use crate::class::TrialClass;
use crate::random::Random;
use crate::rows::{Rows, TrialRow, sample};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Two arms, three tasks, two trials each, however they went.
fn planned(random: &mut Random) -> Vec<TrialRow> {
    let classes = [TrialClass::Solved, TrialClass::Wrong, TrialClass::StepLimit];
    let row = |at: u32| {
        let class = classes[usize::try_from(random.bits() % 3).unwrap()];
        sample(["m", "n"][usize::from(at % 2 == 1)], &format!("t{}", at / 2 % 3), at / 6 + 1, class)
    };
    (0..12).map(row).collect()
}

/// What a run does: trials that are done are not made again.
fn made(path: &Path, planned: &[TrialRow]) {
    let mut rows = Rows::open(path).unwrap();
    let missing: Vec<&TrialRow> = planned.iter().filter(|row| !rows.is_done(&row.key())).collect();
    missing.into_iter().for_each(|row| rows.append(row.clone()).unwrap());
}

#[test]
fn killed_at_two_hundred_places_a_run_comes_to_the_same_rows_and_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trials.jsonl");
    let (mut random, arms) = (Random::new(7), ["m".to_owned(), "n".to_owned()]);
    let planned = planned(&mut random);
    made(&path, &planned);
    let whole = fs::read(&path).unwrap();
    let expected = figures(&planned, &arms, &BTreeMap::new());
    for _ in 0..200 {
        // What a process that was killed has left is the beginning of what it would have written.
        let cut = usize::try_from(random.bits() % (whole.len() as u64 + 1)).unwrap();
        fs::write(&path, &whole[..cut]).unwrap();
        made(&path, &planned);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
        assert_eq!(figures(&Rows::look(&path).unwrap(), &arms, &BTreeMap::new()), expected, "cut at {cut}");
    }
}
