//! The question about a page or a search, and what is left of it in the conversation.

use super::harness::{Stage, asks_command, turn};
use agent_protocol::{Action, CallEvent, Event, Preview, PreviewBody, Rule, RuleOffer, Subject};

const URL: &str =
    "https://xn--e1afmkfd.xn--p1ai:8443/docs/latest/a-rather-long-address/that-goes-on/and-on/page.html?q=1&lang=en";

/// The question about an address.
fn asks(title: &str, url: &str, sends: &str, warnings: &[&str]) -> Event {
    let Event::Call(CallEvent::Asked { mut question }) = asks_command("x") else { unreachable!("a question") };
    question.subject = Subject::Action { action: Action::Fetch { url: url.into(), sends: sends.into() } };
    let body = PreviewBody::Fetch { url: url.into(), sends: sends.into() };
    question.preview = Preview { title: title.into(), body };
    question.why = "what leaves this machine asks".into();
    question.warnings = warnings.iter().map(|warning| (*warning).into()).collect();
    question.offers = Vec::new();
    question.parts = Vec::new();
    if warnings.is_empty() {
        let host = url.split('/').nth(2).unwrap();
        let words = format!("don't ask again in this session for {host}");
        question.offers.push(RuleOffer { rule: Rule::Host { host: host.into(), plain: false }, words });
    }
    Event::Call(CallEvent::Asked { question })
}

fn shown(event: Event, size: (u16, u16)) -> String {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(event).wait(600);
    stage.resize(size.0, size.1);
    stage.part()
}

#[test]
fn the_whole_address_is_shown_with_what_is_odd_about_it() {
    let odd = ["an unusual port: 8443", "xn--e1afmkfd.xn--p1ai is a name in other letters than it seems; look twice"];
    for size in [(120, 40), (80, 24)] {
        let usual = asks("Fetch a page of docs.rs", "https://docs.rs/url", "", &[]);
        let usual = shown(usual, size);
        let strange = shown(asks("Fetch a page of xn--e1afmkfd.xn--p1ai", URL, "", &odd), size);
        let joined: String = strange.split_whitespace().collect();
        assert!(joined.contains(URL), "{strange}");
        let search = asks("Search with tavily", "https://api.tavily.com/search", "rust url join", &[]);
        let search = shown(search, size);
        if size == (80, 24) {
            insta::assert_snapshot!("fetch_narrow", usual);
            insta::assert_snapshot!("fetch_odd_narrow", strange);
            insta::assert_snapshot!("search_narrow", search);
        }
    }
}
