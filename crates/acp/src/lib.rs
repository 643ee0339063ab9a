//! The front end of editors: speaks the Agent Client Protocol over standard input and output, which carries nothing else.
//!
//! It is a front end like the others: what the editor wants becomes an `Op`, what is heard in `Event`s becomes updates of
//! the editor's session, and every question is put to the user by the editor. One process serves several sessions at
//! once, each with a loop of its own. Decides nothing, writes no file, and has no program run anywhere but in the loop.

mod asking;
mod commands;
mod doorway;
mod ending;
mod kinds;
mod mapping;
mod options;
mod pipes;
mod prompt;
mod serve;
mod session;
mod sessions;
mod shown;
mod wire;
mod words;

pub use doorway::{BufferText, BufferWish, Doorway, EditorSession, Opening};
pub use pipes::Pipes;
pub use serve::{Over, serve};
