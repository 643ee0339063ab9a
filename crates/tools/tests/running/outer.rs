//! Git's folder lies outside the project: a linked work tree, a part of a repository, a submodule.

use super::*;

const COMMIT: &str =
    "echo x > new && git add new && git -c user.email=a@b -c user.name=x commit -qm new && git status -s";

/// The project of this name, beside or in a repository.
fn house(project: &str) -> House {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = folder.path().canonicalize().unwrap();
    sh(
        &place,
        "git init -q -b main main; cd main; git config user.email a@b; git config user.name x; mkdir sub; echo a > sub/a; \
        git add .; git commit -qm first; git worktree add -q ../tree; \
        git -c protocol.file.allow=always submodule --quiet add ../main part; git commit -qm part",
    );
    House::of(folder, place.join(project), Arc::new(KeptInMemory::default()))
}

#[tokio::test]
async fn a_commit_goes_through_after_one_question_that_names_the_folder() {
    for (project, folder) in [("tree", "main/.git"), ("main/sub", "main/.git"), ("main/part", "main/.git/modules/part")]
    {
        let mut house = house(project);
        let place = house._folder.path().canonicalize().unwrap().join(folder);
        let (job, Verdict::Ask(held)) = house.judged(COMMIT) else { panic!("{project}: a commit asks") };
        let opened = format!("; a yes lets it write in {}, this once", place.display());
        assert!(held.why().contains(&opened), "{}", held.why());
        let permit = house.policy.answer(held, None).unwrap();
        let outcome = house.perform((job, permit)).await;
        assert_eq!((outcome.status, outcome.fence), (Status::Done, None), "{project}: {}", outcome.told);
        // What does not call git writes nothing there.
        std::fs::write(house.root.join("x.sh"), format!("echo x > '{}/planted'\n", place.display())).unwrap();
        let agreed = house.agreed("sh x.sh");
        let planted = house.perform(agreed).await;
        assert_ne!(planted.status, Status::Done, "{}", planted.told);
    }
}

#[tokio::test]
async fn what_is_planted_in_that_folder_is_told() {
    let mut house = house("tree");
    let agreed = house.agreed("git config core.pager ./x");
    let outcome = house.perform(agreed).await;
    let config = house._folder.path().canonicalize().unwrap().join("main/.git/config");
    assert_eq!(outcome.fence.unwrap().tampered, [format!("{} (changed)", config.display())]);
}
