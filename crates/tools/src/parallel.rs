//! Does many things at the same time.
//!
//! Of what waits for the disk that is worth most: a disk makes eight files last in the time of one. To have the system make all files of a disk last in one go was measured too: no faster, and it waits for whatever
//! anybody else is writing.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Things done at the same time. More gain nothing: the disk writes down together whatever waits for it.
const AT_ONCE: usize = 8;

/// `work` on every one of `items`; what it gave, in their order.
pub(crate) fn each<'a, T: Sync, R: Send>(items: &'a [T], work: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    while_wanted(items, AT_ONCE, || true, work).into_iter().map(|(_, result)| result).collect()
}

/// `work` on the first of `items`, by so many threads, for as long as it is `wanted`; what it gave, with the places.
pub(crate) fn while_wanted<'a, T: Sync, R: Send>(
    items: &'a [T],
    threads: usize,
    wanted: impl Fn() -> bool + Sync,
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<(usize, R)> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        while wanted() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            done.push((at, work(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(some)).collect();
        let own = some();
        let theirs = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|it| std::panic::resume_unwind(it)));
        theirs.flatten().chain(own).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_in_order() {
        for length in [0, 1, 2, 7, 8, 9, 1000] {
            let items: Vec<usize> = (0..length).collect();
            let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(each(&items, |item| item * 2), doubled);
        }
    }
}
