//! What changes something: asked about with what it would do, and done.

use super::*;

fn texts(before: &str, after: &str) -> (Option<String>, Option<String>) {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    (text(before), text(after))
}

#[tokio::test]
async fn files_are_staged_and_committed_with_the_question_showing_what_goes_in() {
    let mut house = House::new();
    sh(&house.root, "echo two >> a.txt; rm b.txt; echo new > 'c d.txt'; printf '\\0\\1' > e.bin; echo not > f.txt");
    let added = house.agreed(json!({"operation": "add", "files": "a.txt b.txt e.bin"})).await;
    assert_eq!(added.status, Status::Done, "{}", added.told);
    house.agreed(json!({"operation": "add", "files": "c d.txt"})).await;
    let (job, held) = house.asked(json!({"operation": "commit", "message": "Say more\n\nIn two\nlines"}));
    let (title, files, note) = seen(job.as_ref());
    assert_eq!(title, "Commit: Say more");
    let expected =
        [("a.txt", texts("one\n", "one\ntwo\n")), ("b.txt", texts("alone\n", "")), ("c d.txt", texts("", "new\n"))];
    let expected = expected.map(|(name, (before, after))| (name.to_owned(), before, after));
    assert_eq!(files, expected);
    assert_eq!(note, "not shown: e.bin (not text); hooks and filters of this repository do not run");
    assert!(held.offers().is_empty(), "there is no lasting yes to a commit");
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(house.git("log -1 --format=%B"), "Say more\n\nIn two\nlines");
    assert_eq!(house.git("show --name-only --format= HEAD"), "a.txt\nb.txt\nc d.txt\ne.bin");
}

#[tokio::test]
async fn a_first_commit_shows_its_files_too() {
    let house = House::made("git init -q -b main; echo x > x.sh; chmod +x x.sh; git add .", Mode::Unsafe);
    let (job, verdict) = house.planned("git_operation", json!({"operation": "commit", "message": "First"})).unwrap();
    let (_, files, _) = seen(job.as_ref());
    assert_eq!(files, [("x.sh".into(), None, Some("x\n".into()))]);
    assert!(matches!(verdict, Verdict::Allow(_)), "in unsafe mode a commit runs");
}

#[test]
fn with_nothing_staged_or_conflicts_there_is_no_commit() {
    let house = House::new();
    sh(&house.root, "echo two >> a.txt");
    let why = house.failed(json!({"operation": "commit", "message": "x"}));
    assert!(why.starts_with("nothing is staged; stage first") && why.contains("\"operation\": \"add\""), "{why}");
    sh(
        &house.root,
        "git commit -qam two; git checkout -qb other HEAD~1; echo three >> a.txt; git commit -qam three; \
         git merge -q main > /dev/null 2>&1 || true",
    );
    let why = house.failed(json!({"operation": "commit", "message": "x"}));
    assert_eq!(why, "conflicts are not resolved: a.txt; edit, then add these files");
    // A merge whose outcome is ours has nothing to show, and is a commit none the less.
    sh(&house.root, "git checkout -q --ours a.txt; git add a.txt");
    let (job, _) = house.asked(json!({"operation": "commit", "message": "Merge"}));
    assert_eq!(seen(job.as_ref()).1, []);
}

#[test]
fn a_commit_of_much_shows_a_part_and_says_so() {
    let house = House::new();
    sh(
        &house.root,
        "for n in $(seq 10 69); do echo $n > n$n.txt; done; head -c 700000 /dev/zero | tr '\\0' a > big; git add .",
    );
    let (job, _) = house.asked(json!({"operation": "commit", "message": "x"}));
    let (_, files, note) = seen(job.as_ref());
    assert_eq!(files.len(), 50);
    assert!(note.starts_with("not shown: big, n60.txt, n61.txt, n62.txt, n63.txt and 6 more; "), "{note}");
}

#[tokio::test]
async fn branches_are_made_gone_to_and_deleted() {
    let mut house = House::new();
    house.agreed(json!({"operation": "branch", "branch": "one"})).await;
    house.agreed(json!({"operation": "checkout", "branch": "two", "create": true})).await;
    assert_eq!(house.git("branch --format='%(refname:short) %(HEAD)'"), "main  \none  \ntwo *");
    house.agreed(json!({"operation": "checkout", "branch": "main"})).await;
    house.agreed(json!({"operation": "branch", "branch": "two", "action": "delete"})).await;
    assert_eq!(house.git("branch --format='%(refname:short)'"), "main\none");
    let outcome = house.agreed(json!({"operation": "checkout", "branch": "nowhere"})).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(128) }, "{}", outcome.told);
}

