//! How a command's process comes to run its program: built beforehand, gone through between clone and exec.

#![expect(unsafe_code, reason = "between clone and exec there are only system calls")]

use super::layers::last;
use super::walls::{Wall, Walls, hand_nothing_down};
use crate::program::Program;
use std::ffi::{CString, OsStr, c_char, c_int};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;

/// Everything a process needs to become a command.
#[derive(Debug)]
pub(super) struct Launch {
    path: CString,
    folder: CString,
    /// That folder itself, where it was looked at before.
    held: Option<OwnedFd>,
    arguments: Strings,
    environment: Strings,
    input: OwnedFd,
    output: OwnedFd,
    errors: OwnedFd,
    walls: Walls,
}

/// Strings with the list of their addresses, as `execve` wants them.
#[derive(Debug)]
struct Strings {
    addresses: Vec<*const c_char>,
    _strings: Vec<CString>,
}

/// Where it can fail, beside the walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A process of its own, in a session of its own.
    Process,
    /// A wall.
    Wall(Wall),
    /// Going to its folder.
    Folder,
    /// Running the program.
    Program,
}

impl Step {
    fn number(self) -> u8 {
        match self {
            Step::Process => 0,
            Step::Wall(Wall::Rights) => 1,
            Step::Wall(Wall::Files) => 2,
            Step::Wall(Wall::Calls) => 3,
            Step::Folder => 4,
            Step::Program => 5,
        }
    }

    pub(super) fn read(number: u8) -> Self {
        let all = [Wall::Rights, Wall::Files, Wall::Calls].map(Step::Wall);
        let all = all.into_iter().chain([Step::Folder, Step::Program]);
        all.into_iter().find(|step| step.number() == number).unwrap_or(Step::Process)
    }
}

impl Launch {
    /// Of `program`, within `walls`.
    pub(super) fn new(program: Program<'_>, walls: Walls) -> io::Result<Self> {
        let null =
            || Ok::<OwnedFd, io::Error>(std::fs::File::options().read(true).write(true).open("/dev/null")?.into());
        let first = std::iter::once(program.path.as_os_str());
        let arguments = first.chain(program.arguments.iter().copied()).map(string);
        let environment = program.environment.iter().map(|(name, value)| {
            let entry: Vec<u8> = [name.as_bytes(), b"=", value.as_bytes()].concat();
            string(OsStr::from_bytes(&entry))
        });
        Ok(Launch {
            path: string(program.path.as_os_str())?,
            folder: string(program.folder.as_os_str())?,
            held: program.held.map(|held| held.opened().try_clone()).transpose()?,
            arguments: Strings::new(arguments.collect::<io::Result<_>>()?),
            environment: Strings::new(environment.collect::<io::Result<_>>()?),
            input: program.input.map_or_else(null, Ok)?,
            output: program.output,
            errors: program.errors.map_or_else(null, Ok)?,
            walls,
        })
    }

    /// Turns the calling process into the command; comes back only with the step that failed and why. `last_thing` is
    /// done just before the program runs.
    ///
    /// **Invariant.** Nothing here allocates: the memory is the one of all our threads.
    pub(super) fn begin(&self, last_thing: impl FnOnce()) -> (u8, c_int) {
        let failed = |step: Step| (step.number(), last().raw_os_error());
        // SAFETY: numbers and strings that end in a NUL are passed.
        unsafe {
            // When the supervisor dies, so does the command, if nothing more.
            if libc::setsid() < 0 || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return failed(Step::Process);
            }
            for (stream, number) in [(&self.input, 0), (&self.output, 1), (&self.errors, 2)] {
                if libc::dup2(stream.as_raw_fd(), number) < 0 {
                    return failed(Step::Process);
                }
            }
            let entered = match &self.held {
                Some(held) => libc::fchdir(held.as_raw_fd()),
                None => libc::chdir(self.folder.as_ptr()),
            };
            if entered != 0 {
                return failed(Step::Folder);
            }
        }
        if let Err((wall, error)) = self.walls.raise() {
            return (Step::Wall(wall).number(), error.raw_os_error());
        }
        hand_nothing_down();
        last_thing();
        // SAFETY: the lists end in a null address and their strings in a NUL.
        unsafe { libc::execve(self.path.as_ptr(), self.arguments.list(), self.environment.list()) };
        failed(Step::Program)
    }
}

impl Strings {
    fn new(strings: Vec<CString>) -> Self {
        let addresses = strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
        Strings { addresses, _strings: strings }
    }

    fn list(&self) -> *const *const c_char {
        self.addresses.as_ptr()
    }
}

fn string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}
