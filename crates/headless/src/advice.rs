//! What a person can do about trouble with the server or its models, where there is no screen to type a command into.

use agent_protocol::{Capability, ModelCard, ModelsReason, ServerCard, ServerError};
use std::borrow::Cow;

/// What can be done about it.
pub(crate) fn advice(trouble: &ServerError) -> Cow<'static, str> {
    Cow::Borrowed(match trouble {
        ServerError::ModelMissing { .. } | ServerError::NoTools { .. } => "name another with --model",
        ServerError::TooLong { .. } => "ask for less, or start with a larger --num-ctx",
        ServerError::NoThinking { .. } => "leave it to the server: take think out of your config",
        ServerError::Refused { .. } => "see the server's log, then try again",
        ServerError::Busy { .. } => "wait a little, then try again",
        ServerError::Crashed { .. } => "try again; if it goes on so, a smaller --num-ctx or model takes less memory",
        ServerError::MidReply { .. }
        | ServerError::BadCall { .. }
        | ServerError::Cut { .. }
        | ServerError::NotDone
        | ServerError::ReplyTooLong { .. } => "try again",
        ServerError::Locked { sign_in: Some(command), .. } => {
            let step = format!("run `{command}` where the server runs, or name another model with --model");
            return Cow::Owned(step);
        }
        ServerError::Locked { status: 403, message: Some(_), .. } => {
            "name another model with --model, or ask whoever runs the server"
        }
        ServerError::Unreachable { .. }
        | ServerError::NotInLibrary { .. }
        | ServerError::Unsupported { .. }
        | ServerError::Redirected { .. }
        | ServerError::Locked { .. }
        | ServerError::Foreign { .. }
        | ServerError::PullFailed { .. }
        | ServerError::Garbage { .. }
        | ServerError::LineTooLong { .. } => return trouble.advice(),
    })
}

/// How to get a server that answers.
pub(crate) fn way_to_start(trouble: &ServerError, can_start: bool) -> String {
    let ServerError::Unreachable { program: Some(program), .. } = trouble else { return advice(trouble).into_owned() };
    let (start, home) = (&program.start, &program.home);
    if can_start {
        format!("start it with `{start}`, or start agent, which offers to; --host names another address")
    } else {
        format!("start it there with `{start}` ({home} tells how to install it), or name another address with --host")
    }
}

/// Why nothing is known of a model, where the server did not say that it is not installed.
pub(crate) fn untold(name: &str, trouble: &ServerError) -> String {
    let step = advice(trouble);
    match trouble {
        ServerError::Unreachable { .. } => format!("{trouble}; {step}"),
        other => format!("the server could not tell about the model {name}: {other}; {step}"),
    }
}

/// What to say where no model can be used.
pub(crate) fn no_model(models: &[ModelCard], reason: &ModelsReason, server: &ServerCard) -> String {
    let names: Vec<String> = models.iter().map(marked).collect();
    let installed = if names.is_empty() { none_installed(server) } else { format!("installed: {}", names.join(", ")) };
    match reason {
        ModelsReason::Missing { name } => {
            format!("the model {name} is not installed; name another with --model ({installed})")
        }
        ModelsReason::NotUsed { name } => {
            format!("the model {name} is not used; name another with --model ({installed})")
        }
        ModelsReason::NoneChosen | ModelsReason::Asked => {
            format!("no model is chosen; name one with --model ({installed})")
        }
    }
}

/// The model that is meant where none is chosen, and what is said of that.
pub(crate) fn only_one(models: &[ModelCard]) -> Option<(&str, String)> {
    let name = ModelCard::only_one(models)?;
    let why = if models.len() == 1 { "the only one installed" } else { "the only one that is no cloud model" };
    Some((name, format!("no model is chosen; taking {name}, {why}")))
}

/// The name of a model as it stands in a list, marked where it is a cloud model.
pub(crate) fn marked(card: &ModelCard) -> String {
    card.cloud_mark().map_or_else(|| card.name.clone(), |mark| format!("{} ({mark})", card.name))
}

/// A server without models, and how it gets one.
pub(crate) fn none_installed(server: &ServerCard) -> String {
    let library = server.library.as_ref().map_or(String::new(), |library| format!(" (see {library})"));
    if server.can(Capability::Pull) {
        format!("no model is installed; `agent models pull NAME` gets one{library}")
    } else {
        "the server has no model".to_owned()
    }
}
