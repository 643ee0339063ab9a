//! What is read of an answer, and how much.

use crate::serving::{Say, Server, page};
use agent_protocol::{Failure, FailureKind};
use agent_tools::web::{Accounts, Limits, Page};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::time::Duration;

async fn fetched(say: Say) -> Result<Page, Failure> {
    let server = Server::saying([("/", say)]).await;
    let url = server.url("/");
    let clean = |failure: Failure| Failure { message: failure.message.replace(&url, "URL"), ..failure };
    server.web(Accounts::default()).fetch(&url).await.map_err(clean)
}

fn whole(kind: &str, body: &[u8]) -> Say {
    Say::Whole(page("200 OK", kind, body))
}

fn packed(body: &[u8], times: usize) -> Say {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..times {
        encoder.write_all(body).unwrap();
    }
    let body = encoder.finish().unwrap();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Say::Whole([head.as_bytes(), &body].concat())
}

fn head(kind: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n\r\n").into_bytes()
}

#[tokio::test]
async fn a_packed_page_is_unpacked() {
    assert_eq!(fetched(packed(b"a few words\n", 2)).await.unwrap().text, "a few words\na few words\n");
}

/// A quarter of a gigabyte in some hundred kilobytes: as much of it as there is room for, and no more.
#[tokio::test]
async fn a_bomb_is_read_only_as_far_as_there_is_room() {
    let page = fetched(packed(&vec![b'x'; 1 << 20], 256)).await.unwrap();
    assert_eq!((page.bytes, page.cut, page.text.len()), (2 << 20, true, 2 << 20));
}

#[tokio::test]
async fn a_page_without_end_is_read_only_as_far_as_there_is_room() {
    let page = fetched(Say::Endless(head("text/plain"), vec![b'x'; 1 << 16])).await.unwrap();
    assert_eq!((page.bytes, page.cut, page.text.len()), (2 << 20, true, 2 << 20));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_does_not_come_is_given_up_after_twenty_seconds() {
    for say in [
        Say::Silence(Vec::new()),
        Say::Silence(head("text/html")),
        Say::Silence([head("text/html"), b"<p>x".into()].concat()),
    ] {
        let failure = fetched(say).await.unwrap_err();
        let word = "page.example took longer than 20 seconds; try again later";
        assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Timeout, word));
    }
}

#[tokio::test]
async fn the_time_is_for_all_of_it_and_not_from_one_piece_to_the_next() {
    let server = Server::saying([("/", Say::Endless(head("text/html"), b"x".into()))]).await;
    let limits = Limits { time: Duration::from_millis(300), body: usize::MAX / 2, ..Limits::default() };
    let failure = server.web(Accounts::default()).within(limits).fetch(&server.url("/")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
}

#[tokio::test]
async fn what_nests_deeper_than_pages_do_is_not_read() {
    let failure = fetched(whole("text/html", "<div>".repeat(100_000).as_bytes())).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TooLarge);
}

#[tokio::test]
async fn what_is_no_text_is_told_by_its_kind_and_size() {
    let said = |say| async { fetched(say).await.unwrap_err() };
    let failure = said(whole("application/pdf", &[b'x'; 12_345])).await;
    assert_eq!(failure, Failure::new(FailureKind::NotText, "URL is application/pdf, 12.3 KB; only text is fetched"));
    let failure = said(whole("text/plain", b"\x7fELF\0\0\0")).await;
    assert_eq!(failure, Failure::new(FailureKind::NotText, "URL is no text, 7 bytes; only text is fetched"));
    let odd = Say::Whole(b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 0\r\n\r\n".into());
    let word = "page.example packs its pages with \"br\", which was not asked for";
    assert_eq!(said(odd).await, Failure::new(FailureKind::NotText, word));
    let torn = Say::Whole(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope".into());
    assert_eq!(said(torn).await.kind, FailureKind::NotText);
}

#[tokio::test]
async fn text_of_other_kinds_stays_as_it_is() {
    for (kind, short, body) in [
        ("application/json", "json", "{\"a\": \"<b>\"}"),
        ("text/markdown; charset=utf-8", "markdown", "# é\n"),
        ("application/rss+xml", "xml", "<rss/>"),
        ("text/plain", "plain", ""),
    ] {
        let page = fetched(whole(kind, body.as_bytes())).await.unwrap();
        assert_eq!((page.kind.as_str(), page.text.as_str()), (short, body));
    }
}

#[tokio::test]
async fn letters_are_read_as_the_page_was_written() {
    assert_eq!(fetched(whole("text/html; charset=iso-8859-1", b"<p>caf\xe9")).await.unwrap().text, "café\n");
    assert_eq!(fetched(whole("text/html", b"<meta charset=windows-1251><p>\xef\xf0")).await.unwrap().text, "пр\n");
    assert_eq!(fetched(whole("text/html", b"")).await.unwrap().text, "\n");
}

#[tokio::test]
async fn an_answer_that_is_none_is_told_with_its_number() {
    let failure = fetched(Say::Whole(page("404 Not Found", "text/html", b"<p>no"))).await.unwrap_err();
    assert_eq!(failure, Failure::new(FailureKind::Unreachable, "URL answers 404 Not Found; check the address"));
    let failure = fetched(Say::Whole(b"nonsense\r\n\r\n".into())).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert!(failure.message.starts_with("page.example does not answer: "), "{}", failure.message);
}
