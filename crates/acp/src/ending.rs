//! How a prompt ends: the stop reason of the protocol, or an error whose words name the next step.

use crate::wire::Fault;
use agent_frontend::Session;
use agent_protocol::{ModelCard, ModelsReason, Receipt, ServerError, TurnEndReason};

pub(crate) type Ending = Result<StopReason, Fault>;

/// The stop reasons of the protocol that we have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    EndTurn,
    MaxTokens,
    MaxTurnRequests,
    Cancelled,
}

impl StopReason {
    /// As it goes over the wire.
    pub(crate) fn word(self) -> &'static str {
        match self {
            StopReason::EndTurn => "end_turn",
            StopReason::MaxTokens => "max_tokens",
            StopReason::MaxTurnRequests => "max_turn_requests",
            StopReason::Cancelled => "cancelled",
        }
    }
}

/// What is answered when the turn is over.
pub(crate) fn prompt_ending(reason: &TurnEndReason) -> Ending {
    match reason {
        TurnEndReason::Done | TurnEndReason::Repeating | TurnEndReason::Stuck { .. } => Ok(StopReason::EndTurn),
        TurnEndReason::Length | TurnEndReason::Full => Ok(StopReason::MaxTokens),
        TurnEndReason::Interrupted | TurnEndReason::Lost => Ok(StopReason::Cancelled),
        TurnEndReason::StepLimit | TurnEndReason::TimeLimit => Ok(StopReason::MaxTurnRequests),
        TurnEndReason::TooSmall { needs, window } => Err(failed(&format!(
            "the instructions and tools alone take {needs} tokens and the window holds {window}; set a larger num_ctx, or \
             fewer groups under [tools]"
        ))),
        TurnEndReason::Broken { trouble } => Err(failed(&trouble_words(trouble))),
    }
}

/// What the user reads of an end that does not say enough by itself.
pub(crate) fn turn_end_text(reason: &TurnEndReason) -> Option<&'static str> {
    match reason {
        TurnEndReason::Repeating => Some("stopped: the model repeats itself; say it in other words"),
        TurnEndReason::Stuck { how } => Some(how.words()),
        TurnEndReason::Length => Some(
            "the reply was cut off: the length limit or the window is full; ask for smaller steps, or set a larger \
             num_predict under [options], or num_ctx",
        ),
        TurnEndReason::Full => Some("the conversation fills the window; /compact makes it shorter, or begin a new one"),
        TurnEndReason::StepLimit => Some("stopped at the limit of steps; say `go on` to let it go on"),
        TurnEndReason::Done
        | TurnEndReason::Interrupted
        | TurnEndReason::TimeLimit
        | TurnEndReason::TooSmall { .. }
        | TurnEndReason::Lost
        | TurnEndReason::Broken { .. } => None,
    }
}

/// What a person has to know of what was really done.
pub(crate) fn doubts(receipt: &Receipt) -> Vec<String> {
    let doubts = receipt.doubts.iter().map(|doubt| format!("not so: {doubt}"));
    let unchanged = receipt.unchanged.then(|| "nothing was changed".to_owned());
    let failing = receipt.failing.as_ref().map(|how| format!("the check still fails: {how}"));
    let not_run = receipt.not_run.as_ref().map(|why| format!("not checked: {why}"));
    doubts.chain(unchanged).chain(failing).chain(not_run).collect()
}

/// Something did not work, and nobody made a mistake in saying it.
pub(crate) fn failed(words: &str) -> Fault {
    Fault::new(Fault::INTERNAL, agent_protocol::sanitize::clean_line(words))
}

/// What was asked for cannot be done so.
pub(crate) fn unfit(words: &str) -> Fault {
    Fault::new(Fault::PARAMS, agent_protocol::sanitize::clean_line(words))
}

/// There is no such thing.
pub(crate) fn missing(words: &str) -> Fault {
    Fault::new(Fault::MISSING, agent_protocol::sanitize::clean_line(words))
}

