//! Notices when a turn runs long or goes in circles. Decides nothing: it only counts.

use agent_protocol::{ModelCall, Outcome};

/// The counts of one turn.
#[derive(Debug, Default)]
pub(crate) struct Brakes {
    steps: u32,
    last: Option<(ModelCall, String)>,
    repeats: u32,
    /// The longest run since the last look, and whose it was: another call in the same reply does not hide it.
    longest: (u32, String),
}

/// Something to ask the person about before going on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Brake {
    /// So many steps.
    Steps(u32),
    /// This tool, so many times with the same result.
    Repeat(String, u32),
}

impl Brakes {
    /// One more reply with calls.
    pub(crate) fn stepped(&mut self) {
        self.steps += 1;
    }

    /// One more result.
    pub(crate) fn ran(&mut self, call: &ModelCall, outcome: &Outcome) {
        let same = self.last.as_ref().is_some_and(|(last, told)| {
            last.name == call.name && last.arguments == call.arguments && *told == outcome.told
        });
        self.repeats = if same { self.repeats + 1 } else { 1 };
        if self.repeats > self.longest.0 {
            self.longest = (self.repeats, call.name.clone());
        }
        if !same {
            self.last = Some((call.clone(), outcome.told.clone()));
        }
    }

    /// What to ask about, if anything; asking begins the count anew.
    pub(crate) fn pull(&mut self, most_steps: u32, most_repeats: u32) -> Option<Brake> {
        let (times, name) = std::mem::take(&mut self.longest);
        if times >= most_repeats {
            (self.repeats, self.last) = (0, None);
            return Some(Brake::Repeat(name, times));
        }
        self.longest = (self.repeats, name);
        (self.steps >= most_steps).then(|| Brake::Steps(std::mem::take(&mut self.steps)))
    }
}
