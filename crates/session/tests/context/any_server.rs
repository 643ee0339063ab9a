//! Whatever a server counts, and whatever becomes of the messages, estimates stay estimates.

use agent_protocol::{Calibration, Message, ModelCall, Role, Usage};
use agent_session::context::{ContextUsage, Estimator, Features, Speeds};
use proptest::prelude::*;
use serde_json::json;

/// One thing that happens to a gauge.
#[derive(Debug, Clone)]
enum Happening {
    Says(Message),
    Sent,
    Counted(Usage),
    Refused(u64),
    TakenBack(usize),
    Changed(usize, String),
    Rewritten,
    Window(u64),
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(1), 2..5_000_u64, any::<u64>(), Just(1_000_000_000_000_000)]
}

fn usage() -> impl Strategy<Value = Usage> {
    let maybe = || proptest::option::of(number());
    (maybe(), maybe(), maybe(), maybe()).prop_map(|(prompt_tokens, reply_tokens, prompt_ns, reply_ns)| Usage {
        prompt_tokens,
        reply_tokens,
        prompt_ns,
        reply_ns,
        ..Usage::default()
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,40}", "[a-z ]{0,400}", "[漢字かな。 ]{0,200}", "\\PC{0,80}"]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant), Just(Role::Tool), Just(Role::System)];
    (role, text(), proptest::option::of(text()), proptest::option::of(text())).prop_map(
        |(role, content, thinking, argument)| {
            let call = |argument| ModelCall {
                server_id: None,
                index: None,
                name: "read_file".into(),
                arguments: json!({"file_path": argument}),
            };
            Message { thinking, calls: argument.map(call).into_iter().collect(), ..Message::text(role, content) }
        },
    )
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => message().prop_map(Happening::Says),
        3 => Just(Happening::Sent),
        3 => usage().prop_map(Happening::Counted),
        1 => number().prop_map(Happening::Refused),
        1 => (0..4_usize).prop_map(Happening::TakenBack),
        1 => (0..9_usize, text()).prop_map(|(at, text)| Happening::Changed(at, text)),
        1 => Just(Happening::Rewritten),
        1 => number().prop_map(Happening::Window),
    ]
}

fn happen(gauge: &mut ContextUsage, messages: &mut Vec<Message>, happening: Happening) {
    match happening {
        Happening::Says(message) => messages.push(message),
        Happening::Sent => {
            gauge.sent(messages, &[]);
        }
        Happening::Counted(usage) => {
            gauge.counted(&usage);
        }
        Happening::Refused(tokens) => gauge.refused(tokens),
        Happening::TakenBack(count) => messages.truncate(messages.len().saturating_sub(count)),
        Happening::Changed(at, text) => {
            if let Some(message) = messages.get_mut(at) {
                message.content = text.into();
            }
        }
        Happening::Rewritten => gauge.rewritten(),
        Happening::Window(tokens) => gauge.set_window(tokens),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_always_add_up_and_weights_are_never_below_zero(
        happenings in proptest::collection::vec(happening(), 0..60),
    ) {
        let (mut gauge, mut messages) = (ContextUsage::new(None), Vec::new());
        for happening in happenings {
            happen(&mut gauge, &mut messages, happening);
            let used = gauge.used(&messages, &[]);
            let parts = gauge.parts(&messages, &[]);
            prop_assert!(parts.is_empty() || parts.iter().map(|part| part.tokens).sum::<u64>() == used);
        }
        let calibration = gauge.estimator().calibration();
        prop_assert!(calibration.weights.iter().all(|weight| weight.is_finite() && (0.0..1e4).contains(weight)));
        prop_assert!(gauge.estimator().characters_per_token() > 0.05);
        prop_assert_eq!(Estimator::new(Some(&calibration)).samples(), calibration.samples);
    }

    #[test]
    fn what_is_kept_of_earlier_sessions_can_be_anything(
        weights in proptest::collection::vec(any::<f64>(), 0..40),
        samples in any::<u64>(),
        text in text(),
        tokens in number(),
    ) {
        let mut gauge = ContextUsage::new(Some(&Calibration { weights, samples }));
        gauge.sent(&[Message::text(Role::User, text.as_str())], &[]);
        gauge.counted(&Usage { prompt_tokens: Some(tokens), ..Usage::default() });
        prop_assert!(gauge.estimator().tokens(&Features::of_text(&text)) < 1_000_000);
    }

    #[test]
    fn no_more_is_reused_than_there_is(
        known in proptest::option::of(any::<f64>()),
        heard in proptest::collection::vec((usage(), proptest::option::of(number())), 0..20),
        next in (number(), number()),
    ) {
        let mut speeds = Speeds::new(known, known);
        for (usage, added) in heard {
            let reused = speeds.record_reply(&usage, added);
            prop_assert!(reused.is_none_or(|reused| reused.tokens <= reused.of && Some(reused.of) == usage.prompt_tokens));
            prop_assert!(speeds.reading().is_none_or(|speed| speed.is_finite() && speed > 0.0));
        }
        let expected = speeds.expect(next.0, next.1);
        prop_assert!(expected.new <= expected.of);
    }

    #[test]
    fn characters_are_counted_as_they_are(text in "\\PC{0,200}") {
        prop_assert_eq!(Features::of_text(&text).characters(), text.chars().count() as f64);
    }
}
