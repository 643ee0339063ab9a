//! How fast the server reads and writes, and what it had still in mind.
//!
//! A server tells how long it read, not how much: what it had still in mind takes no time. Captured: the same 1,126 tokens
//! three times, read in 569 ms, then in 1.1 ms. So the speed of reading is learned only where it is known how much was
//! read, and what was reused follows from the speed.

use agent_protocol::{ReadingEstimate, Reused, Usage};

/// In less time than this too little is read to tell a speed: 20 ms, in seconds.
const TELLING: f64 = 0.02;

/// Fewer tokens than this are read at once, and tell no speed.
const TELLING_TOKENS: f64 = 32.0;

/// No machine at a desk reads more tokens in a second: where more were "read", they were not read.
const FASTEST: f64 = 20_000.0;

/// Two speeds that differ by less than this factor are the same, measured twice.
const ALIKE: f64 = 1.5;

/// A reading of so many tokens tells the speed half as well as everything before.
const HALF: f64 = 1_000.0;

/// How fast a server reads and writes with one model, in tokens a second.
#[derive(Debug, Clone, Default)]
pub struct Speeds {
    reading: Option<ReadingSpeed>,
    writing: Option<f64>,
    /// The last prompt was read anew although most of it had been read before.
    forgetful: bool,
}

/// A speed of reading.
#[derive(Debug, Clone, Copy)]
struct ReadingSpeed {
    speed: f64,
    /// It is that of a first prompt, part of which may have been known from an earlier session: it may be slower, but no
    /// faster.
    at_most: bool,
}

impl Speeds {
    /// What earlier sessions learned, in tokens a second.
    pub fn new(reading: Option<f64>, writing: Option<f64>) -> Self {
        let sound = |speed: &f64| (0.001..=FASTEST * 10.0).contains(speed);
        let reading = reading.filter(sound).map(|speed| ReadingSpeed { speed, at_most: false });
        Speeds { reading, writing: writing.filter(sound), forgetful: false }
    }

    /// A reply ended. `added`: tokens of the prompt that no earlier request of this session had (estimate); `None` for
    /// the first one. What the server had still in mind, where that can be told.
    pub fn heard(&mut self, usage: &Usage, added: Option<u64>) -> Option<Reused> {
        if let Some(speed) = usage.tokens_per_second() {
            self.writing = Some(self.writing.map_or(speed, |before| (before + speed) / 2.0));
        }
        let (of, ns) = (usage.prompt_tokens.filter(|of| *of > 0)?, usage.prompt_ns?);
        let (whole, seconds) = (of as f64, ns as f64 / 1e9);
        let added = added.map(|added| (added as f64).min(whole));
        if seconds >= TELLING && whole >= TELLING_TOKENS {
            match added {
                None => self.learn_from_first(whole, seconds),
                Some(added) => self.learn_from_later(whole, added, seconds),
            }
        }
        // Where no speed is known, a time that is next to nothing still tells how little can have been read.
        let speed = match self.reading {
            Some(reading) => reading.speed,
            None if seconds < TELLING => FASTEST,
            None => return None,
        };
        let read = (seconds * speed).max(added.unwrap_or(0.0)).min(whole);
        self.forgetful = added.is_some_and(|added| added < 0.5 * whole && read > 0.8 * whole);
        Some(Reused { tokens: of - (read.round() as u64).min(of), of })
    }

    /// What is to be expected of the reading of a prompt of `of` tokens, `added` of which the server has not seen. A server
    /// that forgot the last prompt will have forgotten this one too.
    pub fn expect(&self, added: u64, of: u64) -> ReadingEstimate {
        let new = if self.forgetful { of } else { added.min(of) };
        ReadingEstimate { new, of, ms: self.reading().map(|speed| (new as f64 / speed * 1e3).ceil() as u64) }
    }

    /// Tokens read in a second, where that is known.
    pub fn reading(&self) -> Option<f64> {
        self.reading.map(|reading| reading.speed)
    }

    /// Tokens written in a second, where that is known.
    pub fn writing(&self) -> Option<f64> {
        self.writing
    }

    /// Nothing of it was read in this session, but perhaps in an earlier one.
    fn learn_from_first(&mut self, whole: f64, seconds: f64) {
        let speed = whole / seconds;
        match self.reading.filter(|before| !before.at_most) {
            Some(before) if speed <= before.speed * 2.0 => self.approach(speed, whole),
            None if speed <= FASTEST => self.reading = Some(ReadingSpeed { speed, at_most: true }),
            Some(_) | None => {}
        }
    }

    /// At least what was added was read, at most all. Where it was something between, that tells no speed.
    fn learn_from_later(&mut self, whole: f64, added: f64, seconds: f64) {
        let (slowest, fastest) = (added / seconds, whole / seconds);
        let before = self.reading;
        let all_was_read = before.is_some_and(|before| {
            before.speed > fastest || (alike(before.speed, fastest) && !alike(before.speed, slowest))
        });
        if all_was_read {
            return self.approach(fastest, whole);
        }
        if added < TELLING_TOKENS || slowest > FASTEST {
            return;
        }
        match before {
            Some(before) if before.speed < slowest * ALIKE => self.approach(slowest, added),
            Some(ReadingSpeed { at_most: false, .. }) => {}
            // A first prompt that was known in part makes a server seem fast.
            Some(ReadingSpeed { at_most: true, .. }) | None => {
                self.reading = Some(ReadingSpeed { speed: slowest, at_most: false });
            }
        }
    }

    /// So many tokens were read at this speed.
    fn approach(&mut self, speed: f64, tokens: f64) {
        let share = tokens / (tokens + HALF);
        let before = self.reading.map_or(speed, |reading| reading.speed);
        self.reading = Some(ReadingSpeed { speed: (before + share * (speed - before)).max(0.001), at_most: false });
    }
}

