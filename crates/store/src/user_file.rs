//! Files of the user's own in which we change something: all else in them stays as it is.

use crate::StoreError;
use crate::place::{guard, guard_file, make_folder, replace};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Puts what `change` makes of the text of `file` in its place. A file that is not there has no text.
///
/// # Errors
/// When it cannot be read or written, or when others could have written it: to save it then would make what they wrote the
/// user's own. And what `change` says, who is told the file that is really changed; the file is left alone then.
pub(crate) fn change(
    file: &Path,
    what: &'static str,
    change: impl FnOnce(&str, &Path) -> Result<String, StoreError>,
) -> Result<(), StoreError> {
    // A link is kept, and what it leads to is written.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let write = |source| StoreError::Write { what, path: file.clone(), source };
    let folder = file.parent().ok_or_else(|| write(io::ErrorKind::NotFound.into()))?;
    make_folder(folder).map_err(write)?;
    guard(folder)?;
    guard_file(&file)?;
    // Two sessions that save at once would each lose what the other wrote.
    let lock = File::open(folder).map_err(write)?;
    lock.lock().map_err(write)?;
    let text = text_of(&file).map_err(write)?;
    let changed = change(&text, &file)?;
    if changed == text { Ok(()) } else { replace(&file, &changed).map_err(write) }
}

fn text_of(file: &Path) -> io::Result<String> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}
