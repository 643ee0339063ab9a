//! How fast the server reads and writes, and what it had still in mind.
//!
//! A server of Ollama's kind tells how long it read, not how much: what it had still in mind takes no time. Captured: the same
//! 1,126 tokens three times, read in 569 ms, then in 1.1 ms. What is known besides is which part of a prompt no earlier one had.
//! So there are two possibilities, that it read just this part or that it had forgotten the rest, and the time says which.
//!
//! Each request takes some time besides reading (25 to 60 ms were measured), which is learned from those that have next to
//! nothing to read and counts as no reading.
//!
//! How fast it reads is not known equally well (`Origin`). Of a first prompt the server may have known a part from an earlier
//! session, so that its speed is a bound: it is never told, nor kept for later sessions.
//!
//! **Invariant.** What is told as read is within a fifth or 40 tokens of what the time says, less what requests differ by
//! besides reading; or nothing is told.

use agent_protocol::{ReadingEstimate, Reused, Usage};

/// In less time than this too little is read to tell a speed: 0.1 s where it is known what else a request takes, else 0.3 s.
const TELLING: f64 = 0.1;
const TELLING_WITH_ALL_ELSE: f64 = 0.3;

/// Fewer tokens than this are read at once, and tell no speed.
const TELLING_TOKENS: f64 = 32.0;

/// A request that has so few tokens to read takes hardly longer than one that has none.
const NEXT_TO_NOTHING: u64 = 64;

/// No request takes longer than this besides reading, in seconds.
const MOST_BESIDES: f64 = 0.25;

/// What a request takes besides reading differs by so much, in seconds.
const JITTER: f64 = 0.035;

/// So many tokens more or less are told as if they were none, and so large a share of those that were read.
const NEGLIGIBLE: f64 = 40.0;
const NEGLIGIBLE_SHARE: f64 = 0.2;

/// Of the time between reading what was added and reading all, so much may pass for the one, and at least so much for the other.
const AS_ADDED: f64 = 0.25;
const AS_ALL: f64 = 0.75;

/// No machine at a desk reads more tokens in a second: where more were "read", they were not read.
const FASTEST: f64 = 20_000.0;

/// A reading that takes less time than this is over before anybody reads how long it will take, in seconds.
const WORTH_TELLING: f64 = 2.0;

/// Two speeds that differ by less than this factor are the same, measured twice.
const ALIKE: f64 = 1.5;

/// A reading of so many tokens tells the speed half as well as everything before.
const HALF: f64 = 1_000.0;

/// How fast a server reads and writes with one model, in tokens a second.
#[derive(Debug, Clone, Default)]
pub struct Speeds {
    reading: Option<ReadingSpeed>,
    writing: Option<f64>,
    /// What a request takes besides reading, in seconds: the least of those that had next to nothing to read.
    besides: Option<f64>,
    /// The last prompt was read anew although most of it had been read before.
    forgetful: bool,
    /// The speed of this session's first prompt, had all of it been read.
    first: Option<f64>,
    /// A speed far below the one that is known, seen once: the machine has become slower where it comes again.
    slower: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct ReadingSpeed {
    speed: f64,
    origin: Origin,
}

/// How a speed of reading is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// From a first prompt, part of which may have been known from an earlier session: it may be slower, but no faster. Or what
    /// an earlier session knew, where this one does not bear it out.
    FirstPrompt,
    /// From an earlier session: the machine may be busier now, or have another card.
    Earlier,
    /// From a prompt of this session of which it is known how much was read.
    Measured,
}

impl Speeds {
    /// What earlier sessions learned, in tokens a second.
    pub fn new(reading: Option<f64>, writing: Option<f64>) -> Self {
        let sound = |speed: &f64| (0.001..=FASTEST * 10.0).contains(speed);
        let reading = reading.filter(sound).map(|speed| ReadingSpeed { speed, origin: Origin::Earlier });
        Speeds { reading, writing: writing.filter(sound), ..Speeds::default() }
    }

