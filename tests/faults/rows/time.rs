//! Clocks that jump and machines that sleep.

use crate::journals;
use crate::room::Room;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

/// Sets the clock of the day back by an hour as soon as the file that JUMP names is there. The clock that only goes
/// forward is left alone, as it is when a machine's clock is set.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) {
  const char *file = getenv("JUMP");
  return file && access(file, F_OK) == 0 ? SECONDS : 0;
}
int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int said = real(id, at);
  if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) at->tv_sec += jump();
  return said;
}
int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"#;

pub(super) fn a_clock_that_jumps_back(mut room: Room) {
    let seconds = room.case.inject["faketime"].as_str().expect("seconds");
    let (source, shim, jump) = (room.top().join("shim.c"), room.top().join("shim.so"), room.top().join("jump"));
    std::fs::write(&source, SHIM.replace("SECONDS", seconds)).expect("a file can be written");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&shim).arg(&source).arg("-ldl").status();
    assert!(built.is_ok_and(|status| status.success()), "the clock needs a C compiler, as linking does");
    crate::room::set_mode(&shim, 0o755);
    room.set("LD_PRELOAD", &shim.display().to_string());
    room.set("JUMP", &jump.display().to_string());
    let mut seat = room.open();
    seat.say("before");
    seat.wait("the first answer", |screen| screen.matches("finished").count() == 1);
    std::fs::write(&jump, "").expect("a file can be written");
    seat.say("after");
    let shown = seat.wait("the second answer", |screen| screen.matches("finished").count() == 2);
    let place = |word: &str| shown.find(word).unwrap_or_else(|| panic!("no {word}: {shown}"));
    assert!(place("before") < place("after"), "{shown}");
    let negative = shown.match_indices('-').any(|(at, _)| shown[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    assert!(!negative && !shown.contains("59 min") && !shown.contains("1 h"), "{shown}");
    seat.leave();
    let kept = journals::only(&room.state());
    let text = std::fs::read_to_string(journals::path(&room.state(), &kept.card.id)).expect("it is there");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let (numbers, times): (Vec<_>, Vec<_>) = lines.map(|line| (line["seq"].as_u64(), line["t"].as_u64())).unzip();
    assert!(numbers.iter().copied().eq((0..numbers.len() as u64).map(Some)), "{numbers:?}");
    assert!(times.windows(2).any(|pair| pair[1] < pair[0]), "the clock did not jump: {times:?}");
    let seat = room.open_with(&["-c"]);
    let shown = seat.wait("both answers", |screen| screen.matches("finished").count() == 2);
    let place = |word: &str| shown.find(word).unwrap_or_else(|| panic!("no {word}: {shown}"));
    assert!(place("before") < place("after"), "{shown}");
    seat.leave();
}

pub(super) fn a_machine_that_sleeps(room: Room) {
    /// Longer than silence goes untold.
    const SLEPT: Duration = Duration::from_secs(7);
    let script = json!({"chat": [["tok", "before"], ["sleep", 1], ["tok", " and after"], ["sleep", 600]]});
    let room = room.playing(&script);
    let mut seat = room.open();
    seat.say("say hello");
    seat.wait_for("before");
    seat.signal(Signal::STOP);
    let stopped = Instant::now();
    room.player.wait("the server to go on and fall silent", |chats| chats[0].played >= 3 && stopped.elapsed() > SLEPT);
    seat.resize((100, 30));
    seat.signal(Signal::CONT);
    seat.wait_for("before and after");
    seat.wait("silence to be told", |screen| {
        screen.contains("no token for") || screen.contains("nothing has arrived for")
    });
    seat.keys("<esc>");
    room.player.wait("the end", |chats| chats[0].gone.is_some());
    seat.wait_idle();
    seat.leave();
}
