//! The modes and the other things that a person chooses in the editor, and what comes of choosing.

use crate::ending::{failed, no_model, trouble_words, unfit};
use crate::wire::Fault;
use agent_frontend::Session;
use agent_protocol::{
    CallEvent, CallOp, Event, Mode, ModelCard, ModelsReason, Op, ServerEvent, ServerOp, ServerState, SessionEvent,
    Think,
};
use serde_json::{Value, json};

/// The modes, in the order in which they allow more.
const MODES: [(Mode, &str, &str, &str); 4] = [
    (Mode::Plan, "plan", "Plan", "Only looks, and ends with a plan that you decide on"),
    (Mode::Safe, "safe", "Safe", "Asks before every write and every command"),
    (Mode::AcceptEdits, "accept-edits", "Accept edits", "Edits inside the project happen without a question"),
    (Mode::Unsafe, "unsafe", "Unsafe", "Nothing inside the project asks; commands run in the sandbox"),
];

/// How much a model thinks. The first stands for leaving it to the server.
const THINKING: [(Option<Think>, &str, &str); 7] = [
    (None, "auto", "As the server decides"),
    (Some(Think::Off), "off", "Off"),
    (Some(Think::On), "on", "On"),
    (Some(Think::Low), "low", "Low"),
    (Some(Think::Medium), "medium", "Medium"),
    (Some(Think::High), "high", "High"),
    (Some(Think::Max), "max", "Max"),
];

/// What a person chose, and whose answer is waited for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OptionChoice {
    Mode(Mode),
    Model(String),
    Think(Option<Think>),
}

/// The editor's name for a mode.
pub(crate) fn mode_id(mode: Mode) -> &'static str {
    match mode {
        Mode::Plan => "plan",
        Mode::Safe => "safe",
        Mode::AcceptEdits => "accept-edits",
        Mode::Unsafe => "unsafe",
    }
}

/// The modes, and the one that is in force.
pub(crate) fn modes(session: &Session) -> Value {
    let all = MODES.iter().map(|(_, id, name, words)| json!({"id": id, "name": name, "description": words}));
    json!({"currentModeId": mode_id(session.mode), "availableModes": all.collect::<Vec<_>>()})
}

/// Whether one of the options may be another after this event.
pub(crate) fn may_change(event: &Event) -> bool {
    matches!(
        event,
        Event::Session(SessionEvent::Opened { .. })
            | Event::Call(CallEvent::ModeChanged { .. })
            | Event::Server(ServerEvent::Models { .. } | ServerEvent::ModelSet { .. } | ServerEvent::ThinkSet { .. })
    )
}

/// All that can be chosen, with what is chosen.
pub(crate) fn all(session: &Session) -> Vec<Value> {
    let modes = MODES.iter().map(|(_, id, name, words)| json!({"value": id, "name": name, "description": words}));
    let mode = select("mode", "Mode", "mode", mode_id(session.mode), modes.collect());
    [Some(mode), model(session), thinking(session)].into_iter().flatten().collect()
}

fn select(id: &str, name: &str, category: &str, current: &str, options: Vec<Value>) -> Value {
    json!({
        "id": id, "name": name, "category": category, "type": "select", "currentValue": current, "options": options,
    })
}

fn model(session: &Session) -> Option<Value> {
    let models = session.models.as_deref().filter(|models| !models.is_empty())?;
    let current = session.model.as_ref().map(|card| card.name.as_str());
    // What is used is there, however the server lists it.
    let used = session.model.iter().filter(|used| !models.iter().any(|card| card.name == used.name));
    let option = |card: &ModelCard| {
        let shown = agent_protocol::sanitize::clean_line(&card.name);
        let shown = card.cloud_mark().map_or(shown.to_string(), |mark| format!("{shown} ({mark})"));
        json!({"value": card.name, "name": shown})
    };
    let mut options: Vec<Value> = models.iter().chain(used).map(option).collect();
    if current.is_none() {
        options.insert(0, json!({"value": "", "name": "Choose a model"}));
    }
    Some(select("model", "Model", "model", current.unwrap_or_default(), options))
}

fn thinking(session: &Session) -> Option<Value> {
    session.model.as_ref().filter(|model| model.thinking == Some(true))?;
    let (_, current, _) = THINKING.iter().find(|(think, ..)| *think == session.think)?;
    let options = THINKING.iter().map(|(_, id, name)| json!({"value": id, "name": name}));
    Some(select("thinking", "Thinking", "thought_level", current, options.collect()))
}

impl OptionChoice {
    /// The mode of this name.
    pub(crate) fn mode(id: &str) -> Result<Self, Fault> {
        let known = MODES.iter().find(|(_, known, ..)| *known == id);
        let ids: Vec<&str> = MODES.iter().map(|(_, id, ..)| *id).collect();
        known
            .map(|(mode, ..)| OptionChoice::Mode(*mode))
            .ok_or_else(|| unfit(&format!("there is no mode {id}; choose one of {}", ids.join(", "))))
    }