#[tokio::test]
async fn discarding_shows_what_would_be_lost() {
    let mut house = House::new();
    sh(&house.root, "echo two >> a.txt");
    let (job, held) = house.asked(json!({"operation": "checkout", "files": ["a.txt", "b.txt"]}));
    let (title, files, _) = seen(job.as_ref());
    assert_eq!(title, "Discard changes to a.txt, b.txt");
    assert_eq!(files, [("a.txt".into(), Some("one\ntwo\n".into()), Some("one\n".into()))]);
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.changed.len(), 1, "undo has it: {:?}", outcome.changed);
    assert_eq!(house.git("status --short"), "");
}

#[tokio::test]
async fn taking_files_from_a_commit_shows_what_would_be_lost() {
    let mut house = House::new();
    sh(
        &house.root,
        "echo old > d.txt; git add .; git commit -qm second; git rm -q d.txt; echo two >> a.txt; \
         git commit -qam third; git config diff.relative true; echo three >> a.txt; echo mine >> b.txt; \
         echo mine > d.txt; echo new > c.txt; git add c.txt",
    );
    let arguments = json!({"operation": "checkout", "commit": "HEAD~1", "files": "*.txt"});
    let (job, held) = house.asked(arguments);
    let (title, files, note) = seen(job.as_ref());
    assert_eq!(title, "Replace with what HEAD~1 holds: *.txt");
    let expected = [
        ("a.txt", texts("one\ntwo\nthree\n", "one\n")),
        ("b.txt", texts("alone\nmine\n", "alone\n")),
        ("d.txt", texts("mine\n", "old\n")),
    ];
    let expected = expected.map(|(name, (before, after))| (name.to_owned(), before, after));
    assert_eq!(files, expected);
    assert_eq!(note, "hooks and filters of this repository do not run");
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(house.git("diff --name-only HEAD~1"), "c.txt", "what was shown is what was done");
    let (job, _) = house.asked(json!({"operation": "checkout", "commit": "nowhere", "files": "a.txt"}));
    assert!(seen(job.as_ref()).2.contains("cannot be looked at"));
}

#[test]
fn that_hooks_do_not_run_is_not_said_of_a_line_that_the_person_wrote() {
    let house = House::new();
    let (job, _) = house.asked(json!({"operation": "checkout", "branch": "main"}));
    assert_eq!(seen(job.as_ref()).2, "hooks and filters of this repository do not run");
    let job = job.amend(Proposal::Command { command: "git checkout main".into() }).unwrap();
    assert_eq!(seen(job.as_ref()).2, "");
}

#[tokio::test]
async fn settings_that_were_not_read_keep_git_from_being_started() {
    let house = House::new();
    sh(&house.root, "mv .git/config kept; ln -s ../kept .git/config");
    let (_, verdict) = house.planned("git_operation", json!({"operation": "add", "files": "a.txt"})).unwrap();
    let Verdict::Deny(why) = verdict else { panic!("{verdict:?}") };
    assert_eq!(why, "it is not known what git would run here: no plain file: .git/config; use run_command for it");
}

#[tokio::test]
async fn git_itself_keeps_a_checkout_from_throwing_changes_away() {
    let mut house = House::new();
    sh(&house.root, "git branch other; echo x > a.txt; git commit -qam x; echo y > a.txt");
    let outcome = house.agreed(json!({"operation": "checkout", "branch": "other"})).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(1) });
    assert!(outcome.told.contains("would be overwritten by checkout"), "{}", outcome.told);
}

#[tokio::test]
async fn changes_go_to_the_stash_and_come_back() {
    let mut house = House::new();
    sh(&house.root, "echo two >> a.txt");
    let outcome = house.agreed(json!({"operation": "stash", "message": "later"})).await;
    assert_eq!((outcome.status, house.git("status --short").as_str()), (Status::Done, ""));
    assert_eq!(house.git("stash list"), "stash@{0}: On main: later");
    house.agreed(json!({"operation": "stash", "action": "apply"})).await;
    assert_eq!(house.git("status --short"), " M a.txt");
    house.git("checkout -q a.txt");
    house.agreed(json!({"operation": "stash", "action": "pop", "stash": "stash@{0}"})).await;
    assert_eq!((house.git("stash list"), house.git("status --short")), (String::new(), " M a.txt".into()));
    house.git("stash push -q");
    house.agreed(json!({"operation": "stash", "action": "drop"})).await;
    assert_eq!(house.git("stash list"), "");
}

/// A remote inside the project, so that a fenced git can write there.
const REMOTE: &str =
    "git init -q --bare -b main far.git; echo far.git > .git/info/exclude; git remote add origin ./far.git";

