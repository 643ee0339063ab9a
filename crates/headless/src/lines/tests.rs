//! Events and typed lines in, what is printed and wished for out.

use super::LineSettings;
use super::TypedLine;
use super::talk::Talk;
use crate::End;
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallOp, Cause, Changes, DiffBase, Event, FileDiff, LinesBack, ListEvent, ListOp,
    Mode, Op, PartText, Preview, PreviewBody, Profile, Proposal, Question, Rule, RuleOffer, SaidId, SandboxKind,
    SandboxSupport, SessionEvent, SessionId, SessionOp, Subject, TurnEndReason, TurnEvent, TurnId, TurnOp,
    UndoDirection, UndoFile, UndoPart, UndoPlan, UndoTurn, UndoneFile, Unkept, Usage,
};
use agent_protocol::{FileState, JournalState};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

mod foreign;

/// A session in lines with a hand at it.
struct Hand {
    talk: Talk,
    ops: UnboundedReceiver<Op>,
    now: Instant,
}

impl Hand {
    /// An open session in safe mode.
    fn open() -> Self {
        Hand::with(LineSettings::default())
    }

    fn with(settings: LineSettings) -> Self {
        let (sender, ops) = unbounded_channel();
        let mut hand = Hand { talk: Talk::begin(sender, settings), ops, now: Instant::now() };
        hand.talk.on_event(&Event::Session(SessionEvent::Opened {
            project: "/p".into(),
            host: "127.0.0.1:11434".into(),
            mode: Mode::Safe,
            tools: Vec::new(),
            sandbox: SandboxSupport {
                kind: SandboxKind::Kernel,
                words: "Landlock".into(),
                details: Vec::new(),
                apart: false,
            },
            exposed: false,
        }));
        hand
    }

    fn hear(&mut self, event: Event) -> String {
        self.talk.on_event(&event);
        self.said()
    }

    fn said(&mut self) -> String {
        String::from_utf8(self.talk.page.take(None)).unwrap()
    }

    /// The question is asked, its prompt shown, and read.
    fn ask(&mut self, question: Question) -> String {
        let said = self.hear(Event::Call(CallEvent::Asked { question }));
        self.prompt();
        self.now += Duration::from_secs(1);
        said
    }

    fn prompt(&mut self) -> &'static str {
        assert!(self.talk.awaits_line());
        self.talk.prompted(self.now);
        self.talk.prompt()
    }

    fn types(&mut self, text: &str) -> String {
        self.talk.typed(&TypedLine { text: text.into(), at: self.now });
        self.said()
    }

    fn wishes(&mut self) -> Vec<Op> {
        std::iter::from_fn(|| self.ops.try_recv().ok()).collect()
    }

    fn answers(&mut self) -> Vec<Answer> {
        let answer = |op| match op {
            Op::Call(CallOp::Reply { answer, .. }) => Some(answer),
            _ => None,
        };
        self.wishes().into_iter().filter_map(answer).collect()
    }
}

fn file(before: &str, after: &str) -> FileDiff {
    FileDiff {
        path: "/p/a.txt".into(),
        shown_path: "a.txt".into(),
        before: Some(before.into()),
        after: Some(after.into()),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    }
}

/// Thirty lines, of which these are others.
fn lines(others: &[(usize, &str)]) -> String {
    let other = |at: usize| others.iter().find(|(place, _)| *place == at).map(|(_, text)| format!("{text}\n"));
    (1..=30).map(|at| other(at).unwrap_or_else(|| format!("line {at}\n"))).collect()
}

fn edit(id: u64, files: Vec<FileDiff>) -> Question {
    Question {
        id: AskId(id),
        call: None,
        subject: Subject::Action { action: Action::Write { changes: Changes::default() } },
        preview: Preview { title: "Edit a.txt".into(), body: PreviewBody::Diff { files } },
        why: "safe mode asks before every write".into(),
        offers: vec![RuleOffer { rule: Rule::Edits, words: "edit files in the project without asking".into() }],
        warnings: vec!["it is a protected file".into()],
        parts: Vec::new(),
        cause: Cause::NotAllowed,
        hosts: Vec::new(),
    }
}

fn three_hunks() -> Question {
    edit(7, vec![file(&lines(&[]), &lines(&[(2, "two"), (14, "fourteen"), (27, "more")]))])
}

