//! The turn: from what a person says to the last word on it. Each phase takes itself and gives what comes next; this room
//! leads from one to the other.

pub(crate) mod acting;
pub(crate) mod acts;
pub(crate) mod answering;
pub(crate) mod budget;
pub(crate) mod by_files;
pub(crate) mod calling;
pub(crate) mod check_state;
pub(crate) mod checking;
pub(crate) mod claims;
pub(crate) mod cloud;
mod cut_off;
pub(crate) mod delegating;
pub(crate) mod done;
pub(crate) mod ending;
pub(crate) mod endless;
pub(crate) mod examining;
pub(crate) mod expanding;
pub(crate) mod facts;
pub(crate) mod fenced;
pub(crate) mod file_work;
pub(crate) mod firing;
pub(crate) mod fresh;
pub(crate) mod gathering;
pub(crate) mod hook_state;
pub(crate) mod hooks;
pub(crate) mod jobs;
pub(crate) mod listening;
pub(crate) mod loading;
pub(crate) mod loop_guard;
pub(crate) mod loops;
pub(crate) mod mishap;
pub(crate) mod no_answer;
pub(crate) mod opening;
pub(crate) mod own_command;
pub(crate) mod patterns;
pub(crate) mod permissions;
pub(crate) mod phase;
pub(crate) mod pictures;
pub(crate) mod piped;
pub(crate) mod plans;
pub(crate) mod program_calls;
pub(crate) mod progress;
pub(crate) mod questions;
pub(crate) mod queue;
pub(crate) mod raw;
pub(crate) mod reaching;
pub(crate) mod receipts;
pub(crate) mod received;
pub(crate) mod renaming;
pub(crate) mod rescue;
pub(crate) mod results;
pub(crate) mod room;
pub(crate) mod saying;
pub(crate) mod serving;
pub(crate) mod sessions;
pub(crate) mod state;
pub(crate) mod summarising;
pub(crate) mod thinking;
pub(crate) mod thinking_bound;
pub(crate) mod token_count;
pub(crate) mod tries;
pub(crate) mod undoing;
mod unfinished;
pub(crate) mod unusable;
pub(crate) mod work;
pub(crate) mod working;

use crate::parts::Parts;
use crate::turn::phase::{Next, Phase};

/// Carries out what comes next, until something has to arrive.
pub(crate) fn settle(mut next: Next, parts: &mut Parts) -> Phase {
    loop {
        next = match next {
            Next::Rest(phase) => return phase,
            Next::GoOn => saying::go_on(parts),
            Next::GoOnOrLoad => saying::go_on_or_load(parts),
            Next::Begin(waiting) => saying::begin(*waiting, parts),
            Next::Resume => saying::resume(parts),
            Next::Ask => match gathering::since(parts) {
                calls if calls.is_empty() => listening::ask(parts),
                calls => Next::Work(calls),
            },
            Next::AskAs(asked) => listening::ask_as(asked, parts),
            Next::MakeRoom(reason, then) => summarising::make_room(reason, then, parts),
            Next::Summarise { instructions, then } => summarising::summarise(instructions, then, parts),
            Next::Shorten(then) => summarising::shorten(then, parts),
            Next::Work(calls) => working::begin(calls, parts),
            Next::Look(working, permit) => working::look(working, permit, parts),
            Next::Run(working, permit, preview) => working::run(working, permit, preview, parts),
            Next::AskToRun(working, held, preview) => questions::ask_run(working, held, preview, parts),
            Next::Result(working, outcome) => working::finish(working, outcome, parts),
            Next::Delegate { working, agent, task } => delegating::begin(working, &agent, &task, parts),
            Next::Halt(halt) => rescue::halt(halt, parts),
            Next::AskAbout(halt) => match delegating::halt(&halt, parts) {
                Some(next) => next,
                None => questions::ask_about_halt(halt, parts),
            },
            Next::Rescue(mishap) => rescue::rescue(&mishap, parts),
            Next::NoWayLeft(what) => rescue::no_way_left(&what, parts),
            Next::End(reason) => ending::end(reason, parts),
            Next::Broken(trouble) => ending::broken(trouble, parts),
            Next::Settle(reason, files) => ending::settled(reason, files, parts),
            Next::GoBack(said) => undoing::go_back(said, parts),
        };
    }
}