    /// A reply ended. `added`: tokens of the prompt that are new to the server unless it forgot the others; `None` where nothing
    /// is known of what it had in mind. What the server had still in mind, where it says so or that can be told.
    pub fn record_reply(&mut self, usage: &Usage, added: Option<u64>) -> Option<Reused> {
        if let Some(speed) = usage.tokens_per_second() {
            self.writing = Some(self.writing.map_or(speed, |before| (before + speed) / 2.0));
        }
        let of = usage.prompt_tokens.filter(|of| *of > 0)?;
        let added = added.map(|added| added.min(of));
        let counted = usage.cached_tokens.map(|cached| of.saturating_sub(cached));
        let seconds = usage.prompt_ns.map(|ns| ns as f64 / 1e9);
        if let Some(seconds) = seconds {
            self.learn_what_is_besides(of, counted, added, seconds);
        }
        let read = counted.or_else(|| self.read_in(seconds?, of, added));
        if let Some(seconds) = seconds {
            self.learn_reading(of, counted, added, seconds);
        }
        self.forgetful = read == Some(of) && added.is_some_and(|added| added < of / 2);
        read.map(|read| Reused { tokens: of - read, of })
    }

    /// How many tokens of a prompt were read in this time: what was added or all, whichever explains it.
    fn read_in(&self, seconds: f64, of: u64, added: Option<u64>) -> Option<u64> {
        let reading = (seconds - self.besides.unwrap_or_default()).max(0.0);
        let Some(added) = added else {
            // Of a first prompt anything may have been known; only what takes no time tells that all of it was.
            return Some(reading * FASTEST).filter(|read| *read <= NEGLIGIBLE).map(|read| read.round() as u64);
        };
        if added == of {
            return Some(added);
        }
        let before = self.reading;
        let speed = before.map_or(FASTEST, |before| before.speed);
        let (least, most) = (added as f64 / speed, of as f64 / speed);
        let share = (reading - least) / (most - least);
        let pace = Pace::from_totals(of as f64, added as f64, reading);
        let measured = before.is_some_and(|before| before.origin == Origin::Measured);
        let read = (reading - JITTER).max(0.0) * speed;
        if share <= AS_ADDED {
            if !is_negligible(read - added as f64, read) {
                return None;
            }
            // Two stories fit: as fast as in an earlier session, or as in this session's first prompt and all of it.
            let doubtful = !measured && self.first.is_some_and(|first| pace.is_of_all(first));
            (!doubtful).then_some(added)
        } else if share >= AS_ALL
            && most - least >= TELLING_WITH_ALL_ELSE
            && is_negligible(of as f64 - reading * speed, reading * speed)
        {
            let earlier = before.filter(|before| before.origin == Origin::Earlier);
            (measured || earlier.is_some_and(|before| pace.is_of_all(before.speed))).then_some(of)
        } else {
            None
        }
    }

    /// What is to be expected of the reading of a prompt of `of` tokens, `added` of which the server has not seen. A server
    /// that forgot the last prompt will have forgotten this one too.
    pub fn expect(&self, added: u64, of: u64) -> ReadingEstimate {
        let new = if self.forgetful { of } else { added.min(of) };
        let besides = self.besides.unwrap_or_default();
        let seconds =
            self.reading().map(|speed| besides + new as f64 / speed).filter(|seconds| *seconds >= WORTH_TELLING);
        ReadingEstimate { new, of, ms: seconds.map(|seconds| (seconds * 1e3).ceil() as u64) }
    }

    /// Tokens read in a second, where that is known: a bound is no speed.
    pub fn reading(&self) -> Option<f64> {
        self.reading.filter(|reading| reading.origin != Origin::FirstPrompt).map(|reading| reading.speed)
    }

    /// Tokens written in a second, where that is known.
    pub fn writing(&self) -> Option<f64> {
        self.writing
    }

