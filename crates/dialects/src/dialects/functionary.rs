//! Functionary v3.2: `>>>f` and a line break before JSON; `>>>all` before an answer.

use crate::args::object;
use crate::page::{Page, Reading, is_name, is_unfinished, name_len, plain_name};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect =
    Dialect { name: "functionary", openers: &[">>>"], tails: &[], place: Place::Anywhere, proof: Proof::Mark, read };

fn read(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    let Some(after) = body[len..].strip_prefix('\n') else {
        let open = is_unfinished(body);
        return if open { page.open_or(Reading::No) } else { Reading::No };
    };
    let (name, at) = (&body[..len], page.opener + len + 1);
    match (name, after.trim_start().chars().next()) {
        ("all", _) => Reading::Drop { len: at },
        (_, None) => page.open_or(Reading::No),
        (_, Some('{')) if is_name(name) && page.tools.knows(plain_name(name, page.tools)) => {
            object(page, at, plain_name(name, page.tools), &[]).unwrap_or(Reading::No)
        }
        _ => Reading::No,
    }
}
