//! The user's answers to questions, and what comes of them.

use crate::CallEffect;
use crate::conversation::compaction::Then;
use crate::out::Out;
use crate::parts::Parts;
use crate::turn::acts::leave_unanswered;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::permissions::{keep_permissions, lasts_for_good, tell_mode_since};
use crate::turn::phase::{Next, Phase, Verdict};
use crate::turn::phases::fresh_start;
use crate::turn::phases::opening::answer_opening;
use crate::turn::phases::questions::settle;
use crate::turn::phases::reaching::answer_reach;
use crate::turn::phases::sandbox_retry::declined;
use crate::turn::phases::work::{Stage, Working};
use crate::turn::queue::QueuedMessage;
use crate::turn::results::refused;
use crate::turn::state::Turn;
use crate::turn::user_message::steer;
use agent_policy::{Held, Permit, Refused};
use agent_protocol::{
    Action, Answer, AskId, NoticeLevel, PartText, Preview, PreviewBody, Proposal, SessionAct, Settlement, TurnEndReason,
};

/// The user answers a question.
pub(crate) fn answer(phase: Phase, ask: AskId, answer: Answer, parts: &mut Parts) -> Next {
    let verdict = match answer {
        Answer::Yes { remember, word } => Verdict::Yes { remember, word: without_blank(word) },
        Answer::No { word } => Verdict::No { word: without_blank(word) },
        Answer::Instead { proposal } => return propose_instead(phase, ask, proposal, &mut parts.out),
    };
    if let Some(opening) = parts.turn.opening.take_if(|opening| opening.ask == ask) {
        return answer_opening(phase, opening, matches!(verdict, Verdict::Yes { .. }), parts);
    }
    match phase {
        Phase::Halted { ask: open, halt } if open == ask => answer_halt(ask, &halt, verdict, parts),
        Phase::Working(working) => answer_work(working, ask, verdict, parts),
        other => Next::Rest(other),
    }
}

fn answer_work(mut working: Box<Working>, ask: AskId, verdict: Verdict, parts: &mut Parts) -> Next {
    match std::mem::replace(&mut working.stage, Stage::Planning) {
        Stage::AskingLook { ask: open, held } if open == ask => {
            answer_held(working, ask, held, verdict, Next::Look, parts)
        }
        Stage::Asking { ask: open, held, preview } if open == ask => {
            let go = |working, permit| Next::Run(working, permit, preview);
            answer_held(working, ask, held, verdict, go, parts)
        }
        Stage::Running { held: Some(open) } if open.ask == ask => {
            working.stage = Stage::Running { held: None };
            answer_reach(&mut working, *open, verdict, &mut parts.turn, &mut parts.out);
            Next::working(working)
        }
        stage => {
            working.stage = stage;
            Next::working(working)
        }
    }
}

fn answer_held(
    mut working: Box<Working>,
    ask: AskId,
    held: Held,
    verdict: Verdict,
    go: impl FnOnce(Box<Working>, Permit) -> Next,
    parts: &mut Parts,
) -> Next {
    let (remember, word) = match verdict {
        Verdict::Yes { remember, word } => (remember, word),
        Verdict::No { word } if is_question(held.action()) => {
            return leave_unanswered(working, ask, word, &mut parts.out);
        }
        Verdict::No { word } => return refuse(working, ask, word, &parts.turn, &mut parts.out),
    };
    let mode = parts.turn.policy.mode();
    let permit = parts.turn.policy.answer(held, remember.clone());
    // With what is remembered another mode may come into force.
    tell_mode_since(mode, &parts.turn, &mut parts.out);
    match permit {
        Ok(permit) => {
            if remember.as_ref().is_some_and(lasts_for_good) {
                keep_permissions(&parts.turn, &mut parts.out);
            }
            settle(ask, Settlement::Yes { remember: remember.clone(), word: word.clone() }, &mut parts.out);
            working.remembered = remember;
            working.words.extend(word);
            go(working, permit)
        }
        Err(Refused) => {
            too_wide(&mut parts.out);
            refuse(working, ask, None, &parts.turn, &mut parts.out)
        }
    }
}

fn too_wide(out: &mut Out) {
    out.notice(NoticeLevel::Warning, "that answer was wider than what was offered; taken as no");
}

/// Does the call put a question of the model's own to the user?
fn is_question(action: &Action) -> bool {
    matches!(action, Action::Session { act: SessionAct::Inquire { .. } })
}

