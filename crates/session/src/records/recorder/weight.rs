//! Which events outlive the moment. Every event is named here, so that a new one cannot be forgotten.

use agent_protocol::{ContextEvent, ServerEvent, SessionEvent, TurnEvent};

/// How much an event matters to whoever goes on with the session.
pub(super) enum Weight {
    /// It is gone when it is over.
    Passing,
    Written,
    /// It is on disk before anything else happens.
    Synced,
}

impl Weight {
    pub(super) fn synced_if(acts: bool) -> Self {
        if acts { Weight::Synced } else { Weight::Written }
    }
}

pub(super) fn of_turn(event: &TurnEvent) -> Weight {
    match event {
        TurnEvent::Started { .. } | TurnEvent::Steered { .. } | TurnEvent::Ended { .. } => Weight::Synced,
        TurnEvent::Replied { .. }
        | TurnEvent::WasThinking { .. }
        | TurnEvent::SetAside { .. }
        | TurnEvent::Receipt { .. }
        | TurnEvent::Todos { .. } => Weight::Written,
        // Streams are written down in pieces.
        TurnEvent::Text { .. } | TurnEvent::Thinking { .. } => Weight::Passing,
        TurnEvent::Queued { .. } | TurnEvent::Unqueued { .. } | TurnEvent::Waiting { .. } => Weight::Passing,
    }
}

pub(super) fn of_context(event: &ContextEvent) -> Weight {
    match event {
        ContextEvent::Fitted { .. } => Weight::Synced,
        ContextEvent::WindowMeasured { .. }
        | ContextEvent::Fitting { .. }
        | ContextEvent::Offered { .. }
        | ContextEvent::Window { .. }
        | ContextEvent::Cleared => Weight::Passing,
    }
}

pub(super) fn of_server(event: &ServerEvent) -> Weight {
    match event {
        ServerEvent::ModelSet { .. }
        | ServerEvent::ThinkSet { .. }
        | ServerEvent::Probed { .. }
        | ServerEvent::Diagnosed { .. } => Weight::Written,
        ServerEvent::Server { .. }
        | ServerEvent::Models { .. }
        | ServerEvent::Overruled { .. }
        | ServerEvent::ModelDescribed { .. }
        | ServerEvent::Loaded { .. }
        | ServerEvent::ModelRemoved { .. }
        | ServerEvent::Nearby { .. }
        | ServerEvent::Pulling { .. }
        | ServerEvent::Examining { .. } => Weight::Passing,
    }
}

pub(super) fn of_session(event: &SessionEvent) -> Weight {
    match event {
        SessionEvent::Undone { .. } | SessionEvent::Rewound { .. } | SessionEvent::Renamed { .. } => Weight::Synced,
        SessionEvent::Notice { .. } | SessionEvent::HookRan { .. } => Weight::Written,
        SessionEvent::Opened { .. }
        | SessionEvent::CheckedOut { .. }
        | SessionEvent::Said { .. }
        | SessionEvent::Restored { .. }
        | SessionEvent::NotRestored { .. }
        | SessionEvent::Page { .. }
        | SessionEvent::NoPage { .. }
        | SessionEvent::Journal { .. }
        | SessionEvent::UndoPlanned { .. }
        | SessionEvent::Closed => Weight::Passing,
    }
}
