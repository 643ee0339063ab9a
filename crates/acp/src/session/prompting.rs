//! A prompt from its arrival to its answer.

use super::{Order, Session};
use crate::commands::{self, Command};
use crate::doorway::BufferText;
use crate::ending::{self, Ending, StopReason, failed};
use crate::prompt::Draft;
use crate::wire::Fault;
use agent_protocol::{Op, TurnEndReason, TurnOp};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

/// A prompt that is under way.
pub(super) struct UnderWay {
    done: oneshot::Sender<Ending>,
    stage: Stage,
    /// The user wants it to end.
    cancelled: bool,
}

enum Stage {
    /// What it names is read.
    Gathering,
    /// It is said when the server answers.
    Looking(Op),
    /// It was said, and no turn has begun with it yet.
    Said,
    /// Its turn is under way.
    Turn,
    /// It is no prompt but a command.
    Command(Command),
}

impl UnderWay {
    /// The command that it is.
    pub(super) fn command(&self) -> Option<Command> {
        match &self.stage {
            Stage::Command(command) => Some(*command),
            Stage::Gathering | Stage::Looking(_) | Stage::Said | Stage::Turn => None,
        }
    }
}

impl Session {
    pub(super) fn prompt(&mut self, blocks: &[Value], done: oneshot::Sender<Ending>) {
        let draft = match self.under_way {
            Some(_) => {
                Err(Fault::new(Fault::REQUEST, "a prompt is under way in this session; wait for its end, or cancel it"))
            }
            None => Draft::from_blocks(blocks, &self.start.project),
        };
        let mut draft = match draft {
            Ok(draft) => draft,
            // Whoever asked may be gone.
            Err(error) => return drop(done.send(Err(error))),
        };
        self.under_way = Some(UnderWay { done, stage: Stage::Gathering, cancelled: false });
        let remarks = std::mem::take(&mut self.remarks);
        self.tell(remarks);
        let links = if self.start.reads_files { std::mem::take(&mut draft.linked) } else { Vec::new() };
        if links.is_empty() && draft.pictures.is_empty() {
            return self.gathered(draft);
        }
        let (editor, name, orders) = (self.start.editor.clone(), self.start.name.clone(), self.start.orders.clone());
        let doorway = self.start.doorway.clone();
        tokio::spawn(async move {
            for (shown, path) in links {
                // A folder, or what the editor does not have, the model looks at by itself.
                if let Some(BufferText::Text(text)) = super::super::doorway::buffer_text(&editor, &name, &path).await {
                    draft.attached.push((shown, text));
                }
            }
            let looked = spawn_blocking(move || draft.look(&*doorway).map(|()| draft)).await;
            let gathered = looked.unwrap_or_else(|_| Err(failed("a picture could not be looked at; leave it out")));
            // The session may be over.
            let _told = orders.send(Order::Gathered(gathered));
        });
    }

    pub(super) fn not_gathered(&mut self, fault: Fault) {
        if matches!(&self.under_way, Some(UnderWay { stage: Stage::Gathering, .. })) {
            self.finish(Err(fault));
        }
    }

    pub(super) fn gathered(&mut self, draft: Draft) {
        // It may have been cancelled meanwhile.
        if !matches!(&self.under_way, Some(UnderWay { stage: Stage::Gathering, .. })) {
            return;
        }
        match commands::parse_command(&draft.text) {
            Err(error) => self.finish(Err(error)),
            Ok(Some((command, op))) => {
                self.stage(Stage::Command(command));
                self.send(op);
            }
            Ok(None) if self.known.trouble.is_some() => {
                self.stage(Stage::Looking(draft.op(&self.start.commands)));
                self.send(Op::Turn(TurnOp::Retry));
            }
            Ok(None) => self.say(draft.op(&self.start.commands)),
        }
    }

    /// The server answers: what waited for that is said.
    pub(super) fn server_is_up(&mut self) {
        if let Some(UnderWay { stage, .. }) = &mut self.under_way
            && let Stage::Looking(_) = stage
            && let Stage::Looking(op) = std::mem::replace(stage, Stage::Gathering)
        {
            self.say(op);
        }
    }

    fn say(&mut self, op: Op) {
        if let Some(hindrance) = self.known.lacks_model.as_ref().and_then(|_| ending::hindrance(&self.known)) {
            return self.finish(Err(failed(&hindrance)));
        }
        self.stage(Stage::Said);
        self.send(op);
        self.put_questions();
    }

    /// Where no turn can begin, the prompt is answered with why, and nothing of it waits for later.
    pub(super) fn give_up_before_a_turn(&mut self) {
        let waits = matches!(&self.under_way, Some(UnderWay { stage: Stage::Said | Stage::Looking(_), .. }));
        if let Some(hindrance) = ending::hindrance(&self.known).filter(|_| waits) {
            self.send(Op::Turn(TurnOp::Unqueue));
            self.finish(Err(failed(&hindrance)));
        }
    }

    pub(super) fn turn_started(&mut self) {
        if let Some(UnderWay { stage: stage @ (Stage::Said | Stage::Looking(_)), .. }) = &mut self.under_way {
            *stage = Stage::Turn;
        }
    }

    pub(super) fn turn_ended(&mut self, reason: &TurnEndReason) {
        if matches!(&self.under_way, Some(UnderWay { stage: Stage::Turn, .. })) {
            self.finish(ending::prompt_ending(reason));
        }
    }

    pub(super) fn cancel(&mut self) {
        let Some(UnderWay { stage, cancelled, .. }) = &mut self.under_way else { return };
        *cancelled = true;
        match stage {
            Stage::Gathering | Stage::Looking(_) => self.finish(Ok(StopReason::Cancelled)),
            Stage::Said => {
                self.send(Op::Turn(TurnOp::Unqueue));
                // The turn may have begun in this moment.
                self.interrupt();
                self.finish(Ok(StopReason::Cancelled));
            }
            Stage::Turn => self.interrupt(),
            Stage::Command(Command::Compact) => self.interrupt(),
            Stage::Command(_) => self.finish(Ok(StopReason::Cancelled)),
        }
    }

    pub(super) fn finish(&mut self, ending: Ending) {
        let Some(UnderWay { done, cancelled, .. }) = self.under_way.take() else { return };
        self.asks.hold_again();
        self.give_up_undo();
        let ending = if cancelled { Ok(StopReason::Cancelled) } else { ending };
        // Whoever asked may be gone.
        let _told = done.send(ending);
    }

    fn stage(&mut self, next: Stage) {
        if let Some(UnderWay { stage, .. }) = &mut self.under_way {
            *stage = next;
        }
    }
}
