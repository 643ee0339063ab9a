//! ReAct: a line `Action: f` and a line `Action Input: {…}`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, is_name, plain_name};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect =
    Dialect { name: "react", openers: &["Action:"], tails: &[], place: Place::LineStart, proof: Proof::Mark, read };

fn read(page: &Page<'_>) -> Reading {
    let body = page.body();
    let Some((line, rest)) = body.split_once('\n') else {
        let word = body.trim();
        let open = word.is_empty() || page.tools.is_any() || page.tools.names().any(|name| name.starts_with(word));
        return if open && word.len() < 128 { page.open_or(Reading::No) } else { Reading::No };
    };
    let name = plain_name(line.trim().trim_matches(['`', '*', '"']), page.tools);
    if !is_name(name) || !page.tools.knows(name) {
        return Reading::No;
    }
    let rest = rest.trim_start();
    match ahead(rest, &["Action Input:", "Action_Input:", "ActionInput:"]) {
        Ahead::Yes(len) => input(page, page.text.len() - rest.len() + len, name),
        Ahead::Maybe => page.open_or(Reading::No),
        Ahead::No => Reading::No,
    }
}

fn input(page: &Page<'_>, at: usize, name: &str) -> Reading {
    if page.text[at..].trim().is_empty() {
        return page.open_or(Reading::Open);
    }
    object(page, at, name, &["Observation:"]).map_or(Reading::No, |reading| match reading {
        // The word belongs to the made-up result that follows.
        Reading::Calls { calls, len } if page.text[..len].ends_with("Observation:") => {
            Reading::Calls { calls, len: len - "Observation:".len() }
        }
        reading => reading,
    })
}