    /// A request that had next to nothing to read tells what requests take besides. Where only the client knows of it, the
    /// time must be far too short for a server that had forgotten everything.
    fn learn_what_is_besides(&mut self, of: u64, counted: Option<u64>, added: Option<u64>, seconds: f64) {
        let little = counted.or(added).is_some_and(|new| new <= NEXT_TO_NOTHING);
        let all = of as f64 / self.reading.map_or(FASTEST, |reading| reading.speed);
        if little && seconds <= MOST_BESIDES && (counted.is_some() || seconds < 0.5 * all) {
            self.besides = Some(self.besides.map_or(seconds, |before| before.min(seconds)));
        }
    }

    /// The time that a prompt took tells the speed, where it is known how much of it was read.
    fn learn_reading(&mut self, of: u64, counted: Option<u64>, added: Option<u64>, seconds: f64) {
        let besides = self.besides.unwrap_or_default();
        let (whole, reading) = (of as f64, seconds - besides);
        let telling = if self.besides.is_some() { TELLING.max(2.0 * besides) } else { TELLING_WITH_ALL_ELSE };
        if reading < telling || whole < TELLING_TOKENS {
            return;
        }
        match (counted.map(|read| read as f64), added.map(|added| added as f64)) {
            (Some(read), _) if read < TELLING_TOKENS || read / reading > FASTEST => {}
            (Some(read), _) => self.approach(read / reading, read, Origin::Measured),
            (None, None) => self.learn_from_first(whole, reading),
            (None, Some(added)) => self.learn_from_later(whole, added, reading),
        }
    }

    /// Nothing of it was read in this session, but perhaps in an earlier one: it was read no faster than this.
    fn learn_from_first(&mut self, whole: f64, seconds: f64) {
        let speed = whole / seconds;
        if speed > FASTEST {
            return;
        }
        self.first = Some(speed);
        match self.reading {
            // Either part of it was known, or the machine is faster now.
            Some(before) if before.origin != Origin::FirstPrompt && speed >= before.speed => {}
            Some(before) if before.origin != Origin::FirstPrompt && alike(before.speed, speed) => {
                self.approach(speed, whole, before.origin);
            }
            Some(before) if before.origin == Origin::FirstPrompt && before.speed <= speed => {}
            Some(_) | None => self.reading = Some(ReadingSpeed { speed, origin: Origin::FirstPrompt }),
        }
    }

    /// At least what was added was read, at most all. Where it was something between, that tells no speed.
    fn learn_from_later(&mut self, whole: f64, added: f64, seconds: f64) {
        let pace = Pace::from_totals(whole, added, seconds);
        let before = self.reading;
        let all_was_read = before.is_some_and(|before| {
            let slower_than_known = before.origin != Origin::FirstPrompt && before.speed > pace.fastest;
            slower_than_known || pace.is_of_all(before.speed)
        });
        if all_was_read {
            return self.approach(pace.fastest, whole, Origin::Measured);
        }
        if added < TELLING_TOKENS || pace.slowest > FASTEST {
            return;
        }
        let slower = self.slower.replace(pace.slowest).is_some_and(|before| alike(before, pace.slowest));
        match before {
            Some(ReadingSpeed { speed, origin: Origin::Measured }) if speed < pace.slowest * ALIKE => {
                self.approach(pace.slowest, added, Origin::Measured);
            }
            Some(ReadingSpeed { origin: Origin::Measured, .. }) if !slower => {}
            Some(ReadingSpeed { speed, origin: Origin::FirstPrompt }) if speed > pace.fastest => {}
            Some(ReadingSpeed { origin: Origin::Earlier, .. })
                if self.first.is_some_and(|first| pace.is_of_all(first)) => {}
            // Slower than once, or more was read than what was added: what was known is in doubt.
            Some(ReadingSpeed { speed, origin: Origin::Earlier }) if speed >= pace.slowest * ALIKE && !slower => {
                self.reading = Some(ReadingSpeed { speed, origin: Origin::FirstPrompt });
            }
            Some(_) | None => self.reading = Some(ReadingSpeed { speed: pace.slowest, origin: Origin::Measured }),
        }
    }