fn refuse(working: Box<Working>, ask: AskId, word: Option<String>, turn: &Turn, out: &mut Out) -> Next {
    let outcome = refused(word.as_deref(), turn.keep);
    settle(ask, Settlement::No { word: word.clone() }, out);
    if working.fenced.is_some() {
        return declined(working, word, out);
    }
    out.carry_out(CallEffect::Forget(working.current.id));
    Next::Result(working, outcome)
}

/// The part of a change that the user approved is planned: if it is that to the letter, they need not be asked again.
pub(crate) fn approved_part(
    mut working: Box<Working>,
    held: Held,
    preview: Preview,
    turn: &mut Turn,
    out: &mut Out,
) -> Next {
    if !working.approved_part.take().is_some_and(|files| holds_exactly(&preview, &files)) {
        return Next::AskToRun(working, held, preview);
    }
    match turn.policy.answer(held, None) {
        Ok(permit) => Next::Run(working, permit, preview),
        Err(Refused) => {
            let outcome = refused(None, turn.keep);
            out.carry_out(CallEffect::Forget(working.current.id));
            Next::Result(working, outcome)
        }
    }
}

/// Would the files of which parts were left out hold exactly these texts?
fn holds_exactly(preview: &Preview, files: &[PartText]) -> bool {
    let PreviewBody::Diff { files: planned } = &preview.body else { return false };
    files
        .iter()
        .all(|file| planned.iter().any(|plan| plan.path == file.path && plan.after.as_ref() == Some(&file.text)))
}

/// The user puts something else in place of the proposal: it is planned, judged and asked again.
fn propose_instead(phase: Phase, ask: AskId, proposal: Proposal, out: &mut Out) -> Next {
    let mut working = match phase {
        Phase::Working(working) if matches!(&working.stage, Stage::Asking { ask: open, .. } if *open == ask) => working,
        other => return Next::Rest(other),
    };
    working.stage = Stage::Planning;
    working.amended = true;
    match &proposal {
        Proposal::Part { files, told } => {
            working.approved_part = Some(files.clone());
            settle(ask, Settlement::Yes { remember: None, word: Some(told.clone()) }, out);
            working.words.push(told.clone());
        }
        Proposal::Text { .. } | Proposal::Plan { .. } | Proposal::Command { .. } | Proposal::Profile { .. } => {
            settle(ask, Settlement::Instead, out);
        }
    }
    out.carry_out(CallEffect::Amend { call: working.current.id, proposal });
    Next::working(working)
}

fn answer_halt(ask: AskId, halt: &Halt, verdict: Verdict, parts: &mut Parts) -> Next {
    match verdict {
        Verdict::Yes { remember, word } => {
            settle(ask, Settlement::Yes { remember, word: word.clone() }, &mut parts.out);
            queue_word(word, &mut parts.turn);
            parts.turn.counts.guard.let_go();
            parts.turn.counts.progress.begin_anew();
            match halt {
                Halt::Full { then, .. } => return Next::Shorten(*then),
                Halt::Again { files, .. } => {
                    return fresh_start::begin(
                        files.clone(),
                        &mut parts.turn,
                        &parts.server,
                        &parts.records,
                        &mut parts.out,
                    );
                }
                Halt::Steps(_) | Halt::Repeat(..) | Halt::Stuck(_) | Halt::Counted(..) => {}
            }
            if matches!(halt, Halt::Stuck(_) | Halt::Counted(..)) {
                parts.out.notice(NoticeLevel::Info, "the model is asked again");
            }
            steer(parts);
            if !parts.conversation.now.history.awaits_reply() {
                // A request that ends in the model's own words would be taken for words to go on from.
                parts.conversation.remind("(go on)");
            }
            Next::Ask
        }
        Verdict::No { word } => {
            settle(ask, Settlement::No { word: word.clone() }, &mut parts.out);
            queue_word(word, &mut parts.turn);
            Next::End(match halt {
                Halt::Steps(_) => TurnEndReason::StepLimit,
                Halt::Full { then: Then::End, .. } => TurnEndReason::Done,
                Halt::Full { .. } => TurnEndReason::Full,
                Halt::Repeat(..) => TurnEndReason::Repeating,
                Halt::Again { .. } => return fresh_start::declined(&mut parts.turn),
                Halt::Stuck(how) | Halt::Counted(how, _) => TurnEndReason::Stuck { how: *how },
            })
        }
    }
}

fn queue_word(word: Option<String>, turn: &mut Turn) {
    if let Some(word) = word {
        turn.queue.push(QueuedMessage::from_text(word));
    }
}

/// A word that says something.
fn without_blank(word: Option<String>) -> Option<String> {
    word.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty())
}
