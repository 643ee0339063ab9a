//! Continue: a fence named `tool` with `TOOL_NAME:`, `BEGIN_ARG:` and `END_ARG` lines.

use crate::Repair;
use crate::lenient::typed;
use crate::page::{Ahead, Call, Page, Reading, ahead, is_name, note, plain_name};
use crate::table::Dialect;
use serde_json::Map;

pub(super) static DIALECT: Dialect =
    Dialect::marked("continue", &["```tool\n", "```tool\r\n"], parse_page).at_line_start();

fn parse_page(page: &Page<'_>) -> Reading {
    let head = page.body();
    let name = match ahead(head, &["TOOL_NAME:"]) {
        Ahead::Yes(len) => &head[len..],
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => return Reading::No,
    };
    let Some((name, mut rest)) = name.split_once('\n') else { return Reading::Open };
    let name = plain_name(name.trim(), page.tools);
    if !is_name(name) {
        return Reading::No;
    }
    let (mut arguments, mut repairs) = (Map::new(), Vec::new());
    loop {
        rest = rest.trim_start();
        // A closing mark too many.
        if let Ahead::Yes(len) = ahead(rest, &["END_ARG"]) {
            note(&mut repairs, Repair::ExtraEnd);
            rest = &rest[len..];
            continue;
        }
        match ahead(rest, &["BEGIN_ARG:", "```", "END_ARG"]) {
            Ahead::Maybe => return Reading::Open,
            Ahead::No => return Reading::No,
            Ahead::Yes(3) => {
                return Reading::Calls {
                    calls: vec![Call { repairs, ..Call::new(name, arguments) }],
                    len: page.text.len() - rest.len() + 3,
                };
            }
            Ahead::Yes(_) => {}
        }
        let Some((key, value)) = rest["BEGIN_ARG:".len()..].split_once('\n') else { return Reading::Open };
        let Some(end) = value.find("\nEND_ARG") else { return Reading::Open };
        let key = key.trim();
        arguments.insert(key.to_owned(), typed(value[..end].trim_end_matches('\r'), page.tools.schema(name, key)));
        rest = &value[end + "\nEND_ARG".len()..];
    }
}
