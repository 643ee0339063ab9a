//! What sessions cost in prompts, and how often the server has to read one anew: played on generated projects, after sessions
//! that were played by hand on real ones. `cargo bench --bench measure -- cost` prints all of them.

use crate::cost::{Cost, ON, Session, click, commander, fd, only, pylint};

fn sum(costs: &[Cost]) -> Cost {
    let add = |field: fn(&Cost) -> usize| costs.iter().map(field).sum();
    let missing = costs.iter().flat_map(|cost| cost.missing.clone()).collect();
    let largest = costs.iter().map(|cost| cost.largest).max().unwrap_or(0);
    let first = costs.first().map_or(0, |cost| cost.first);
    Cost {
        requests: add(|it| it.requests),
        characters: add(|it| it.characters),
        largest,
        added: add(|it| it.added),
        breaks: add(|it| it.breaks),
        missing,
        first,
        code: costs.iter().map(|cost| cost.code).find(|code| *code != Some(0)).unwrap_or(Some(0)),
    }
}

#[test]
fn a_session_of_58_requests_in_a_small_window_has_its_prefix_broken_three_times_at_most() {
    let [off, on] = [&only(&[]), ON].map(|config| sum(&pylint::session().play(config)));
    assert_eq!((&off.missing, &on.missing), (&Vec::new(), &Vec::new()));
    assert_eq!(on.requests, 58);
    assert!(on.breaks <= 3, "{on:?}");
    assert!(off.breaks >= 9, "the session was written so that it shows: {off:?}");
}

#[test]
fn five_sessions_cost_far_fewer_characters_and_no_more_requests() {
    let sessions: [fn() -> Session; 4] = [click::session, fd::session, commander::session, pylint::session];
    let played = |config: &str| sum(&sessions.map(|session| session().play(config)).concat());
    let (off, on) = (played(&only(&[])), played(ON));
    assert_eq!((&off.missing, &on.missing), (&Vec::new(), &Vec::new()));
    assert!(on.requests <= off.requests, "{on:?} after {off:?}");
    assert!(on.characters * 10 <= off.characters * 7, "{on:?} after {off:?}");
    assert!(on.first <= 5_000, "{on:?}");
}
