//! Attacks and corner cases of the tools for files, driven through the real loop with real tools and a real policy; and
//! what must hold while somebody else writes at the same time, or while we are killed.
//!
//! Each row of `cases.jsonl` and `ours.jsonl` is one call in a project of its own. Where the tests are started as root they run again as a
//! user who may do less, because root may read and write whatever the rights say.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod checks;
mod full;
mod hands;
mod house;
mod kills;
mod races;
mod rows;
mod tree;
mod undo;
mod unprivileged;
mod words;

use rows::Row;

/// The rows stand in `cases.jsonl`, and those that came to mind while building in `ours.jsonl`.
#[test]
fn every_row_behaves_as_it_says() {
    unprivileged::run("every_row_behaves_as_it_says", || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let rows = rows::all();
        let mut faults = Vec::new();
        for row in &rows {
            // Some rows speak of a memory that is not to be used up, which is told of the whole process.
            if let Err(fault) = runtime.block_on(house::drive(row)) {
                faults.push(format!("{} ({}): {fault}\n    because {}", row.id, row.title, row.why));
            }
        }
        say(&rows);
        assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), rows.len(), faults.join("\n"));
    });
}

/// What ran: nothing is passed over in silence.
#[expect(clippy::print_stdout, reason = "shown when the test is run with --nocapture or fails")]
fn say(rows: &[Row]) {
    println!("{} rows ran, 0 skipped", rows.len());
}

/// Every name that the lists name is there, so that none of them hides a row that was renamed.
#[test]
fn every_listed_row_exists() {
    let rows = rows::all();
    for (id, _) in words::ON_SCREEN {
        assert!(rows.iter().any(|row| row.id == *id), "{id}");
    }
}
