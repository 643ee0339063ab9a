//! The keys of a question and what they would do, in words.

use super::{Approval, ApprovalStage, Matter};
use crate::dialogs::frame::choice;
use crate::text::width::shorten;
use agent_frontend::{Hunks, Labels, lettered_offers};
use agent_protocol::{Profile, Subject};

/// How many of the keys are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    All,
    /// The offers behind one key: their words need more room than there is.
    OffersFolded,
    /// Those for which one need not look at the thing itself again.
    Few,
}

/// With fewer rows than this there is hardly room: digits and keys of hunks are not named, and what was changed of a call has one row.
pub(super) const ROOMY: u16 = 16;

/// With so many columns there is room to name the key of the editor.
const WIDE: u16 = 100;

/// The letter that edits outside, in the user's editor.
pub(super) const OUTSIDE: char = 'E';

/// Columns that the name of a file has among the keys, at most.
const LONGEST_NAME: usize = 32;

type Choices = Vec<(String, String)>;

/// What can be pressed now.
pub(super) fn choices_of(approval: &Approval, keys: Keys) -> Choices {
    match &approval.stage {
        ApprovalStage::Wording(_) => vec![choice("Enter", "keeps it; then answer"), choice("Esc", "drops it")],
        ApprovalStage::Returning(_) => vec![
            choice("Enter", "send the plan back"),
            choice("Alt+Enter", "new line"),
            choice("Esc", "back to the plan"),
        ],
        ApprovalStage::Editing(_) => vec![
            choice("Enter", "propose this instead"),
            choice("Alt+Enter", "new line"),
            choice("Esc", "back to the question"),
        ],
        ApprovalStage::Ruling(_) => {
            vec![choice("Enter", "approve, and keep this rule"), choice("Esc", "back to the question")]
        }
        ApprovalStage::Offering => {
            let keys: Vec<String> = offer_keys(approval).map(String::from).collect();
            vec![choice(keys.join(" "), "choose"), choice("Esc", "back to the question")]
        }
        ApprovalStage::Choosing => match &approval.matter {
            Matter::Inquiry(_) if approval.details.unfolded() => ways_out(approval),
            Matter::Inquiry(inquiry) => inquiry.keys(),
            Matter::Plan(_) => plan(approval, keys),
            Matter::Words | Matter::Files(_) => answers(approval, keys),
        },
    }
}

/// What can become of a plan.
fn plan(approval: &Approval, keys: Keys) -> Choices {
    let Labels { yes, no } = Labels::of_question(&approval.question);
    let mut all = vec![choice("y", yes)];
    all.push(choice("r", "send back with a word"));
    all.push(choice("e", "edit"));
    all.push(choice("n", no));
    if keys != Keys::Few {
        all.extend(approval.word.is_some().then(|| choice("Tab", "change your word")));
    }
    all.extend(ways_out(approval));
    all
}

fn answers(approval: &Approval, keys: Keys) -> Choices {
    let word = choice("Tab", if approval.word.is_some() { "change your word" } else { "add a word" });
    let Labels { yes, no } = Labels::of_question(&approval.question);
    match &approval.question.subject {
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => {
            vec![choice("y", yes), choice("n", no), word, choice("Esc", no)]
        }
        Subject::Again { .. } | Subject::Shorten { .. } | Subject::Trust { .. } | Subject::Cloud { .. } => {
            vec![choice("y", yes), choice("n, Esc", no)]
        }
        Subject::Folder { .. } => vec![choice("y", yes), choice("n", no), choice("Esc", "leave")],
        Subject::Reach { .. } => {
            let mut all = vec![choice("y", yes), choice("n", no)];
            all.extend((keys != Keys::Few).then_some(word));
            all.extend(ways_out(approval));
            match keys {
                Keys::All => all.extend(offers(approval)),
                Keys::OffersFolded => all.extend(folded_offers(approval)),
                Keys::Few => {}
            }
            all
        }
        Subject::Action { .. } => {
            let part = match approval.hunks().map(Hunks::count_out) {
                Some(out @ 1..) => format!("approve without {out} of them"),
                Some(0) | None => yes.to_owned(),
            };
            let mut all = vec![choice("y", part), choice("n", no)];
            if keys == Keys::All && approval.most >= ROOMY {
                all.extend(approval.hunk_keys());
            }
            if keys != Keys::Few {
                all.extend(approval.can_edit().then(|| choice("e", edit(approval))));
                all.extend(outside(approval));
                all.extend(approval.wider().map(|profile| choice("w", format!("ask again {}", widening(profile)))));
                all.push(word);
            }
            all.extend(other_files(approval));
            all.extend(ways_out(approval));
            match keys {
                Keys::All => all.extend(offers(approval)),
                Keys::OffersFolded => all.extend(folded_offers(approval)),
                Keys::Few => {}
            }
            all
        }
    }
}

/// What would be edited, where that must be said.
fn edit(approval: &Approval) -> String {
    match &approval.matter {
        Matter::Files(files) if files.above == 0 => match files.name() {
            Some(name) => format!("edit {} first", shorten(name, LONGEST_NAME)),
            None => "edit".to_owned(),
        },
        Matter::Files(_) | Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => "edit".to_owned(),
    }
}

/// The editor outside, where there is room to say so.
fn outside(approval: &Approval) -> Option<(String, String)> {
    let is_roomy = approval.width >= WIDE && approval.most >= ROOMY;
    let words = match &approval.matter {
        Matter::Files(files) if files.above == 0 => "at the line that changes",
        Matter::Files(_) | Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => "in your editor",
    };
    (is_roomy && approval.can_edit()).then(|| choice(OUTSIDE, words))
}

/// Where the user is among several files.
fn other_files(approval: &Approval) -> Option<(String, String)> {
    let Matter::Files(files) = &approval.matter else { return None };
    let words = format!("file {} of {}", files.at() + 1, files.count());
    (files.count() > 1).then(|| choice("← →", words))
}

/// What a command could do besides, in words that follow "ask again".
fn widening(profile: Profile) -> &'static str {
    match profile {
        Profile::ReadOnly | Profile::Project => "with writing in the project",
        Profile::Network => "with network",
        Profile::Unfenced => "without a sandbox",
    }
}

/// What an offer would mean, with its key.
pub(super) fn offers(approval: &Approval) -> Choices {
    lettered_offers(&approval.question).map(|(key, _, label)| choice(key, label)).collect()
}

fn folded_offers(approval: &Approval) -> Option<(String, String)> {
    offer_keys(approval).next().map(|key| choice(key, "approve, and don't ask again …"))
}

/// The letters that do something at the question itself.
pub(super) fn letters(approval: &Approval) -> String {
    let besides = [
        ('e', approval.can_edit()),
        (OUTSIDE, approval.can_edit()),
        ('r', matches!(approval.matter, Matter::Plan(_))),
        ('w', approval.wider().is_some()),
    ];
    let besides = besides.into_iter().filter(|(_, there)| *there).map(|(letter, _)| letter);
    "yn".chars().chain(besides).chain(offer_keys(approval)).collect()
}

pub(super) fn offer_keys(approval: &Approval) -> impl Iterator<Item = char> {
    lettered_offers(&approval.question).map(|(key, ..)| key)
}

/// To the details, back from them, or out of it all.
fn ways_out(approval: &Approval) -> Choices {
    let details = &approval.details;
    if details.unfolded() {
        return vec![choice(format!("{}, Esc", details.key), "back")];
    }
    let unfold = details.are_there().then(|| choice(&details.key, "details"));
    unfold.into_iter().chain([choice("Esc", "reject and stop")]).collect()
}