#[tokio::test]
async fn a_push_says_where_to_and_how_much_and_always_asks() {
    for mode in [Mode::Safe, Mode::Unsafe] {
        let mut house = House::new();
        house.policy.set_mode(mode);
        sh(&house.root, REMOTE);
        let (job, held) = house.asked(json!({"operation": "push"}));
        let (title, _, note) = seen(job.as_ref());
        assert_eq!(title, "Push main to origin: a branch that is not known to be there");
        assert_eq!(note, "to ./far.git; nothing is forced; hooks do not run, there neither");
        assert!(held.offers().is_empty());
        let permit = house.policy.answer(held, None).unwrap();
        let outcome = house.perform(job, permit).await;
        assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
        assert_eq!(house.git("rev-parse @{u}"), house.git("rev-parse HEAD"));
        sh(&house.root, "for n in 1 2; do echo $n >> a.txt; git commit -qam $n; done");
        let (job, _) = house.asked(json!({"operation": "push", "remote": "origin", "branch": "main"}));
        assert_eq!(seen(job.as_ref()).0, "Push main to origin: 2 commits");
    }
}

#[tokio::test]
async fn a_push_forces_nothing_whatever_the_settings_say() {
    let mut house = House::new();
    sh(&house.root, REMOTE);
    sh(&house.root, "git push -q origin main; git config remote.origin.push +refs/heads/main:refs/heads/main");
    let there = said(&house.root, "git -C far.git rev-parse main");
    sh(&house.root, "git commit -q --amend -m other");
    let outcome = house.agreed(json!({"operation": "push"})).await;
    assert!(outcome.told.contains("non-fast-forward"), "{}", outcome.told);
    assert_eq!(said(&house.root, "git -C far.git rev-parse main"), there);
}

#[test]
fn a_push_without_a_place_to_go_says_what_is_missing() {
    let house = House::new();
    let why = house.failed(json!({"operation": "push"}));
    assert_eq!(why, "there is no remote to push to; one is made by run_command with: git remote add origin ADDRESS");
    sh(&house.root, REMOTE);
    let why = house.failed(json!({"operation": "push", "remote": "other"}));
    assert_eq!(why, "there is no remote other; there is origin");
    let why = house.failed(json!({"operation": "push", "branch": "other"}));
    assert!(why.starts_with("there is no branch other"), "{why}");
    house.git("checkout -q --detach");
    let why = house.failed(json!({"operation": "push"}));
    assert!(why.starts_with("no branch is checked out"), "{why}");
}

#[tokio::test]
async fn a_pull_brings_what_others_pushed() {
    let mut house = House::new();
    sh(&house.root, REMOTE);
    sh(
        &house.root,
        "git push -q -u origin main; git clone -q far.git far2; echo far2 >> .git/info/exclude; cd far2; \
         git config user.email c@d; git config user.name y; echo theirs > t.txt; git add .; git commit -qm theirs; git push -q",
    );
    let (job, held) = house.asked(json!({"operation": "pull"}));
    assert_eq!(seen(job.as_ref()).0, "Pull");
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform(job, permit).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!(house.git("log -1 --format=%s"), "theirs");
}

#[tokio::test]
async fn what_a_filter_of_the_repository_would_change_is_not_stored_without_it() {
    let mut house = House::new();
    sh(
        &house.root,
        "git config filter.lock.clean 'tr a-z A-Z'; echo '*.key filter=lock' > .gitattributes; echo s > s.key",
    );
    for files in [json!("."), json!("s.key"), json!(["a.txt", "*.key"])] {
        let why = house.failed(json!({"operation": "add", "files": files}));
        assert!(why.starts_with("s.key: this repository's settings name a filter (lock)"), "{why}");
    }
    let outcome = house.agreed(json!({"operation": "add", "files": ".gitattributes"})).await;
    assert_eq!((outcome.status, house.git("status --short -uno").as_str()), (Status::Done, "A  .gitattributes"));
}

#[test]
fn a_repository_inside_this_one_is_not_gone_into() {
    let house = House::new();
    sh(
        &house.root,
        "git init -q in; cd in; git -c user.name=x -c user.email=y commit -q --allow-empty -m x; cd ..; git add in 2>/dev/null",
    );
    for arguments in [json!({"operation": "add", "files": "."}), json!({"operation": "stash"})] {
        let why = house.failed(arguments);
        assert!(why.starts_with("in: a repository inside this one"), "{why}");
    }
    let (job, _) = house.asked(json!({"operation": "add", "files": "a.txt"}));
    assert_eq!(job.preview().title, "Stage a.txt");
}
