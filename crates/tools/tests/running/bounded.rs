//! No result is larger than what one may take, whatever a program puts out and by whichever way it is asked for; and what a
//! program puts out takes only so much of even the largest window.

use super::{House, call, never};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;

/// Many lines, one without end, wide letters, bytes that are no text, signs of tests, and many lines beside a failure.
const RUNAWAY: [&str; 7] = [
    "seq 1 30000",
    "head -c 100000 /dev/zero | tr '\\0' x",
    "yes 漢字🦀é | head -n 20000",
    "head -c 100000 /dev/zero | tr '\\0' '\\377'",
    "head -c 100000 /dev/zero | tr '\\0' .",
    "yes '.' | head -n 50000",
    "seq 1 30000; seq 1 30000 >&2; exit 3",
];

/// The most bytes that a result may have where it could have so many.
fn most(room: usize) -> usize {
    room.min(24 * 1024)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_programs_put_out_stays_within_its_room() {
    let mut house = House::new();
    for line in RUNAWAY {
        for room in [1_024, 200_000] {
            let agreed = house.agreed(&format!(": > made; {line}"));
            let outcome = house.perform_in(room, agreed, never()).await;
            assert!(outcome.told.len() <= most(room), "{line} in {room}: {}", outcome.told.len());
            assert!(outcome.told.starts_with("exit code "), "{line}: {}", &outcome.told[..40]);
        }
        let permit = house.policy.own_command(line).unwrap();
        let outcome = house.toolbox.run_own(permit, 200_000, unbounded_channel().0, never()).await;
        assert!(outcome.told.len() <= most(200_000), "{line} of one's own: {}", outcome.told.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_of_the_background_stays_within_its_room() {
    let mut house = House::new();
    for (number, line) in (1..).zip(RUNAWAY) {
        let command = format!("({line}); touch done{number}; exec sleep 300");
        let started = house.agreed_to(&call("run_command", json!({"command": command, "run_in_background": true})));
        let outcome = house.perform_in(200_000, started, never()).await;
        assert!(outcome.told.len() <= most(200_000), "{line}, started: {}", outcome.told.len());
        while !house.root.join(format!("done{number}")).exists() {
            tokio::task::yield_now().await;
        }
        for room in [1_024, 200_000] {
            let output = call("jobs", json!({"action": "output", "id": number, "since": 0}));
            let allowed = house.allowed(&output);
            let outcome = house.perform_in(room, allowed, never()).await;
            assert!(outcome.told.len() <= most(room), "{line} in {room}: {}", outcome.told.len());
            assert!(outcome.told.contains("is running; output:\n"), "{line}: {}", &outcome.told[..60]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_middle_of_what_was_said_in_the_background_can_be_had() {
    let mut house = House::new();
    let command = "seq 1 100000; touch done; exec sleep 300";
    let started = house.agreed_to(&call("run_command", json!({"command": command, "run_in_background": true})));
    house.perform(started).await;
    while !house.root.join("done").exists() {
        tokio::task::yield_now().await;
    }
    let read = |since: u64| call("jobs", json!({"action": "output", "id": 1, "since": since}));
    let outcome = house.perform(house.allowed(&read(0))).await;
    let told = "cut here; it began at byte 0 of 588895: since shows it from any byte on]";
    assert!(outcome.told.contains(told) && outcome.told.ends_with("99999\n100000\n"), "{}", outcome.told);
    let outcome = house.perform(house.allowed(&read(288_894))).await;
    assert!(outcome.told.starts_with("command 1 is running; output:\n50001\n50002\n"), "{}", outcome.told);
}
