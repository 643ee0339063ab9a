//! Places of several arms: those that cannot be told apart share one.
//!
//! Of many pairs some look different by chance alone, so their odds are held against Holm's stricter levels.

use super::paired::Difference;

/// What is held against chance, over all pairs together.
const LEVEL: f64 = 0.05;

/// The odds of each pair after Holm: no smaller than before, and in the same order.
pub(super) fn holm(odds: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..odds.len()).collect();
    order.sort_by(|one, other| odds[*one].total_cmp(&odds[*other]));
    let (mut adjusted, mut least) = (vec![1.0; odds.len()], 0.0_f64);
    for (rank, pair) in order.into_iter().enumerate() {
        least = least.max(odds[pair] * (odds.len() - rank) as f64).min(1.0);
        adjusted[pair] = least;
    }
    adjusted
}

/// The place of each arm, from 1, by its share. `between` tells the difference of two of them.
pub(super) fn places(shares: &[f64], between: impl Fn(usize, usize) -> Difference) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|one, other| shares[*other].total_cmp(&shares[*one]));
    let pairs: Vec<(usize, usize)> =
        (0..order.len()).flat_map(|high| (high + 1..order.len()).map(move |low| (high, low))).collect();
    let odds: Vec<f64> = pairs.iter().map(|(high, low)| between(order[*high], order[*low]).p).collect();
    let adjusted = holm(&odds);
    let apart = |high: usize, low: usize| {
        let at = pairs.iter().position(|pair| *pair == (high, low));
        at.is_some_and(|at| adjusted[at] <= LEVEL)
    };
    let (mut places, mut leader) = (vec![0; shares.len()], 0);
    for (rank, arm) in order.iter().enumerate() {
        if rank > 0 && apart(leader, rank) {
            leader = rank;
        }
        places[*arm] = leader + 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(p: f64) -> Difference {
        Difference { tasks: 12, difference: 0.1, low: 0.0, high: 0.2, p, visible_from: 0.2 }
    }

    #[test]
    fn holm_is_stricter_with_the_smallest_and_keeps_the_order() {
        let adjusted = holm(&[0.04, 0.01, 0.03]);
        let expected = [0.06, 0.03, 0.06];
        assert!(adjusted.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{adjusted:?}");
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn who_cannot_be_told_from_the_leader_shares_its_place() {
        let p = |one: usize, other: usize| match (one.min(other), one.max(other)) {
            (0, 1) => 0.4,
            (_, 2) => 0.001,
            _ => 1.0,
        };
        assert_eq!(places(&[0.5, 0.6, 0.1], |one, other| difference(p(one, other))), [1, 1, 3]);
        assert_eq!(places(&[0.5], |_, _| difference(1.0)), [1]);
        assert_eq!(places(&[0.2, 0.9], |_, _| difference(0.001)), [2, 1]);
    }
}