    /// What was chosen of the option `id`.
    pub(crate) fn parse(id: &str, value: &Value) -> Result<Self, Fault> {
        let Some(value) = value.as_str() else {
            return Err(unfit(&format!("{id} takes the name of one of its values")));
        };
        match id {
            "mode" => OptionChoice::mode(value),
            "model" if value.is_empty() => Err(unfit("choose one of the models of the server")),
            "model" => Ok(OptionChoice::Model(value.to_owned())),
            "thinking" => {
                let known = THINKING.iter().find(|(_, id, _)| *id == value);
                known
                    .map(|(think, ..)| OptionChoice::Think(*think))
                    .ok_or_else(|| unfit(&format!("{value} is no way of thinking; choose one that is offered")))
            }
            _ => Err(unfit(&format!("there is no option {id}; there are mode, model and thinking"))),
        }
    }

    pub(crate) fn op(&self) -> Op {
        match self {
            OptionChoice::Mode(mode) => Op::Call(CallOp::SetMode { mode: *mode }),
            OptionChoice::Model(name) => Op::Server(ServerOp::SetModel { name: name.clone() }),
            OptionChoice::Think(think) => Op::Server(ServerOp::SetThink { think: *think }),
        }
    }

    /// What came of it, where this event tells that.
    pub(crate) fn settled(&self, event: &Event) -> Option<Result<(), Fault>> {
        match (self, event) {
            (OptionChoice::Mode(wanted), Event::Call(CallEvent::ModeChanged { mode })) => Some(if wanted == mode {
                Ok(())
            } else {
                Err(unfit(&format!(
                    "{} is off in this session, which is in {}; see what allows it in docs/SAFETY.md",
                    wanted.words(),
                    mode.words()
                )))
            }),
            (OptionChoice::Model(_), Event::Server(ServerEvent::ModelSet { .. })) => Some(Ok(())),
            (OptionChoice::Model(_), Event::Server(ServerEvent::Models { models, reason }))
                if *reason != ModelsReason::Asked =>
            {
                Some(Err(unfit(&no_model(models, reason))))
            }
            (OptionChoice::Think(_), Event::Server(ServerEvent::ThinkSet { .. })) => Some(Ok(())),
            (
                OptionChoice::Model(_) | OptionChoice::Think(_),
                Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, .. } }),
            ) => Some(Err(failed(&trouble_words(trouble)))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ModelCard;

    fn value(id: &str) -> Value {
        id.into()
    }

    #[test]
    fn every_mode_has_the_name_by_which_it_is_chosen() {
        for (mode, id, ..) in MODES {
            assert_eq!(mode_id(mode), id);
            assert_eq!(OptionChoice::mode(id).unwrap(), OptionChoice::Mode(mode));
        }
        let error = OptionChoice::mode("yolo").unwrap_err();
        assert!(error.message.contains("choose one of plan, safe, accept-edits, unsafe"), "{error:?}");
    }

    #[test]
    fn what_is_chosen_is_one_of_what_is_offered() {
        assert_eq!(OptionChoice::parse("model", &value("m")).unwrap(), OptionChoice::Model("m".into()));
        assert_eq!(OptionChoice::parse("thinking", &value("low")).unwrap(), OptionChoice::Think(Some(Think::Low)));
        assert!(OptionChoice::parse("thinking", &value("deep")).is_err());
        assert!(OptionChoice::parse("model", &value("")).is_err());
        assert!(OptionChoice::parse("colour", &value("red")).is_err());
    }

    #[test]
    fn options_are_offered_as_far_as_they_are_known() {
        let ids = |session: &Session| {
            all(session).iter().map(|option| option["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let card = |thinking| ModelCard { name: "m".into(), thinking, ..ModelCard::default() };
        let mut session = Session::default();
        assert_eq!(ids(&session), ["mode"]);
        session.models = Some(vec![card(None)]);
        assert_eq!(ids(&session), ["mode", "model"]);
        session.model = Some(card(Some(true)));
        assert_eq!(ids(&session), ["mode", "model", "thinking"]);
    }

    #[test]
    fn a_mode_that_is_off_is_an_error_that_says_which_one_is_in_force() {
        let changed = |mode| Event::Call(CallEvent::ModeChanged { mode });
        let wanted = OptionChoice::Mode(Mode::Unsafe);
        assert!(wanted.settled(&changed(Mode::Unsafe)).unwrap().is_ok());
        let error = wanted.settled(&changed(Mode::Safe)).unwrap().unwrap_err();
        assert!(error.message.starts_with("unsafe mode is off in this session, which is in safe mode"), "{error:?}");
        assert!(wanted.settled(&Event::Server(ServerEvent::ThinkSet { think: None })).is_none());
    }
}
