//! What could be brought back of what a command may do, told before it runs.
//!
//! Looks at names and sizes alone. What is not kept yet is read by a thread of its own meanwhile, so that the command
//! need not wait long once the user has said yes.

use super::snapshot::forecast;
use super::{Shared, Undo};
use agent_protocol::{Cover, CoverScope, LeftOut, Unkept};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What was told so short a time ago is told again.
const GOOD_FOR: Duration = Duration::from_secs(1);

pub(super) fn cover(shared: &Arc<Shared>) -> Cover {
    if let Some((at, cover)) = &*shared.told()
        && at.elapsed() < GOOD_FOR
    {
        return cover.clone();
    }
    if let Some(why) = shared.vault.closed() {
        return Cover { scope: CoverScope::Nothing { why }, files: 0, left_out: Vec::new() };
    }
    let glances = shared.glances(&shared.seen());
    let (known, mut left) = (shared.last().clone(), shared.vault.left());
    let (mut covered, mut unknown) = (0, false);
    let mut left_out: BTreeMap<Unkept, u64> = BTreeMap::new();
    for glance in &glances {
        let why = known.why_not(glance).unwrap_or_else(|| {
            unknown = true;
            forecast(glance, shared.vault.max_file(), &mut left)
        });
        match why {
            Some(why) => *left_out.entry(why).or_default() += 1,
            None => covered += 1,
        }
    }
    let scope = if shared.only_seen() { CoverScope::Seen { most: shared.max_files } } else { CoverScope::Project };
    let left_out = left_out.into_iter().map(|(why, files)| LeftOut { why, files }).collect();
    let cover = Cover { scope, files: covered, left_out };
    *shared.told() = Some((Instant::now(), cover.clone()));
    if unknown {
        read_ahead(shared);
    }
    cover
}

/// Keeps what is not kept yet, unless somebody is at it.
fn read_ahead(shared: &Arc<Shared>) {
    if shared.ahead.swap(true, Ordering::Relaxed) {
        return;
    }
    let undo = Undo(shared.clone());
    let started = std::thread::Builder::new().name("undo".into()).spawn(move || {
        undo.0.look(&[]);
        undo.0.ahead.store(false, Ordering::Relaxed);
    });
    if started.is_err() {
        shared.ahead.store(false, Ordering::Relaxed);
    }
}
