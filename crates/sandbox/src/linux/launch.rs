//! How a command's process comes to run its program: built beforehand, gone through between clone and exec.

#![expect(unsafe_code, reason = "between clone and exec there are only system calls")]

use super::layers::last;
use super::mounts::{Id, id};
use super::walls::{Wall, Walls, hand_nothing_down};
use crate::HeldFolder;
use crate::program::Program;
use std::ffi::{CString, OsStr, c_char, c_int};
use std::fs::read_link;
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
    held: Option<(OwnedFd, Id)>,
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
pub(super) enum StartStep {
    /// A process of its own, in a session of its own.
    Process,
    Wall(Wall),
    /// Going to its folder.
    Folder,
    Program,
}

impl StartStep {
    fn number(self) -> u8 {
        match self {
            StartStep::Process => 0,
            StartStep::Wall(Wall::Rights) => 1,
            StartStep::Wall(Wall::Files) => 2,
            StartStep::Wall(Wall::Calls) => 3,
            StartStep::Folder => 4,
            StartStep::Program => 5,
            StartStep::Wall(Wall::Apart) => 6,
        }
    }

    pub(super) fn read(number: u8) -> Self {
        let all = [Wall::Apart, Wall::Rights, Wall::Files, Wall::Calls].map(StartStep::Wall);
        let all = all.into_iter().chain([StartStep::Folder, StartStep::Program]);
        all.into_iter().find(|step| step.number() == number).unwrap_or(StartStep::Process)
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
        let held = program.held.map(held).transpose()?;
        // Where it is now: with mounts of its own the command has to go there by its name.
        let folder = held.as_ref().and_then(|(held, _)| read_link(format!("/proc/self/fd/{}", held.as_raw_fd())).ok());
        Ok(Launch {
            path: string(program.path.as_os_str())?,
            folder: string(folder.as_deref().unwrap_or(program.folder).as_os_str())?,
            held,
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
        let failed = |step: StartStep| (step.number(), last().raw_os_error());
        // SAFETY: numbers and strings that end in a NUL are passed.
        unsafe {
            // When the supervisor dies, so does the command, if nothing more.
            if libc::setsid() < 0 || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return failed(StartStep::Process);
            }
            for (stream, number) in [(&self.input, 0), (&self.output, 1), (&self.errors, 2)] {
                if libc::dup2(stream.as_raw_fd(), number) < 0 {
                    return failed(StartStep::Process);
                }
            }
        }
        if let Err((wall, error)) = self.walls.set_apart() {
            return (StartStep::Wall(wall).number(), error.raw_os_error());
        }
        if self.go_to_the_folder() != 0 {
            return failed(StartStep::Folder);
        }
        if let Err((wall, error)) = self.walls.raise() {
            return (StartStep::Wall(wall).number(), error.raw_os_error());
        }
        hand_nothing_down();
        last_thing();
        // SAFETY: the lists end in a null address and their strings in a NUL.
        unsafe { libc::execve(self.path.as_ptr(), self.arguments.list(), self.environment.list()) };
        failed(StartStep::Program)
    }
}

impl Launch {
    /// What went wrong where it was set apart.
    pub(super) fn stopped_at(&self) -> Option<String> {
        self.walls.apart()?.stopped_at()
    }

    /// Into the folder that was held. Where it has mounts of its own, what was opened before them is outside: so it goes
    /// by the name, and looks whether that led to the same.
    fn go_to_the_folder(&self) -> c_int {
        // SAFETY: a string that ends in a NUL is passed, and numbers.
        unsafe {
            match (&self.held, self.walls.apart()) {
                (None, _) => libc::chdir(self.folder.as_ptr()),
                (Some((held, _)), None) => libc::fchdir(held.as_raw_fd()),
                (Some((_, known)), Some(_)) => {
                    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
                    let opened = libc::open(self.folder.as_ptr(), flags);
                    match usize::try_from(opened).map(id) {
                        Ok(Ok(id)) if id == *known => libc::fchdir(opened),
                        Ok(Ok(_)) => {
                            // Another folder by now; no call failed, so none set the reason.
                            *libc::__errno_location() = libc::ESTALE;
                            -1
                        }
                        Ok(Err(_)) | Err(_) => -1,
                    }
                }
            }
        }
    }
}

/// The folder itself, and which it is.
fn held(folder: &HeldFolder) -> io::Result<(OwnedFd, Id)> {
    let found = rustix::fs::fstat(folder.opened())?;
    Ok((folder.opened().try_clone()?, (found.st_dev, found.st_ino)))
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