fn yes() -> Answer {
    Answer::Yes { remember: None, word: None }
}

#[test]
fn a_change_is_said_in_words_and_its_answers_are_letters_and_words() {
    let mut hand = Hand::open();
    insta::assert_snapshot!(hand.said(), @"agent  in /p, safe mode; /help says the commands");
    let said = hand.ask(edit(1, vec![file("a\nb\n", "a\nc\nd\n")]));
    insta::assert_snapshot!(said, @r"
    question: Edit a.txt?
    warning: it is a protected file
    why: safe mode asks before every write
    file: a.txt, changed in 1 hunk
    hunk 1 of 1, lines 2 to 3, removed 1 line, added 2 lines:
    same: a
    removed: b
    added: c
    added: d
    y: approve once
    a: approve, and edit files in the project without asking
    n: reject
    n and words: the same, and the model is told them
    stop: reject, and end the turn
    again: say it once more
    ");
    assert_eq!(hand.prompt(), "answer> ");
    hand.types("y");
    assert_eq!(hand.answers(), [yes()]);
}

#[test]
fn each_answer_is_what_it_says() {
    let no = |word: Option<&str>| Answer::No { word: word.map(str::to_owned) };
    for (line, answer) in [
        ("y", yes()),
        ("YES", yes()),
        ("a", Answer::Yes { remember: Some(Rule::Edits), word: None }),
        ("n", no(None)),
        ("no", no(None)),
        ("n: not in this file", no(Some("not in this file"))),
        ("no rather b.txt", no(Some("rather b.txt"))),
    ] {
        let mut hand = Hand::open();
        hand.ask(edit(1, vec![file("a\n", "b\n")]));
        hand.types(line);
        assert_eq!(hand.answers(), [answer], "{line}");
        assert!(!hand.talk.is_asked_anew(), "{line}");
    }
    let mut hand = Hand::open();
    hand.ask(three_hunks());
    hand.types("stop");
    assert_eq!(hand.wishes(), [Op::Turn(TurnOp::Interrupt)]);
}

#[test]
fn what_is_no_answer_answers_nothing() {
    for line in ["", "yes but first explain", "y, then go on", "b", "not now", "2", "maybe\ny", "y\nn", "okay"] {
        let mut hand = Hand::open();
        hand.ask(edit(1, vec![file("a\n", "b\n")]));
        let said = hand.types(line);
        assert!(said.starts_with("nothing was answered"), "{line}: {said}");
        assert_eq!(hand.wishes(), [], "{line}");
        hand.types("n");
        assert_eq!(hand.answers().len(), 1, "{line}");
    }
}

#[test]
fn what_was_typed_ahead_of_a_question_answers_nothing() {
    let mut hand = Hand::open();
    let (before, asked) = (hand.now, hand.now + Duration::from_secs(1));
    hand.hear(Event::Call(CallEvent::Asked { question: three_hunks() }));
    hand.now = before;
    hand.types("y");
    assert_eq!(hand.wishes(), [Op::Turn(TurnOp::Say { text: "y".into() })], "its prompt was not there yet");
    hand.now = asked;
    hand.prompt();
    hand.now = before;
    hand.types("y");
    assert_eq!(hand.wishes(), [Op::Turn(TurnOp::Say { text: "y".into() })], "it was typed before");
    hand.now = asked + Duration::from_millis(499);
    assert!(hand.types("y").starts_with("nothing was answered"));
    assert_eq!(hand.wishes(), []);
    hand.now = asked + Duration::from_millis(500);
    hand.types("y");
    assert_eq!(hand.answers(), [yes()]);
}

#[test]
fn an_answer_to_one_question_is_none_to_the_next() {
    let mut hand = Hand::open();
    hand.ask(edit(1, vec![file("a\n", "b\n")]));
    assert_eq!(hand.hear(Event::Call(CallEvent::Asked { question: three_hunks() })), "", "one after the other");
    assert!(hand.types("y").contains("hunk 3 of 3"));
    assert!(hand.talk.is_asked_anew());
    hand.types("y");
    assert_eq!(hand.answers(), [yes()], "the second was not asked yet");
}

#[test]
fn hunks_are_left_out_by_number_and_the_model_is_told_which_and_why() {
    let mut hand = Hand::open();
    hand.ask(three_hunks());
    assert_eq!(hand.types("2: too much"), "left out: 2; y approves the other 2\n");
    assert_eq!(hand.types("3"), "left out: 2, 3; y approves the other 1\n");
    assert_eq!(hand.types("3"), "left out: 2; y approves the other 2\n");
    assert_eq!(hand.types("4"), "nothing was left out: there is no hunk 4; there are 3\n");
    assert!(hand.types("a").starts_with("parts are left out"));
    hand.types("y");
    let told = "I left 1 of 3 hunks of this change out: a.txt, line 14 of your text (too much). The rest is written.";
    let files = vec![PartText { path: "/p/a.txt".into(), text: lines(&[(2, "two"), (27, "more")]) }];
    let part = Answer::Instead { proposal: Proposal::Part { files, told: told.into() } };
    assert_eq!(hand.answers(), [part]);
}

#[test]
fn a_change_of_which_every_hunk_is_left_out_is_refused() {
    let mut hand = Hand::open();
    hand.ask(three_hunks());
    assert!(hand.types("without 1, 2, 3").starts_with("every hunk is left out"));
    hand.types("y");
    assert!(matches!(&hand.answers()[..], [Answer::No { word: Some(told) }] if told.contains("3 of 3 hunks")));
}

#[test]
fn a_long_change_is_said_in_parts_and_a_yes_before_its_end_is_asked_for_twice() {
    let long: String = (0..400).map(|at| format!("line {at}\n")).collect();
    let mut hand = Hand::open();
    let said = hand.ask(edit(1, vec![file("", &long)]));
    assert!(said.contains("252 lines more; `more` says them") && !said.contains("line 399"), "{said}");
    assert!(hand.types("y").starts_with("nothing was answered: 252 lines"));
    assert_eq!(hand.wishes(), []);
    assert!(hand.types("more").contains("102 lines more"));
    assert!(hand.types("more").contains("added: line 399"));
    hand.types("y");
    assert_eq!(hand.answers(), [yes()]);
}

#[test]
fn a_command_says_where_and_how_far_and_nothing_in_it_is_obeyed() {
    let body = PreviewBody::Command {
        command: "echo \u{1b}[2J; make".into(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    let preview = Preview { title: "Run make".into(), body };
    let mut hand = Hand::open();
    hand.said();
    let said = hand.ask(Question { preview, warnings: Vec::new(), offers: Vec::new(), ..three_hunks() });
    insta::assert_snapshot!(said, @r"
    question: Run make?
    why: safe mode asks before every write
    where: in /p, writes in the project, asks for hosts, for at most 1 min
    warning: 1 control character (U+001B escape)
    command: echo ␛[2J; make
    y: approve once
    n: reject
    n and words: the same, and the model is told them
    stop: reject, and end the turn
    again: say it once more
    ");
}

#[test]
fn a_question_of_the_model_takes_a_number_or_own_words_whatever_they_are() {
    for (line, word) in [("2", "blue"), ("n", "n"), ("yes", "yes"), ("7", "7"), ("rather green", "rather green")] {
        let mut hand = Hand::open();
        let choices = vec!["red".into(), "blue".into()];
        let preview =
            Preview { title: "A question".into(), body: PreviewBody::Choices { question: "Which?".into(), choices } };
        let said = hand.ask(Question { preview, warnings: Vec::new(), offers: Vec::new(), ..three_hunks() });
        assert!(said.contains("it asks: Which?\nanswer 1: red\nanswer 2: blue\n"), "{said}");
        hand.types(line);
        assert_eq!(hand.answers(), [Answer::Yes { remember: None, word: Some(word.into()) }], "{line}");
    }
}

#[test]
fn undo_says_what_would_change_and_asks() {
    let mut hand = Hand::open();
    hand.types("/undo");
    assert_eq!(hand.wishes(), [Op::List(ListOp::Undoable)]);
    let turn = |said, undone| UndoTurn {
        said: SaidId(said),
        text: "fix it".into(),
        files: 1,
        added: 1,
        removed: 1,
        undone,
        uncovered: 0,
    };
    let turns = vec![turn(1, false), turn(2, false), turn(3, true)];
    hand.hear(Event::List(ListEvent::Undoable { turns }));
    let (direction, said) = (UndoDirection::Undo, SaidId(2));
    assert_eq!(hand.wishes(), [Op::Session(SessionOp::PlanUndo { direction, said })]);
    let state = FileState::Missing;
    let of = |diff, possible| UndoFile {
        path: "/p/a.txt".into(),
        now: state.clone(),
        target: state.clone(),
        diff,
        possible,
        conflict: None,
    };
    let other = FileDiff { shown_path: "b.bin".into(), note: Some("too large".into()), ..file("", "") };
    let files = vec![of(file("new\n", "old\n"), true), of(other, false)];
    let plan = Box::new(UndoPlan { direction, said, files, part: None });
    let text = hand.hear(Event::Session(SessionEvent::UndoPlanned { plan }));
    insta::assert_snapshot!(text, @r"
    question: undo the changes to 1 file?
    file: a.txt, changed in 1 hunk
    hunk 1 of 1, line 1, removed 1 line, added 1 line:
    removed: new
    added: old
    file: b.bin stays as it is: too large
    y: undo
    n: leave all as it is
    again: say it once more
    ");
    hand.prompt();
    hand.now += Duration::from_secs(1);
    hand.types("y");
    assert_eq!(hand.wishes(), [Op::Session(SessionOp::Undo { direction, said, choices: Vec::new() })]);
}

#[test]
fn a_hunk_is_taken_back_by_its_number_after_a_yes() {
    let mut hand = Hand::open();
    let said = SaidId(1);
    let turn = UndoTurn { said, text: "fix it".into(), files: 1, added: 2, removed: 2, undone: false, uncovered: 0 };
    let many = |others: &[usize]| -> String {
        (0..30).map(|at| if others.contains(&at) { format!("other {at}\n") } else { format!("{at}\n") }).collect()
    };
    let direction = UndoDirection::Undo;
    let now = FileState::Unkept { why: Unkept::Special, size: 7 };
    let planned = |diff, part| {
        let file = UndoFile {
            path: "/p/a.txt".into(),
            now: now.clone(),
            target: FileState::Missing,
            diff,
            possible: true,
            conflict: None,
        };
        let plan = UndoPlan { direction, said, files: vec![file], part };
        Event::Session(SessionEvent::UndoPlanned { plan: Box::new(plan) })
    };
    let all = || file(&many(&[3, 20]), &many(&[]));
    for number in ["3", "2"] {
        hand.types(&format!("/diff {number}"));
        assert_eq!(hand.wishes(), [Op::List(ListOp::Undoable)]);
        hand.hear(Event::List(ListEvent::Undoable { turns: vec![turn.clone()] }));
        assert_eq!(hand.wishes(), [Op::Session(SessionOp::PlanUndo { direction, said })]);
        let text = hand.hear(planned(all(), None));
        assert_eq!(text.contains("there is no hunk 3; /diff says 2 hunks"), number == "3", "{text}");
    }
    let lines = vec![LinesBack { now: 20..21, was: 20..21 }];
    let op = SessionOp::PlanPart { said, path: "/p/a.txt".into(), base: DiffBase::Start, now: now.clone(), lines };
    assert_eq!(hand.wishes(), [Op::Session(op)]);
    let part = UndoPart { added: 1, removed: 1 };
    let text = hand.hear(planned(file(&many(&[3, 20]), &many(&[3])), Some(part)));
    assert!(
        text.starts_with("question: take this part of the changes back?\nfile: a.txt, changed in 1 hunk\n"),
        "{text}"
    );
    assert!(text.contains("removed: other 20\nadded: 20\n"), "{text}");
    hand.prompt();
    hand.now += Duration::from_secs(1);
    hand.types("y");
    assert_eq!(hand.wishes(), [Op::Session(SessionOp::Undo { direction, said, choices: Vec::new() })]);
    let state = FileState::Missing;
    let done = UndoneFile {
        path: "/p/a.txt".into(),
        shown_path: "a.txt".into(),
        before: state.clone(),
        after: state,
        left: None,
    };
    let undone = SessionEvent::Undone { direction, said, files: vec![done], part: Some(part) };
    let text = hand.hear(Event::Session(undone));
    assert!(text.contains("taken back in a.txt: 1 line gone, 1 line back; /redo makes it again"), "{text}");
}

#[test]
fn what_changed_is_said_against_the_last_commit_and_a_hunk_goes_back_to_it() {
    let mut hand = Hand::open();
    let said = SaidId(1);
    let turn = UndoTurn { said, text: "fix it".into(), files: 1, added: 1, removed: 1, undone: false, uncovered: 0 };
    let now = FileState::Unkept { why: Unkept::Special, size: 7 };
    let held = UndoFile {
        path: "/p/a.txt".into(),
        now: now.clone(),
        target: FileState::Missing,
        diff: file("same\nnew\n", "same\nold\n"),
        possible: true,
        conflict: None,
    };
    let asks = |hand: &mut Hand, line: &str| {
        hand.types(line);
        assert_eq!(hand.wishes(), [Op::List(ListOp::Undoable)]);
        hand.hear(Event::List(ListEvent::Undoable { turns: vec![turn.clone()] }));
        assert_eq!(hand.wishes(), [Op::List(ListOp::AgainstHead)]);
    };
    asks(&mut hand, "/diff head");
    let text = hand.hear(Event::List(ListEvent::AgainstHead { files: vec![held.clone()], why: None }));
    assert!(text.starts_with("against git HEAD, of what this session changed: 1 file\n"), "{text}");
    assert!(text.contains("removed: old\nadded: new\n") && text.contains("/diff head with the number"), "{text}");
    asks(&mut hand, "/diff head 1");
    hand.hear(Event::List(ListEvent::AgainstHead { files: vec![held], why: None }));
    let lines = vec![LinesBack { now: 1..2, was: 1..2 }];
    let op = SessionOp::PlanPart { said, path: "/p/a.txt".into(), base: DiffBase::Head, now, lines };
    assert_eq!(hand.wishes(), [Op::Session(op)]);
    asks(&mut hand, "/diff head");
    let why = Some("this folder is no git repository".to_owned());
    let text = hand.hear(Event::List(ListEvent::AgainstHead { files: Vec::new(), why }));
    assert_eq!(text, "not against git HEAD: this folder is no git repository\n");
}

#[test]
fn ctrl_c_stops_the_turn_and_twice_leaves_with_the_way_back() {
    let mut hand = Hand::open();
    hand.hear(Event::Session(SessionEvent::Journal {
        state: JournalState::Kept { id: SessionId("20261126-1-a".into()) },
    }));
    hand.hear(Event::Turn(TurnEvent::Started { turn: TurnId(1), text: "go".into() }));
    assert!(!hand.talk.awaits_line());
    let now = hand.now;
    hand.talk.signalled(End::Interrupted, now);
    assert_eq!((hand.wishes(), hand.talk.left()), (vec![Op::Turn(TurnOp::Interrupt)], None));
    let (reason, usage) = (TurnEndReason::Interrupted, Usage::default());
    hand.hear(Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage }));
    hand.talk.signalled(End::Interrupted, now + Duration::from_secs(3));
    assert_eq!((hand.wishes(), hand.talk.left()), (Vec::new(), None), "that was long ago");
    hand.talk.signalled(End::Interrupted, now + Duration::from_secs(4));
    assert_eq!(hand.talk.left(), Some(End::Answered));
    hand.said();
    hand.talk.say_goodbye();
    assert_eq!(hand.said(), "go on with: agent -c, or later: agent --resume 20261126-1-a\n");
}

#[test]
fn a_backslash_goes_on_in_the_next_line_and_the_message_of_the_command_line_is_said_once() {
    let mut hand = Hand::with(LineSettings { message: Some("fix the tests".into()), ..LineSettings::default() });
    assert_eq!(hand.wishes(), [Op::Turn(TurnOp::Say { text: "fix the tests".into() })]);
    hand.types("one\\");
    assert_eq!((hand.wishes(), hand.talk.prompt()), (Vec::new(), "+ "));
    hand.types("two");
    assert_eq!(hand.wishes(), [Op::Turn(TurnOp::Say { text: "one\ntwo".into() })]);
    assert!(hand.types("/help").contains("/undo: take the last change back"));
    assert_eq!(hand.wishes(), []);
}
