//! Changes a file of rules and leaves all else in it as it is, comments too.

use crate::{Folder, today};
use agent_policy::{Kept, StandingReach, StandingRule};
use std::path::PathBuf;
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
    let is_ours = |table: &Table| is_of(table, project);
    let allows = |table: &Table| is_allowing(table) && is_of(table, project);
    set_tables(&mut document, "rule", &kept.rules, allows, says, |rule| table_of(rule, project))?;
    set_tables(&mut document, "reach", &kept.reaches, is_ours, reaches, |reach| table_of_reach(reach, project))?;
    Ok(head + &document.to_string())
}

/// Makes the tables of the list `key` that are `ours` say what `kept` does.
fn set_tables<T>(
    document: &mut DocumentMut,
    key: &str,
    kept: &[T],
    ours: impl Fn(&Table) -> bool,
    says: impl Fn(&Table, &T) -> bool,
    table_of: impl Fn(&T) -> Table,
) -> Result<(), String> {
    if document.get(key).is_none() && kept.is_empty() {
        return Ok(());
    }
    let tables = tables_of(document, key)?;
    tables.retain(|table| !ours(table) || kept.iter().any(|item| says(table, item)));
    for item in kept {
        if !tables.iter().any(|table| ours(table) && says(table, item)) {
            tables.push(table_of(item));
        }
    }
    if tables.is_empty() {
        document.remove(key);
    }
    Ok(())
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

/// The list `key` as tables, however it was written.
fn tables_of<'a>(document: &'a mut DocumentMut, key: &str) -> Result<&'a mut ArrayOfTables, String> {
    let item = document.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    if item.as_array_of_tables().is_none() {
        let tables = std::mem::take(item).into_array_of_tables();
        *item = Item::ArrayOfTables(tables.map_err(|_| format!("{key} is no list of tables"))?);
    }
    item.as_array_of_tables_mut().ok_or_else(|| format!("{key} is no list of tables"))
}

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Item::as_str)
}

fn number(table: &Table, key: &str) -> Option<u64> {
    table.get(key).and_then(Item::as_integer).map(i64::cast_unsigned)
}

fn is_allowing(table: &Table) -> bool {
    text(table, "verdict") == Some("allow")
}

fn is_of(table: &Table, project: &Folder) -> bool {
    text(table, "project") == Some(&project.shown())
        && project.is_known_as(
            number(table, "device"),
            number(table, "inode"),
            table.get("born").and_then(Item::as_integer),
        )
}

fn says(table: &Table, rule: &StandingRule) -> bool {
    list(table, "words") == rule.words && text(table, "program") == program(rule.program.as_ref()).as_deref()
}

fn reaches(table: &Table, reach: &StandingReach) -> bool {
    list(table, "words") == reach.words
        && list(table, "hosts") == hosts(reach)
        && text(table, "program") == program(reach.program.as_ref()).as_deref()
}

fn hosts(reach: &StandingReach) -> Vec<String> {
    reach.hosts.iter().map(ToString::to_string).collect()
}

fn list<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    let list = table.get(key).and_then(Item::as_array);
    list.map(|words| words.iter().filter_map(|word| word.as_str()).collect()).unwrap_or_default()
}

fn program(found: Option<&PathBuf>) -> Option<String> {
    found.map(|program| program.to_string_lossy().into_owned())
}

fn table_of(rule: &StandingRule, project: &Folder) -> Table {
    let mut table = Table::new();
    table.insert("verdict", value("allow"));
    table.insert("words", value(rule.words.iter().collect::<Array>()));
    bind(&mut table, project, rule.program.as_ref());
    tell(&mut table, rule.since.as_ref(), rule.example.as_ref());
    table
}

fn table_of_reach(reach: &StandingReach, project: &Folder) -> Table {
    let mut table = Table::new();
    table.insert("words", value(reach.words.iter().collect::<Array>()));
    table.insert("hosts", value(hosts(reach).iter().collect::<Array>()));
    bind(&mut table, project, reach.program.as_ref());
    tell(&mut table, reach.since.as_ref(), reach.example.as_ref());
    table
}

/// Where it holds, and for which program.
fn bind(table: &mut Table, project: &Folder, found: Option<&PathBuf>) {
    table.insert("project", value(project.shown()));
    table.insert("device", value(project.device.cast_signed()));
    table.insert("inode", value(project.inode.cast_signed()));
    if let Some(born) = project.born {
        table.insert("born", value(born));
    }
    if let Some(program) = program(found) {
        table.insert("program", value(program));
    }
}

/// When it was made, and what for.
fn tell(table: &mut Table, since: Option<&String>, example: Option<&String>) {
    table.insert("since", value(since.cloned().unwrap_or_else(today)));
    if let Some(example) = example {
        table.insert("example", value(example));
    }
}
