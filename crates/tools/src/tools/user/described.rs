//! What programs say of themselves, asked several at a time and all of them within one time: whoever waits for the screen
//! waits for all of them.

use super::definition::{self, Definition};
use super::folder::Program;
use crate::Ground;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Programs that are asked at the same time.
const AT_ONCE: usize = 8;

type Described = Result<Definition, String>;

/// What each says that answers `until` then. Blocking.
pub(super) fn all(programs: Vec<Program>, ground: &Ground, until: Instant) -> Vec<(Program, Described)> {
    let answers: Vec<Mutex<Option<Described>>> = programs.iter().map(|_| Mutex::new(None)).collect();
    // One that takes long keeps nobody waiting as long as another can be asked.
    let next = AtomicUsize::new(0);
    let asks = || {
        while let Some((program, answer)) = programs.iter().zip(&answers).nth(next.fetch_add(1, Ordering::Relaxed)) {
            let described = describe(program, ground, until);
            *answer.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(described);
        }
    };
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..AT_ONCE.min(programs.len())).map(|_| scope.spawn(asks)).collect();
        // Where one panicked, its answer is missing.
        asking.into_iter().for_each(|asking| drop(asking.join()));
    });
    let answers = answers.into_iter().map(|answer| answer.into_inner().ok().flatten());
    let missing = || Err("could not be asked what it does".to_owned());
    let answers: Vec<Described> = answers.map(|answer| answer.unwrap_or_else(missing)).collect();
    programs.into_iter().zip(answers).collect()
}

fn describe(program: &Program, ground: &Ground, until: Instant) -> Described {
    let folder = program.path.parent().unwrap_or(&ground.root);
    match agent_sandbox::ask_until(&program.path, &["--describe"], folder, until, &ground.surroundings) {
        Some(printed) => {
            definition::of_program(&printed).map_err(|why| format!("what it prints with --describe: {why}"))
        }
        None if until <= Instant::now() => {
            Err("is left out, as the time for all programs to print their definitions was \
             over; a file beside it (TOML, with command = [\"./NAME\"]) says the same without a start"
                .into())
        }
        None => Err("does not print its definition when started with --describe (it then may only read, and has no \
             network); where it is no tool, take its right to be run away"
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::{FoundDefinition, Whose, look};
    use super::*;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn when_the_time_is_over_no_more_are_started_and_each_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for number in 0..2 * AT_ONCE {
            let path = top.join(format!("tool{number:02}"));
            write(&path, "#!/bin/sh\necho started > \"$0.trace\"\n").unwrap();
            set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
        let found = look(&top, &top, Whose::Persons, &mut Vec::new());
        let program = |found| match found {
            FoundDefinition::Program(program) => program,
            FoundDefinition::File(path, _) => panic!("{path:?} is no program"),
        };
        let programs: Vec<Program> = found.into_iter().map(program).collect();
        let ground = Ground::of_this_process(top).unwrap();
        let answers = all(programs.clone(), &ground, Instant::now());
        assert_eq!(answers.iter().map(|(program, _)| program.clone()).collect::<Vec<_>>(), programs);
        assert_eq!(answers.len(), 2 * AT_ONCE);
        for (_, answer) in answers {
            let why = answer.unwrap_err();
            assert!(why.starts_with("is left out, as the time for all programs"), "{why}");
        }
    }
}
