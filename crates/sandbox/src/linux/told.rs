//! What the sandbox holds on this system and what it does not, in lines that a person reads.

/// What a command started, at its end.
pub(super) const ENDS: &str = "held: what a command starts ends with it, and all of it ends with us";
/// What is held wherever there is a sandbox.
const HELD: &[&str] = &[
    "held: files are changed only in the project, in a temporary folder of the session, and in folders you list",
    "held: no typing into terminals, no reading of what is typed, no looking into your other programs",
    "held: no mounts, no new namespaces, no tracing, no keyrings, no io_uring",
    ENDS,
];
/// What is held where commands of a session have namespaces of their own.
const HELD_APART: &[&str] = &[
    "held: a network of their own for the commands of a session: a loopback that they share, and neither this machine's \
     nor the net",
    "held: sockets with a path only in the project and in the session's own folders: not docker's, not the session bus, \
     not the ssh agent",
    "held: /tmp, /var/tmp and /dev/shm are the session's own, and so is memory that is known by a number",
    "held: modes, owners and times of your files outside the project",
];
/// What is not held then.
const NOT_HELD_APART: &[&str] = &[
    "not held: with network of its own choice, UDP to anywhere, listening on any port, and modes and times of your files",
    "not held: System V memory, semaphores and queues of your other programs, for a command with network of its own choice",
];
/// What is held, and not held, where they have none.
const WITHOUT: &[&str] = &[
    "held: no network and no sockets, to docker or ssh-agent neither; with network, TCP to the listed ports only",
    "not held: modes and times of your files outside the project; only commands that only read cannot change them",
    "not held: shared memory in /dev/shm; with network, UDP to anywhere and listening on any port",
    "not held: System V memory, semaphores and queues of your other programs; only who only reads cannot reach them",
];
/// What is not held anywhere.
const NOT_HELD: &[&str] = &[
    "not held: a command can read what you can",
    "not held: protected names inside the project; they are looked at after each command instead",
];
/// What is not held for root beside that.
const NOT_HELD_FOR_ROOT: &str = "not held: how many processes a command starts; you are root, whom no such limit binds";
/// What older versions of Landlock do not hold: below which one, from which Linux on, what.
const NOT_YET: &[(u32, &str, &str)] = &[
    (2, "5.19", "moving files between folders of the project is refused"),
    (4, "6.7", "not held: with network, TCP goes to any port, to the model server too"),
    (5, "6.10", "not held: requests to devices that can be opened for reading"),
    (6, "6.12", "not held: signals to your other programs"),
];
/// What is held of sockets where commands see trees through overlays.
const LATER_SOCKETS: &str =
    "held: sockets with a path that another program makes elsewhere while a command runs, but for network drives";

/// Where Landlock has this version, commands have namespaces of their own or why not, and overlays or why not.
pub(super) fn details(
    landlock: u32,
    namespaces: Result<(), String>,
    overlays: Result<(), String>,
    root: bool,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    match &namespaces {
        Ok(()) => {
            lines.extend(HELD.iter().chain(HELD_APART).chain(NOT_HELD).chain(NOT_HELD_APART).map(ToString::to_string));
            lines.push(match overlays {
                Ok(()) => LATER_SOCKETS.to_owned(),
                Err(why) => format!("missing: sockets with a path for commands, in the project too: {why}"),
            });
        }
        Err(why) => {
            lines.extend(HELD.iter().chain(WITHOUT).chain(NOT_HELD).map(ToString::to_string));
            lines.push(format!("missing: a network, sockets and a /tmp of their own for commands: {why}"));
        }
    }
    lines.extend(root.then(|| NOT_HELD_FOR_ROOT.to_owned()));
    let not_yet = NOT_YET.iter().filter(|(from, _, _)| landlock < *from);
    lines.extend(not_yet.map(|(_, linux, what)| format!("{what} (Linux {linux} changes that)")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_kernel_does_not_hold_is_said() {
        let words = |landlock| details(landlock, Ok(()), Ok(()), false).join("\n");
        assert!(!words(7).contains("(Linux"), "{}", words(7));
        assert!(words(5).contains("signals to your other programs (Linux 6.12 changes that)"));
        assert!(words(3).contains("to the model server too (Linux 6.7 changes that)"));
    }

    #[test]
    fn without_namespaces_it_is_said_in_one_line_what_is_missing() {
        let off = "they are off; `sudo sysctl -w a=1` turns them on";
        let lines = details(7, Err(off.into()), Err("off".into()), false);
        let missing: Vec<&String> = lines.iter().filter(|line| line.starts_with("missing: ")).collect();
        assert!(matches!(&missing[..], [line] if line.contains("sysctl")), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("held: no network and no sockets")), "{lines:?}");
        assert!(!details(7, Ok(()), Ok(()), false).iter().any(|line| line.starts_with("missing: ")));
    }

    #[test]
    fn without_overlays_it_is_said_why_sockets_have_no_path() {
        let lines = details(7, Ok(()), Err("no overlay of /home can be made".into()), false).join("\n");
        assert!(lines.contains("missing: sockets with a path") && lines.contains("no overlay of /home"), "{lines}");
        assert!(!lines.contains(LATER_SOCKETS));
    }
}
