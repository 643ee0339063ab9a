//! Commands in the background: faces hear of each change, and the model hears, once, of what it did not bring about itself.
//!
//! They belong to the running program and not to the conversation: a cleared one leaves them running, and nothing of them is
//! written down.

use crate::Effect;
use crate::machine::Machine;
use agent_protocol::{Event, JobCard, JobId, JobState};

/// Letters of a command that a line repeats.
const MOST_LETTERS: usize = 80;

/// Told when a session is taken up in which something was started in the background.
pub(crate) const AFTER_A_BREAK: &str = "time has passed, and what ran in the background when this session was left has \
                                        ended with it; jobs lists what runs now";

impl Machine {
    pub(crate) fn jobs_changed(&mut self, jobs: Vec<JobCard>) {
        for job in &jobs {
            let known = self.jobs.iter().find(|known| known.id == job.id);
            if let (JobState::Ended { code }, false) = (job.state, known.is_some_and(|known| known.state == job.state))
            {
                self.untold.of_jobs(ended(job, code));
            }
        }
        self.jobs.clone_from(&jobs);
        self.out.emit(Event::Jobs { jobs });
    }

    /// The person ends one, or all; the model is told why they are gone.
    pub(crate) fn stop_job(&mut self, wanted: Option<JobId>) {
        let runs = |job: &&JobCard| job.state == JobState::Running && wanted.is_none_or(|wanted| job.id == wanted);
        let lines: Vec<String> = self.jobs.iter().filter(runs).map(stopped).collect();
        lines.into_iter().for_each(|line| self.untold.of_jobs(line));
        self.out.carry_out(Effect::StopJob { job: wanted });
    }

    /// Tells the model, beside the results of its calls, what became of them meanwhile.
    pub(crate) fn tell_of_jobs(&mut self) {
        if self.is_delegating() {
            // What an agent hears goes with it: it is told to the one who stays.
            return;
        }
        let lines: Vec<String> = self.untold.tell_of_jobs().iter().map(|line| format!("({line})")).collect();
        if !lines.is_empty() {
            self.history.said(&lines.join("\n"));
        }
    }
}

fn ended(job: &JobCard, code: Option<i32>) -> String {
    let how = code.map_or("by a signal".to_owned(), |code| format!("with exit code {code}"));
    format!("the background command {}, ended {how}; jobs shows its output", named(job))
}

fn stopped(job: &JobCard) -> String {
    format!("the person stopped the background command {}", named(job))
}

/// ``2, `npm run dev` ``.
fn named(job: &JobCard) -> String {
    let whole = job.command.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(MOST_LETTERS).collect();
    let more = if shown == whole { "" } else { " …" };
    format!("{}, `{shown}{more}`", job.id.0)
}