    /// So many tokens were read at this speed, which is known like this.
    fn approach(&mut self, speed: f64, tokens: f64, origin: Origin) {
        let share = tokens / (tokens + HALF);
        let before = self.reading.filter(|before| alike(before.speed, speed)).map_or(speed, |reading| reading.speed);
        self.reading = Some(ReadingSpeed { speed: (before + share * (speed - before)).max(0.001), origin });
    }
}

/// How fast a prompt was read: at least as if only what was added was read, at most as if all of it was.
#[derive(Clone, Copy)]
struct Pace {
    slowest: f64,
    fastest: f64,
}

impl Pace {
    fn from_totals(whole: f64, added: f64, seconds: f64) -> Self {
        Pace { slowest: added / seconds, fastest: whole / seconds }
    }

    /// Was all of it read, if it was read at `speed`?
    fn is_of_all(self, speed: f64) -> bool {
        alike(speed, self.fastest) && !alike(speed, self.slowest)
    }
}

/// Does it matter little that so many more or fewer were read?
fn is_negligible(difference: f64, read: f64) -> bool {
    difference <= NEGLIGIBLE.max(read * NEGLIGIBLE_SHARE)
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
        assert_eq!(speeds.record_reply(&read(1_126, 569.0), None), None, "an earlier session may have read it");
        assert_eq!(speeds.record_reply(&read(1_126, 1.1), Some(0)), reused(1_126, 1_126));
        assert_eq!(speeds.record_reply(&read(1_126, 1.1), Some(0)), reused(1_126, 1_126));
        assert_eq!(speeds.reading(), None, "a first prompt tells a bound, and what took no time nothing");
    }

    /// Measured with a real server: what it said of a session's prompts, what it had really read, and what was new in them. Each
    /// request takes about 50 ms beside the reading of some 6,470 tokens a second.
    #[test]
    fn what_a_request_takes_besides_is_no_reading() {
        let mut speeds = Speeds::default();
        speeds.record_reply(&read(2_350, 363.0), None);
        for (of, ms, really, added) in
            [(2_366, 47.3, 13, 11), (2_391, 51.0, 10, 9), (2_430, 78.2, 21, 19), (2_460, 62.2, 14, 13)]
        {
            let told = speeds.record_reply(&read(of, ms), Some(added)).expect("this can be told");
            let told = told.of - told.tokens;
            assert!(told.abs_diff(really) <= 40, "{told} and not {really} of {of}");
        }
        assert_eq!(speeds.reading(), None, "a bound is no speed");
    }

    #[test]
    fn a_busy_machine_makes_no_figure_rather_than_a_wrong_one() {
        let mut speeds = Speeds::new(Some(2_675.0), None);
        assert_eq!(speeds.record_reply(&read(2_400, 269.0), Some(55)), None, "55 were read, or some hundreds");
        assert_eq!(speeds.reading(), Some(2_675.0));
    }

    #[test]
    fn the_servers_own_count_goes_before_any_inference() {
        let mut speeds = Speeds::new(Some(100.0), None);
        let counted = |of, ms, cached| Usage { cached_tokens: Some(cached), ..read(of, ms) };
        assert_eq!(speeds.record_reply(&counted(2_000, 900.0, 1_500), Some(2_000)), reused(1_500, 2_000));
        assert_eq!(speeds.record_reply(&counted(2_000, 900.0, 2_500), None), reused(2_000, 2_000));
        assert_eq!(speeds.record_reply(&Usage { prompt_ns: None, ..counted(2_000, 0.0, 20) }, None), reused(20, 2_000));
        assert!(speeds.reading().is_some_and(|speed| speed > 200.0), "500 were read in 0.9 s: {speeds:?}");
    }

    #[test]
    fn a_first_prompt_from_the_memory_of_an_earlier_session_spoils_no_speed() {
        let mut known = Speeds::new(Some(500.0), None);
        assert_eq!(
            known.record_reply(&read(10_000, 19_000.0), None),
            None,
            "all perhaps, or a part on a busier machine"
        );
        assert_eq!(known.record_reply(&read(10_000, 2_000.0), None), None, "a tenth perhaps");
        assert!(known.reading().is_some_and(|speed| (500.0..530.0).contains(&speed)));
        assert_eq!(known.record_reply(&read(1_126, 1.1), None), reused(1_104, 1_126));

        let mut fresh = Speeds::default();
        assert_eq!(fresh.record_reply(&read(1_126, 1.1), None), reused(1_104, 1_126), "fast as it may be");
        assert_eq!(fresh.reading(), None);
        // Four fifths were known. The next prompt tells how fast it really reads.
        fresh.record_reply(&read(10_000, 4_000.0), None);
        assert_eq!(fresh.record_reply(&read(10_400, 800.0), Some(400)), None, "2,000 at the speed that is a bound");
        assert_eq!(fresh.reading(), Some(500.0));
    }

    #[test]
    fn the_speed_is_learned_from_what_was_added_where_the_rest_was_known() {
        let mut speeds = Speeds::default();
        speeds.record_reply(&read(2_000, 4_000.0), None);
        for prompt in 1..20 {
            let reused =
                speeds.record_reply(&read(2_000 + prompt * 600, 1_000.0), Some(600)).expect("there is a speed");
            assert_eq!(reused.of - reused.tokens, 600);
        }
        assert!((580.0..=600.0).contains(&speeds.reading().unwrap()), "{speeds:?}");
    }

    #[test]
    fn a_server_that_forgot_everything_is_seen_to_read_everything() {
        let mut speeds = Speeds::new(Some(1_000.0), None);
        assert_eq!(speeds.expect(200, 8_200), ReadingEstimate { new: 200, of: 8_200, ms: None }, "too short to tell");
        assert_eq!(speeds.expect(3_000, 8_200).ms, Some(3_000));
        assert_eq!(speeds.record_reply(&read(8_200, 8_300.0), Some(200)), reused(0, 8_200));
        let slower = speeds.expect(200, 8_600);
        assert_eq!(slower.new, 8_600, "it will have forgotten this one too");
        speeds.record_reply(&read(8_600, 201.0), Some(200));
        assert_eq!(speeds.expect(200, 8_800).new, 200);
    }

    #[test]
    fn what_lies_between_tells_neither_what_was_reused_nor_a_speed() {
        let mut speeds = Speeds::new(Some(1_000.0), None);
        assert_eq!(speeds.record_reply(&read(9_000, 5_000.0), Some(500)), None);
        assert_eq!(speeds.reading(), None, "what an earlier session knew is in doubt");
    }

    #[test]
    fn what_was_added_was_read_whatever_the_time_says() {
        let mut speeds = Speeds::new(Some(100.0), None);
        assert_eq!(speeds.record_reply(&read(5_000, 1.0), Some(1_000)), reused(4_000, 5_000));
    }

    /// Measured: a session that went on with a server which still knew 80 % of it, on a machine that reads 40 tokens a second. The
    /// earlier session had kept 200, for its own first prompt was known in part.
    #[test]
    fn a_bound_becomes_no_speed_and_a_first_prompt_tells_nothing() {
        let mut first = Speeds::default();
        first.record_reply(&read(10_000, 50_000.0), None);
        assert_eq!((first.reading(), first.expect(200, 10_000).ms), (None, None), "it is 200 at most");
        let mut next = Speeds::new(Some(200.0), None);
        assert_eq!(next.record_reply(&read(10_000, 50_000.0), None), None, "2,000 were read, and not all");
        assert_eq!(next.record_reply(&read(10_400, 10_000.0), Some(400)), None, "2,000 at the speed that was kept");
        assert_eq!(next.reading(), None, "what was kept is in doubt");
        next.record_reply(&read(10_800, 10_100.0), Some(400));
        assert!(next.reading().is_some_and(|speed| (39.0..41.0).contains(&speed)), "{next:?}");
    }

    #[test]
    fn what_is_told_is_close_to_what_the_time_says() {
        let told = |of, ms, added| {
            let mut speeds = Speeds::default();
            speeds.record_reply(&read(9_000, 9_000.0), Some(9_000));
            speeds.record_reply(&read(of, ms), Some(added))
        };
        assert_eq!(told(10_000, 2_750.0, 400), None, "2,750 were read, and not 400");
        assert_eq!(told(10_000, 480.0, 400), reused(9_600, 10_000));
        assert_eq!(told(10_000, 7_700.0, 400), None, "7,700 were read, and not all");
        assert_eq!(told(10_000, 8_800.0, 400), reused(0, 10_000));
    }

    #[test]
    fn a_first_prompt_does_not_make_a_kept_speed_a_measured_one() {
        let mut speeds = Speeds::new(Some(1_000.0), None);
        speeds.record_reply(&read(9_000, 10_000.0), None);
        assert!(speeds.reading.is_some_and(|reading| reading.origin == Origin::Earlier), "{speeds:?}");
    }

    #[test]
    fn where_two_stories_fit_none_is_told() {
        let mut speeds = Speeds::new(Some(100.0), None);
        assert_eq!(speeds.record_reply(&read(2_000, 2_000.0), None), None);
        assert_eq!(
            speeds.record_reply(&read(2_200, 2_200.0), Some(200)),
            None,
            "200 as fast as once, or all as fast as just now"
        );
    }

    #[test]
    fn a_machine_that_stays_slower_is_noticed_the_second_time() {
        let mut speeds = Speeds::default();
        speeds.record_reply(&read(8_000, 8_000.0), Some(8_000));
        for told in [Some(1_000.0), Some(200.0)] {
            speeds.record_reply(&read(12_000, 2_000.0), Some(400));
            assert_eq!(speeds.reading(), told);
        }
    }

    #[test]
    fn a_faster_machine_is_noticed() {
        let mut speeds = Speeds::new(Some(100.0), None);
        for _ in 0..10 {
            speeds.record_reply(&read(9_000, 1_000.0), Some(2_000));
        }
        assert!(speeds.reading().unwrap() > 1_900.0, "{speeds:?}");
    }

    #[test]
    fn nothing_is_told_without_figures_that_make_sense() {
        let mut speeds = Speeds::new(Some(f64::NAN), Some(-1.0));
        assert_eq!((speeds.reading(), speeds.writing()), (None, None));
        assert_eq!(speeds.record_reply(&Usage::default(), None), None);
        assert_eq!(speeds.record_reply(&read(0, 500.0), None), None);
        assert_eq!(speeds.record_reply(&read(10, 500.0), None), None);
        assert_eq!(speeds.expect(10, 20), ReadingEstimate { new: 10, of: 20, ms: None });
        let endless = Usage { prompt_tokens: Some(u64::MAX), prompt_ns: Some(u64::MAX), ..Usage::default() };
        speeds.record_reply(&endless, Some(u64::MAX));
        assert!(speeds.expect(u64::MAX, u64::MAX).ms.is_some() || speeds.reading().is_none());
    }

    #[test]
    fn the_speed_of_writing_follows_the_last_replies() {
        let mut speeds = Speeds::default();
        let wrote = |tokens| Usage { reply_tokens: Some(tokens), reply_ns: Some(1_000_000_000), ..Usage::default() };
        speeds.record_reply(&wrote(40), None);
        assert_eq!(speeds.writing(), Some(40.0));
        speeds.record_reply(&wrote(20), Some(5));
        assert_eq!(speeds.writing(), Some(30.0));
    }
}
