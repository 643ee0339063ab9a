//! Changes a file of rules and leaves all else in it as it is, comments too.

use crate::{Folder, today};
use agent_policy::{Kept, StandingRule};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

/// What stands at the head of a new file.
const HEAD: &str =
    "# Your rules, made by answering \"always\". /permissions lists them and takes them back; config/policy.toml
# of the source tells the form. You may change them by hand.

";

/// `text` with the rules that `kept` holds for `project`, and no others for it. The error says what is wrong with `text`.
pub(super) fn rewrite(text: &str, project: &Folder, kept: &Kept) -> Result<String, String> {
    let text = if text.trim().is_empty() && *kept != Kept::default() { HEAD } else { text };
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    // Comments that no rule follows yet belong to the end; what is added would come before them.
    let mut head = String::new();
    if document.is_empty() {
        head = text.to_owned();
        document.set_trailing("");
    }
    set_read_only(&mut document, kept.read_only);
    if document.get("rule").is_none() && kept.rules.is_empty() {
        return Ok(head + &document.to_string());
    }
    let rules = rules_of(&mut document)?;
    let is_kept = |table: &Table| kept.rules.iter().any(|rule| says(table, rule));
    rules.retain(|table| !is_of(table, project) || is_kept(table));
    for rule in &kept.rules {
        if !rules.iter().any(|table| is_of(table, project) && says(table, rule)) {
            rules.push(table_of(rule, project));
        }
    }
    if rules.is_empty() {
        document.remove("rule");
    }
    Ok(head + &document.to_string())
}

fn set_read_only(document: &mut DocumentMut, read_only: bool) {
    let written = document.get("read_only").and_then(Item::as_str);
    match (read_only, written) {
        (true, Some("always")) | (false, None | Some("ask")) => {}
        (true, Some(_)) | (false, Some(_)) => {
            // Only the word changes; a comment beside it stays.
            let decor = document.get("read_only").and_then(Item::as_value).map(|old| old.decor().clone());
            let mut word = toml_edit::Value::from(if read_only { "always" } else { "ask" });
            if let Some(decor) = decor {
                *word.decor_mut() = decor;
            }
            document["read_only"] = Item::Value(word);
        }
        (true, None) => document["read_only"] = value("always"),
    }
}

/// The rules as tables, however they were written.
fn rules_of(document: &mut DocumentMut) -> Result<&mut ArrayOfTables, String> {
    let item = document.entry("rule").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    if item.as_array_of_tables().is_none() {
        let tables = std::mem::take(item).into_array_of_tables();
        *item = Item::ArrayOfTables(tables.map_err(|_| "rule is no list of tables")?);
    }
    item.as_array_of_tables_mut().ok_or_else(|| "rule is no list of tables".into())
}

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Item::as_str)
}

fn number(table: &Table, key: &str) -> Option<u64> {
    table.get(key).and_then(Item::as_integer).map(i64::cast_unsigned)
}

fn is_of(table: &Table, project: &Folder) -> bool {
    text(table, "verdict") == Some("allow")
        && text(table, "project") == Some(&project.shown())
        && project.is_known_as(
            number(table, "device"),
            number(table, "inode"),
            table.get("born").and_then(Item::as_integer),
        )
}

/// Is it this rule?
fn says(table: &Table, rule: &StandingRule) -> bool {
    let words = table.get("words").and_then(Item::as_array);
    let words: Option<Vec<&str>> = words.map(|words| words.iter().filter_map(|word| word.as_str()).collect());
    words.is_some_and(|words| words == rule.words) && text(table, "program") == program(rule).as_deref()
}

fn program(rule: &StandingRule) -> Option<String> {
    rule.program.as_ref().map(|program| program.to_string_lossy().into_owned())
}

fn table_of(rule: &StandingRule, project: &Folder) -> Table {
    let mut table = Table::new();
    let mut set = |key: &str, item: Item| table.insert(key, item);
    set("verdict", value("allow"));
    set("words", value(rule.words.iter().collect::<Array>()));
    set("project", value(project.shown()));
    set("device", value(project.device.cast_signed()));
    set("inode", value(project.inode.cast_signed()));
    if let Some(born) = project.born {
        set("born", value(born));
    }
    if let Some(program) = program(rule) {
        set("program", value(program));
    }
    set("since", value(rule.since.clone().unwrap_or_else(today)));
    if let Some(example) = &rule.example {
        set("example", value(example));
    }
    table
}
