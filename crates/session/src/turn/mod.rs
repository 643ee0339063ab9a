//! The turn: from what a user says to the last word on it. Each phase takes itself and gives what comes next; this module
//! leads from one to the other.
//!
//! `phases/` holds what a turn waits for, `program_calls/` the calls that the program makes itself, `guards/` what keeps a model
//! from going in circles, from endless replies and from claims of work that it did not do.

pub(crate) mod acting;
pub(crate) mod acts;
pub(crate) mod cloud;
pub(crate) mod done;
pub(crate) mod file_mode;
pub(crate) mod file_work;
pub(crate) mod guards;
pub(crate) mod jobs;
pub(crate) mod loading;
pub(crate) mod outside_call;
pub(crate) mod patterns;
pub(crate) mod permissions;
pub(crate) mod phase;
pub(crate) mod phases;
pub(crate) mod plans;
pub(crate) mod program_calls;
pub(crate) mod queue;
pub(crate) mod raw;
pub(crate) mod receipts;
pub(crate) mod results;
pub(crate) mod serving;
pub(crate) mod sessions;
pub(crate) mod state;
pub(crate) mod stdin_input;
pub(crate) mod user_message;

use crate::parts::Parts;
use crate::turn::guards::recovery;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::{delegating, ending, listening, questions, summarising, undoing, working};
use crate::turn::program_calls::context_files;

/// Carries out what comes next, until something has to arrive.
pub(crate) fn settle(mut next: Next, parts: &mut Parts) -> Phase {
    loop {
        next = match next {
            Next::Rest(phase) => return phase,
            Next::GoOn => user_message::go_on(parts),
            Next::GoOnOrLoad => user_message::go_on_or_load(parts),
            Next::Begin(waiting) => user_message::begin(*waiting, parts),
            Next::Resume => user_message::resume(parts),
            Next::Ask => {
                match context_files::since(&mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out) {
                    calls if calls.is_empty() => listening::ask(parts),
                    calls => Next::Work(calls),
                }
            }
            Next::AskAs(asked) => {
                listening::ask_as(asked, &mut parts.turn, &mut parts.conversation, &mut parts.server, &mut parts.out)
            }
            Next::MakeRoom(reason, then) => summarising::make_room(reason, then, parts),
            Next::Summarise { instructions, then } => summarising::summarise(instructions, then, parts),
            Next::Shorten(then) => summarising::shorten(then, parts),
            Next::Work(calls) => working::begin(calls, parts),
            Next::Look(working, permit) => working::look(working, permit, &mut parts.out),
            Next::Run(working, permit, preview) => working::run(working, permit, preview, parts),
            Next::AskToRun(working, held, preview) => {
                questions::ask_run(working, held, preview, &mut parts.turn, &mut parts.out)
            }
            Next::Result(working, outcome) => working::finish(working, outcome, parts),
            Next::Delegate { working, agent, task } => delegating::begin(working, &agent, &task, parts),
            Next::Halt(halt) => recovery::halt(halt, parts),
            Next::AskAbout(halt) => {
                match delegating::halt(&halt, &mut parts.turn, &mut parts.conversation, &mut parts.out) {
                    Some(next) => next,
                    None => questions::ask_about_halt(halt, &mut parts.turn, &mut parts.out),
                }
            }
            Next::Recover(mishap) => recovery::rescue(&mishap, parts),
            Next::NoWayLeft(what) => recovery::no_way_left(&what, parts),
            Next::End(reason) => ending::end(reason, parts),
            Next::Broken(trouble) => ending::broken(trouble, &parts.server),
            Next::Settle(reason, files) => ending::settled(reason, files, parts),
            Next::GoBack(said) => undoing::go_back(said, parts),
        };
    }
}
