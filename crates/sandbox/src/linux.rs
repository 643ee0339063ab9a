//! Linux: walls that a process raises around itself and cannot take down (Landlock for files and ports, seccomp for
//! system calls), and a supervisor over each command that outlives all it started.
//!
//! Everything is built beforehand; between clone and exec there are only system calls.

mod apart;
mod attempts;
mod calls;
mod family;
mod launch;
mod layers;
mod limits;
mod mounts;
mod overlay;
mod places;
mod ports;
mod post;
mod private;
mod probe;
mod processes;
mod raw;
mod session;
mod small;
mod sockets;
mod supervisor;
mod tcp;
mod terminals;
mod told;
mod trees;
mod view;
mod walls;
mod without;
mod word;

pub(crate) use family::{Family, answer};
pub(crate) use places::Places;
pub(crate) use probe::probe;
pub(crate) use session::Session;
pub(crate) use walls::{CommandView, Walls};