fn alike(left: f64, right: f64) -> bool {
    left < right * ALIKE && right < left * ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tokens: u64, ms: f64) -> Usage {
        Usage { prompt_tokens: Some(tokens), prompt_ns: Some((ms * 1e6) as u64), ..Usage::default() }
    }

    fn reused(tokens: u64, of: u64) -> Option<Reused> {
        Some(Reused { tokens, of })
    }

    #[test]
    fn the_same_prompt_three_times_is_read_once() {
        let mut speeds = Speeds::default();
        assert_eq!(speeds.heard(&read(1_126, 569.0), None), reused(0, 1_126));
        assert_eq!(speeds.heard(&read(1_126, 1.1), Some(0)), reused(1_124, 1_126));
        assert_eq!(speeds.heard(&read(1_126, 1.1), Some(0)), reused(1_124, 1_126));
        assert_eq!(speeds.reading().map(f64::round), Some(1_979.0), "what took no time tells no speed");
    }

    #[test]
    fn a_first_prompt_from_the_memory_of_an_earlier_session_spoils_no_speed() {
        let mut known = Speeds::new(Some(500.0), None);
        assert_eq!(known.heard(&read(10_000, 2_000.0), None), reused(9_000, 10_000));
        assert_eq!(known.reading(), Some(500.0));
        assert_eq!(known.heard(&read(1_126, 1.1), None), reused(1_125, 1_126));

        let mut fresh = Speeds::default();
        assert_eq!(
            fresh.heard(&read(1_126, 1.1), None),
            reused(1_104, 1_126),
            "fast as it may be, it read next to nothing"
        );
        assert_eq!(fresh.reading(), None);
        // Four fifths were known. The next prompt tells how fast it really reads.
        fresh.heard(&read(10_000, 4_000.0), None);
        assert_eq!(fresh.heard(&read(10_400, 800.0), Some(400)), reused(10_000, 10_400));
        assert_eq!(fresh.reading(), Some(500.0));
    }

    #[test]
    fn the_speed_is_learned_from_what_was_added_where_the_rest_was_known() {
        let mut speeds = Speeds::default();
        speeds.heard(&read(2_000, 4_000.0), None);
        for prompt in 1..20 {
            let reused = speeds.heard(&read(2_000 + prompt * 600, 1_000.0), Some(600)).expect("there is a speed");
            assert_eq!(reused.of - reused.tokens, 600);
        }
        assert!((580.0..=600.0).contains(&speeds.reading().unwrap()), "{speeds:?}");
    }

    #[test]
    fn a_server_that_forgot_everything_is_seen_to_read_everything() {
        let mut speeds = Speeds::new(Some(1_000.0), None);
        assert_eq!(speeds.expect(200, 8_200), ReadingEstimate { new: 200, of: 8_200, ms: Some(200) });
        assert_eq!(speeds.heard(&read(8_200, 8_300.0), Some(200)), reused(0, 8_200));
        let slower = speeds.expect(200, 8_600);
        assert_eq!(slower.new, 8_600, "it will have forgotten this one too");
        speeds.heard(&read(8_600, 201.0), Some(200));
        assert_eq!(speeds.expect(200, 8_800).new, 200);
    }

    #[test]
    fn what_lies_between_tells_what_was_reused_and_no_speed() {
        let mut speeds = Speeds::new(Some(1_000.0), None);
        assert_eq!(speeds.heard(&read(9_000, 3_000.0), Some(500)), reused(6_000, 9_000));
        assert_eq!(speeds.reading(), Some(1_000.0));
    }

    #[test]
    fn what_was_added_was_read_whatever_the_time_says() {
        let mut speeds = Speeds::new(Some(100.0), None);
        assert_eq!(speeds.heard(&read(5_000, 1.0), Some(1_000)), reused(4_000, 5_000));
    }

    #[test]
    fn a_faster_machine_is_noticed() {
        let mut speeds = Speeds::new(Some(100.0), None);
        for _ in 0..10 {
            speeds.heard(&read(9_000, 1_000.0), Some(2_000));
        }
        assert!(speeds.reading().unwrap() > 1_900.0, "{speeds:?}");
    }

    #[test]
    fn nothing_is_told_without_figures_that_make_sense() {
        let mut speeds = Speeds::new(Some(f64::NAN), Some(-1.0));
        assert_eq!((speeds.reading(), speeds.writing()), (None, None));
        assert_eq!(speeds.heard(&Usage::default(), None), None);
        assert_eq!(speeds.heard(&read(0, 500.0), None), None);
        assert_eq!(speeds.heard(&read(10, 500.0), None), None);
        assert_eq!(speeds.expect(10, 20), ReadingEstimate { new: 10, of: 20, ms: None });
        let endless = Usage { prompt_tokens: Some(u64::MAX), prompt_ns: Some(u64::MAX), ..Usage::default() };
        speeds.heard(&endless, Some(u64::MAX));
        assert!(speeds.expect(u64::MAX, u64::MAX).ms.is_some() || speeds.reading().is_none());
    }

    #[test]
    fn the_speed_of_writing_follows_the_last_replies() {
        let mut speeds = Speeds::default();
        let wrote = |tokens| Usage { reply_tokens: Some(tokens), reply_ns: Some(1_000_000_000), ..Usage::default() };
        speeds.heard(&wrote(40), None);
        assert_eq!(speeds.writing(), Some(40.0));
        speeds.heard(&wrote(20), Some(5));
        assert_eq!(speeds.writing(), Some(30.0));
    }
}
