//! Documents made here.

use super::*;
use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object, Stream, dictionary};
use proptest::prelude::*;

/// A document with these page contents.
fn document(contents: Vec<Stream>) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let pages = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Courier", "Encoding" => "WinAnsiEncoding",
    });
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let kids: Vec<Object> = contents
        .into_iter()
        .map(|content| {
            let content = document.add_object(content);
            let page = dictionary! {
                "Type" => "Page", "Parent" => pages, "Contents" => content, "Resources" => resources,
                "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
            };
            document.add_object(page).into()
        })
        .collect();
    let count = i64::try_from(kids.len()).unwrap();
    document.objects.insert(pages, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count }.into());
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn page(text: &str) -> Stream {
    let operations = vec![
        Operation::new("BT", vec![]),
        Operation::new("Tf", vec!["F1".into(), 12.into()]),
        Operation::new("Td", vec![72.into(), 700.into()]),
        Operation::new("Tj", vec![Object::string_literal(text)]),
        Operation::new("ET", vec![]),
    ];
    Stream::new(Dictionary::new(), Content { operations }.encode().unwrap())
}

fn text(bytes: &[u8]) -> Result<Pages, Fault> {
    read(bytes, &Stop::default())
}

#[test]
fn the_text_comes_page_by_page() {
    let found = text(&document(vec![page("one"), page("two")])).unwrap();
    assert_eq!(found, Pages { text: "--- page 1 ---\none\n--- page 2 ---\ntwo\n".into(), count: 2 });
}

#[test]
fn a_page_that_would_unpack_without_end_is_left_out() {
    let mut bomb = Stream::new(Dictionary::new(), vec![b' '; UNPACKED + 1]);
    bomb.compress().unwrap();
    assert!(bomb.content.len() < 100_000);
    let bytes = document(vec![page("one"), bomb.clone()]);
    let found = text(&bytes).unwrap();
    assert!(
        found.text.starts_with("--- page 1 ---\none\n--- page 2 ---\n[this page cannot be read: "),
        "{}",
        found.text
    );
    assert_eq!(text(&document(vec![bomb])), Err(Fault::NoText(1)));
}

#[test]
fn blanks_are_tidied() {
    assert_eq!(tidy("\n\n  a  \n\n\n\nb\0c\n\n"), "  a\n\nbc\n");
    assert_eq!(tidy(" \n \n"), "");
}

#[test]
fn a_line_without_end_is_broken_between_words() {
    let tidied = tidy(&"words and more ".repeat(100));
    assert!(tidied.lines().all(|line| line.len() <= WIDTH && line.len() > WIDTH / 2 || line.ends_with("more")));
    assert_eq!(tidied.split_whitespace().count(), 300);
    let endless = tidy(&"é".repeat(500));
    assert_eq!(endless.replace('\n', ""), "é".repeat(500));
    assert!(endless.lines().all(|line| line.len() <= WIDTH), "{endless}");
}

#[test]
fn nobody_waits_for_a_document_when_nobody_wants_it() {
    let stop = Stop::default();
    stop.ask();
    let late = read(&document(vec![page("one")]), &stop);
    assert_eq!(late, Err(Fault::TooLong));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_damage_stops_more_than_the_look(places in prop::collection::vec((0_usize..900, any::<u8>()), 1..8)) {
        let mut bytes = document(vec![page("one"), page("two")]);
        for (at, byte) in places {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let _ = aside(bytes, &Stop::default());
    }
}
