//! What the program tells the model in the person's place is told apart from what they said, when a summary keeps their
//! words: `context` knows our remarks by their wording, so each wording is held to that here.

use crate::turn::acting::not_run;
use crate::turn::brakes::Brake;
use crate::turn::mishap::{Mishap, again, in_one_object};
use agent_context::{Estimator, rebuild};
use agent_dialects::{Fault, Lost};
use agent_protocol::{Message, Role, Stuck};

const TASK: &str = "mend the parser";

/// What a summary keeps of the person's words in a conversation with `remark` in it.
fn kept(remark: &str) -> String {
    let conversation = [
        Message::text(Role::System, "system"),
        Message::text(Role::User, TASK),
        Message::text(Role::Assistant, "I will"),
        Message::text(Role::User, remark),
        Message::text(Role::Assistant, "done"),
    ];
    let rebuilt = rebuild(&conversation, conversation.len(), "## Goal\nnone", 10_000, &Estimator::new(None));
    rebuilt.messages[1].content.clone()
}

fn mishaps() -> Vec<Mishap> {
    let lost =
        |why, name: Option<&str>| Lost { why, name: name.map(str::to_owned), dialect: "hermes", raw: "{".into() };
    vec![
        Mishap::lost(&lost(Fault::CutOff, None), &[], false),
        Mishap::lost(&lost(Fault::CutOff, Some("write_file")), &[], true),
        Mishap::lost(&lost(Fault::Unreadable, None), &[], false),
        Mishap::lost(&lost(Fault::Unreadable, Some("write_file")), &[], false),
        Mishap::refused_by_server("tool 'launch' not found", &[]),
        Mishap::refused_by_server("error parsing tool call: raw='ls -R', err=invalid character", &[]),
        Mishap::cut(),
        Mishap::vanished(),
    ]
}

#[test]
fn no_remark_of_ours_passes_for_the_persons_words() {
    let brakes = [Stuck::Alternating, Stuck::Babbling, Stuck::Silent, Stuck::Announcing, Stuck::Unreadable];
    let brakes = brakes.map(Brake::Stuck).into_iter().chain([Brake::Repeat("read_file".into(), 3)]);
    let mut remarks: Vec<String> = brakes.map(|brake| format!("({})", brake.words_for_model())).collect();
    for Mishap { told, .. } in mishaps() {
        remarks.extend([again(&told), in_one_object(&told), not_run(&told)]);
    }
    remarks.push("(go on)".into());
    for remark in remarks {
        let kept = kept(&remark);
        assert!(kept.contains(TASK) && !kept.contains(&remark), "{remark} was kept:\n{kept}");
    }
}

#[test]
fn what_a_person_says_in_brackets_is_theirs() {
    for said in ["(go on, please)", "(your call)", "(you said what you would do)"] {
        assert!(kept(said).contains(said), "{said} was lost");
    }
}
