//! The same work for many files, by several threads, until nobody waits for it or its time is up.

use crate::blocking::Stop;
use crate::parallel::while_wanted;
use std::time::{Duration, Instant};

/// What `work` makes of each of `items`, with its place in the list, in their order; `None` is left out. And how many of
/// them there was no time for.
pub(super) fn each<T: Sync, R: Send>(
    items: &[T],
    time: Duration,
    stop: &Stop,
    work: impl Fn(&T) -> Option<R> + Sync,
) -> (Vec<(usize, R)>, usize) {
    let until = Instant::now() + time;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let done = while_wanted(items, threads, || !stop.wanted() && Instant::now() < until, work);
    let left = items.len() - done.len();
    (done.into_iter().filter_map(|(at, made)| Some((at, made?))).collect(), left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_kept_and_what_there_was_no_time_for_is_counted() {
        let items: Vec<usize> = (0..100).collect();
        let odd = |item: &usize| (item % 2 == 1).then_some(*item);
        let (made, left) = each(&items, Duration::from_secs(60), &Stop::default(), odd);
        assert_eq!((made.len(), made[0], made[49], left), (50, (1, 1), (99, 99), 0));
        assert_eq!(each(&items, Duration::ZERO, &Stop::default(), odd), (Vec::new(), 100));
        let stop = Stop::default();
        stop.ask();
        assert_eq!(each(&items, Duration::from_secs(60), &stop, odd), (Vec::new(), 100));
    }
}
