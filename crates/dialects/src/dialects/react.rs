//! ReAct: a line `Action: f` and a line `Action Input: {…}`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_name, may_name, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("react", &["Action:"], parse_page).at_line_start();

/// What may stand around the name.
const ORNAMENTS: [char; 3] = ['`', '*', '"'];

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let Some((line, rest)) = body.split_once('\n') else {
        let word = body.trim().trim_matches(ORNAMENTS);
        let open = word.is_empty() || may_name(word, page.tools);
        return if open && word.len() < 128 { page.open_or(Reading::No) } else { Reading::No };
    };
    let name = plain_name(line.trim().trim_matches(ORNAMENTS), page.tools);
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
    if blank(&page.text[at..]) == page.text.len() - at {
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
