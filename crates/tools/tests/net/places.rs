//! Where a fetch goes, and where it does not.

use crate::serving::{Book, Say, Server, page, redirect};
use agent_protocol::FailureKind;
use agent_tools::web::{Accounts, Web};
use std::sync::Arc;

fn html(body: &str) -> Say {
    Say::Whole(page("200 OK", "text/html; charset=utf-8", body.as_bytes()))
}

async fn refusal(web: &Web, url: &str) -> (FailureKind, String) {
    let failure = web.fetch(url).await.unwrap_err();
    (failure.kind, failure.message)
}

#[tokio::test]
async fn a_page_is_fetched_without_cookies_referrer_or_key() {
    let server = Server::saying([("/a", html("<title>T</title><p>See <a href=b>b</a>"))]).await;
    let fetched = server.web(Accounts::default()).fetch(&server.url("/a?x=1#y")).await.unwrap();
    assert_eq!(fetched.url, server.url("/a?x=1"));
    assert_eq!(fetched.text, format!("# T\n\nSee [b]({})\n", server.url("/b")));
    assert_eq!((fetched.kind.as_str(), fetched.cut), ("html", false));
    let request = server.heard()[0].to_ascii_lowercase();
    assert!(
        request.starts_with("get /a?x=1 http/1.1\r\n") && request.contains("accept-encoding: gzip\r\n"),
        "{request}"
    );
    for absent in ["cookie:", "referer:", "authorization:"] {
        assert!(!request.contains(absent), "{request}");
    }
}

#[tokio::test]
async fn redirects_to_the_same_host_are_followed() {
    let server = Server::saying([("/old", redirect("/new")), ("/new", html("<p>here"))]).await;
    let fetched = server.web(Accounts::default()).fetch(&server.url("/old")).await.unwrap();
    assert_eq!((fetched.url, fetched.text.as_str()), (server.url("/new"), "here\n"));
}

#[tokio::test]
async fn a_redirect_to_the_www_of_a_host_is_followed() {
    let to = |port| redirect(&format!("http://www.page.example:{port}/b"));
    let server = Server::knowing(|port| [("/a", to(port)), ("/b", html("<p>b"))].into()).await;
    let fetched = server.web(Accounts::default()).fetch(&server.url("/a")).await.unwrap();
    assert_eq!(fetched.url, format!("http://www.page.example:{}/b", server.place.port()));
}

#[tokio::test]
async fn a_redirect_elsewhere_is_told_and_not_followed() {
    let server = Server::saying([
        ("/other", redirect("https://other.example/x")),
        ("/port", redirect("http://page.example:1/")),
        ("/deeper", redirect("http://evil.page.example/")),
    ])
    .await;
    let web = server.web(Accounts::default());
    assert_eq!(
        refusal(&web, &server.url("/other")).await,
        (
            FailureKind::NotReady,
            format!("{} redirects to https://other.example/x; fetch that if it is meant", server.url("/other"))
        )
    );
    assert_eq!(refusal(&web, &server.url("/port")).await.0, FailureKind::NotReady);
    assert_eq!(refusal(&web, &server.url("/deeper")).await.0, FailureKind::NotReady);
    assert_eq!(server.heard().len(), 3);
}

#[tokio::test]
async fn a_redirect_to_what_is_near_or_no_page_is_refused() {
    let near = [
        "http://127.0.0.1:11434/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "file:///etc/passwd",
        "ftp://page.example/",
        "http://me:pw@page.example/",
        "javascript:alert(1)",
    ];
    for to in near {
        let server = Server::saying([("/", redirect(to))]).await;
        let (kind, message) = refusal(&server.web(Accounts::default()), &server.url("/")).await;
        assert_eq!(kind, FailureKind::Denied, "{to}: {message}");
        assert_eq!(server.heard().len(), 1, "{to}");
    }
}

#[tokio::test]
async fn redirects_end_after_five() {
    let hops = [("/0", "/1"), ("/1", "/2"), ("/2", "/3"), ("/3", "/4"), ("/4", "/5"), ("/5", "/6")];
    let mut answers: Vec<_> = hops.map(|(from, to)| (from, redirect(to))).into();
    answers.push(("/6", html("<p>the end")));
    let server = Server::saying(answers).await;
    let web = server.web(Accounts::default());
    assert_eq!(web.fetch(&server.url("/1")).await.unwrap().text, "the end\n");
    let (kind, message) = refusal(&web, &server.url("/0")).await;
    assert_eq!(kind, FailureKind::Unreachable);
    assert!(message.ends_with("redirects more than 5 times; fetch another page"), "{message}");
}

/// Whoever answers for a name may say something else the next time. What was judged is what is connected to, and each
/// hop is judged anew.
#[tokio::test]
async fn a_name_that_changes_its_mind_leads_nowhere_near() {
    let server = Server::saying([("/a", redirect("/b")), ("/b", html("<p>secret"))]).await;
    let book = Book::default().with("page.example", &["127.0.0.1", "127.0.0.2"]);
    let web = Web::default().also_reaching(server.place).asking(Arc::new(book));
    let (kind, message) = refusal(&web, &server.url("/a")).await;
    assert_eq!(
        (kind, message.as_str()),
        (
            FailureKind::Denied,
            "page.example leads to an address nearby: 127.0.0.2 is this machine; only the public net is fetched"
        )
    );
    assert_eq!(server.heard().len(), 1);
}

/// The system would say something else of this name: the connection goes to what our own look-up said.
#[tokio::test]
async fn what_was_looked_up_is_what_is_connected_to() {
    let server = Server::saying([("/", html("<p>here"))]).await;
    let book = Book::default().with("no-such-name.example", &["127.0.0.1"]);
    let web = Web::default().also_reaching(server.place).asking(Arc::new(book));
    let fetched = web.fetch(&format!("http://no-such-name.example:{}/", server.place.port())).await.unwrap();
    assert_eq!(fetched.text, "here\n");
}

#[tokio::test]
async fn one_answer_nearby_spoils_them_all_and_nothing_is_sent() {
    let server = Server::saying([("/", html("<p>secret"))]).await;
    for answer in ["93.184.215.14 127.0.0.1", "10.0.0.1", "::1", "fd00:ec2::254", "169.254.169.254", "100.100.100.200"]
    {
        let web = Web::default().asking(Arc::new(Book::default().with("page.example", &[answer])));
        let (kind, message) = refusal(&web, &server.url("/")).await;
        assert_eq!(kind, FailureKind::Denied, "{answer}: {message}");
    }
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn names_that_are_near_by_themselves_are_not_even_looked_up() {
    let book = Book::default().with("localhost", &["93.184.215.14"]).with("a.internal", &["93.184.215.14"]);
    let web = Web::default().asking(Arc::new(book));
    for url in ["http://localhost/", "http://a.internal/", "http://metadata.google.internal/", "http://router/"] {
        assert_eq!(refusal(&web, url).await.0, FailureKind::Denied, "{url}");
    }
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_said_so() {
    let web = Web::default().asking(Arc::new(Book::default()));
    let (kind, message) = refusal(&web, "https://gone.example/").await;
    assert_eq!(
        (kind, message.as_str()),
        (FailureKind::Unreachable, "the name gone.example leads nowhere; check it, or whether there is a net")
    );
}