/// What is wrong with the server or its model, and what can be done from an editor.
pub(crate) fn trouble_words(trouble: &ServerError) -> String {
    let step = match trouble {
        ServerError::ModelMissing { .. } | ServerError::NoTools { .. } => "choose another model for this session",
        ServerError::TooLong { .. } => "say less, /compact, or set a larger num_ctx in your config",
        ServerError::NoThinking { .. } => "leave the model's thinking to the server, then send it again",
        ServerError::Refused { .. } => "see the server's log, then send it again",
        ServerError::Busy { .. } => "wait a little, then send it again",
        ServerError::Crashed { .. } => "send it again; if it goes on so, a smaller num_ctx or model takes less memory",
        ServerError::MidReply { .. }
        | ServerError::BadCall { .. }
        | ServerError::Cut { .. }
        | ServerError::NotDone
        | ServerError::ReplyTooLong { .. } => "send it again",
        ServerError::Unreachable { program: Some(program), .. } => {
            return format!(
                "{trouble}; start it with `{}`, or set host in your config, then send it again",
                program.start
            );
        }
        ServerError::Unreachable { program: None, .. }
        | ServerError::NotInLibrary { .. }
        | ServerError::Unsupported { .. }
        | ServerError::Redirected { .. }
        | ServerError::Locked { .. }
        | ServerError::Foreign { .. }
        | ServerError::PullFailed { .. }
        | ServerError::Garbage { .. }
        | ServerError::LineTooLong { .. } => return format!("{trouble}; {}", trouble.advice()),
    };
    format!("{trouble}; {step}")
}

/// Why no prompt can be answered in this session, as far as that is known.
pub(crate) fn hindrance(session: &Session) -> Option<String> {
    let trouble = session.trouble.as_ref().map(trouble_words);
    let lacks = session.lacks_model.as_ref().filter(|_| session.only_model().is_none());
    trouble.or_else(|| Some(no_model(session.models.as_deref().unwrap_or_default(), lacks?)))
}

/// What to say where no model can be used.
pub(crate) fn no_model(models: &[ModelCard], reason: &ModelsReason) -> String {
    let names: Vec<&str> = models.iter().map(|card| card.name.as_str()).collect();
    let there = if names.is_empty() {
        "none is installed: `agent models pull NAME` gets one".to_owned()
    } else {
        format!("there are {}", names.join(", "))
    };
    match reason {
        ModelsReason::Missing { name } => {
            format!(
                "the model {name} is not installed; choose another for this session, or set model in your config ({there})"
            )
        }
        ModelsReason::NotUsed { name } => {
            format!(
                "the model {name} is not used; choose another for this session, or set model in your config ({there})"
            )
        }
        ModelsReason::NoneChosen | ModelsReason::Asked => {
            format!("no model is chosen; choose one for this session, or set model in your config ({there})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_turn_is_a_stop_reason_or_an_error_that_names_the_next_step() {
        for (reason, word) in [
            (TurnEndReason::Done, "end_turn"),
            (TurnEndReason::Length, "max_tokens"),
            (TurnEndReason::Interrupted, "cancelled"),
            (TurnEndReason::StepLimit, "max_turn_requests"),
        ] {
            assert_eq!(prompt_ending(&reason).map(StopReason::word), Ok(word), "{reason:?}");
        }
        let fault = prompt_ending(&TurnEndReason::TooSmall { needs: 5_000, window: 4_096 }).unwrap_err();
        assert!(fault.code == Fault::INTERNAL && fault.message.contains("larger num_ctx"), "{fault:?}");
        let trouble = ServerError::ModelMissing { model: "m".into() };
        let fault = prompt_ending(&TurnEndReason::Broken { trouble }).unwrap_err();
        assert!(fault.message.ends_with("choose another model for this session"), "{fault:?}");
    }

    #[test]
    fn where_no_model_can_be_used_those_that_are_there_are_named() {
        let card = ModelCard { name: "m".into(), ..ModelCard::default() };
        let words = no_model(&[card], &ModelsReason::NoneChosen);
        assert_eq!(words, "no model is chosen; choose one for this session, or set model in your config (there are m)");
        assert!(no_model(&[], &ModelsReason::Asked).contains("agent models pull"));
    }
}
