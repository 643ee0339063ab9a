//! Questions to the user: what each asks, and that it stands open.

use crate::out::Out;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::firing::notify;
use crate::turn::phases::work::{OpenReach, Stage, Working, reach_at_least};
use crate::turn::state::Turn;
use agent_policy::{Held, HeldReach, Wish};
use agent_protocol::{
    Action, AskId, CallEvent, CallId, Cause, Preview, PreviewBody, Question, ReachId, Reacher, Settlement, Subject,
};

/// Letters of a command that a title repeats.
const MOST_LETTERS: usize = 60;

/// May the call look at what it reached for?
pub(crate) fn ask_look(mut working: Box<Working>, held: Held, turn: &mut Turn, out: &mut Out) -> Next {
    let ask = out.next_ask();
    let question = question_about(ask, working.current.id, &held, look_preview(held.action()));
    working.stage = Stage::AskingLook { ask, held };
    put(question, turn, out);
    Next::working(working)
}

/// May the call do what it planned?
pub(crate) fn ask_run(
    mut working: Box<Working>,
    held: Held,
    mut preview: Preview,
    turn: &mut Turn,
    out: &mut Out,
) -> Next {
    reach_at_least(&mut preview, held.least());
    let ask = out.next_ask();
    let mut question = question_about(ask, working.current.id, &held, preview.clone());
    if let Some(fenced) = &working.fenced {
        question.why = format!("{}; {}", fenced.describe(), question.why);
    }
    if let Some(replaced) = &working.replaced {
        question.warnings.insert(0, replaced.clone());
    }
    if let Some(why) = working.hooked.asks.as_ref().filter(|why| **why != question.why) {
        question.warnings.insert(0, why.clone());
    }
    working.stage = Stage::Asking { ask, held, preview };
    put(question, turn, out);
    Next::working(working)
}

/// May the running command reach a host?
pub(crate) fn ask_reach(working: &mut Working, reach: ReachId, held: HeldReach, turn: &mut Turn, out: &mut Out) {
    let ask = out.next_ask();
    let question = question_of_reach(ask, working.current.id, &held);
    working.stage = Stage::Running { held: Some(Box::new(OpenReach { ask, reach, held })) };
    put(question, turn, out);
}

/// The question stands open, and hooks hear of it.
fn put(question: Question, turn: &mut Turn, out: &mut Out) {
    notify(format!("agent asks: {}", question.preview.title), turn, out);
    out.emit(CallEvent::Asked { question });
}

/// Is the turn to go on?
pub(crate) fn ask_about_halt(halt: Halt, turn: &mut Turn, out: &mut Out) -> Next {
    let ask = out.next_ask();
    let subject = match &halt {
        Halt::Steps(steps) => Subject::Steps { steps: *steps },
        Halt::Full { tokens, window, .. } => Subject::Shorten { tokens: *tokens, window: *window },
        Halt::Repeat(name, times) => Subject::Repeat { name: name.clone(), times: *times },
        Halt::Stuck(how) | Halt::Counted(how, _) => Subject::Stuck { how: *how },
        Halt::Again { failing, files } => Subject::Again {
            failing: failing.clone(),
            files: files.iter().map(|file| file.shown_path.clone()).collect(),
        },
    };
    let why = match &halt {
        Halt::Steps(_) | Halt::Repeat(..) | Halt::Full { .. } | Halt::Again { .. } => halt.describe(),
        Halt::Stuck(_) | Halt::Counted(..) => {
            format!("{}; yes lets it try once more, a word with it may help", halt.describe())
        }
    };
    let title = match halt {
        Halt::Full { .. } => "Use a rule-based summary?",
        Halt::Again { .. } => "Start this task again from the files as they were?",
        Halt::Steps(_) | Halt::Repeat(..) | Halt::Stuck(_) | Halt::Counted(..) => "Go on?",
    };
    ask_plainly(ask, subject, title.to_owned(), why, turn, out);
    Next::Rest(Phase::Halted { ask, halt })
}

/// A question about no call.
pub(crate) fn ask_plainly(id: AskId, subject: Subject, title: String, why: String, turn: &mut Turn, out: &mut Out) {
    let question = Question {
        id,
        call: None,
        subject,
        preview: Preview { title, body: PreviewBody::Plain },
        why,
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Cause::Always,
        hosts: Vec::new(),
    };
    put(question, turn, out);
}

pub(crate) fn settle(ask: AskId, settlement: Settlement, out: &mut Out) {
    out.emit(CallEvent::Settled { ask, settlement });
}

pub(crate) fn settle_withdrawn(ask: AskId, out: &mut Out) {
    settle(ask, Settlement::Withdrawn, out);
}

fn question_about(id: AskId, call: CallId, held: &Held, preview: Preview) -> Question {
    Question {
        id,
        call: Some(call),
        subject: Subject::Action { action: held.action().clone() },
        preview,
        why: held.why().to_owned(),
        offers: held.offers().to_vec(),
        warnings: held.warnings().to_vec(),
        parts: held.parts().to_vec(),
        cause: held.cause(),
        hosts: held.hosts().to_vec(),
    }
}

fn question_of_reach(id: AskId, call: CallId, held: &HeldReach) -> Question {
    let Wish { by, host, .. } = held.wish();
    let command = by.line().to_owned();
    let title = format!("`{}` wants to reach {host}", shortened(&command));
    Question {
        id,
        call: Some(call),
        subject: Subject::Reach {
            by: Reacher::Call { call },
            command,
            host: host.clone(),
            hosts: held.hosts().to_vec(),
        },
        preview: Preview { title, body: PreviewBody::Plain },
        why: held.why().to_owned(),
        offers: held.offers().to_vec(),
        warnings: held.warnings().to_vec(),
        parts: Vec::new(),
        cause: held.cause(),
        hosts: Vec::new(),
    }
}

/// A preview of a look.
fn look_preview(action: &Action) -> Preview {
    let paths: Vec<String> = action.looked_at().iter().map(|path| path.display().to_string()).collect();
    Preview { title: format!("Look at {}", paths.join(", ")), body: PreviewBody::Plain }
}

fn shortened(line: &str) -> String {
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(MOST_LETTERS).collect();
    if shown == whole { whole } else { format!("{shown} …") }
}
