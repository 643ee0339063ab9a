//! Clients that leave, servers that stop, and how both can be waited for.

use crate::client::{PATIENCE, chat, send};
use agent_mock_server::{End, Script, Server};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn request() -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": "Hello"}]})
}

fn server(first: Value) -> Server {
    let script = json!({"models": [{"name": "m"}], "replies": [
        {"when": {"request": 1}, "say": [first]},
        {"say": [{"text": "Here I am."}]},
    ]});
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

#[test]
fn a_client_that_leaves_in_the_middle_of_a_reply_is_noticed_and_the_next_is_served() {
    let server = server(json!({"stream_tokens": {"count": 1_000_000, "per_second": 200}}));
    let mut exchange = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &request().to_string());
    exchange.head().unwrap();
    exchange.chunk().unwrap();
    drop(exchange);
    let recorded = server.wait_for_chat_end(1, PATIENCE).unwrap();
    let ended = recorded.ended.unwrap();
    assert_eq!(ended.how, End::ClientGone);
    assert!(ended.at > recorded.arrived);
    assert_eq!(chat(server.addr(), &request()).content(), "Here I am.");
}

#[test]
fn a_client_that_leaves_during_a_silence_is_noticed_without_a_write() {
    let server = server(json!({"wait_ms": 3_600_000}));
    let exchange = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &request().to_string());
    assert!(server.wait_for_chat(1, PATIENCE).unwrap().ended.is_none());
    drop(exchange);
    assert_eq!(server.wait_for_chat_end(1, PATIENCE).unwrap().ended.unwrap().how, End::ClientGone);
}

#[test]
fn a_second_request_waits_for_the_first_and_is_served_when_it_is_given_up() {
    let server = server(json!({"wait_ms": 3_600_000}));
    let first = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &request().to_string());
    server.wait_for_chat(1, PATIENCE).unwrap();
    let second = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &request().to_string());
    assert!(server.wait_for_chat(2, PATIENCE).unwrap().ended.is_none());
    drop(first);
    assert_eq!(second.reply().content(), "Here I am.");
}

#[test]
fn a_server_that_stops_cuts_its_clients_off_and_frees_the_port() {
    let server = server(json!({"wait_ms": 3_600_000}));
    let address = server.addr();
    let exchange = send(address, "POST", "/api/chat", "127.0.0.1", &request().to_string());
    server.wait_for_chat(1, PATIENCE).unwrap();
    drop(server);
    assert_eq!(exchange.reply().end, "no-answer");
    assert!(TcpStream::connect(address).is_err());
    let again = Server::start_on(address.port(), Script::default()).unwrap();
    assert_eq!(again.addr(), address);
}

#[test]
fn a_connection_serves_several_requests_also_ones_with_a_body_in_chunks() {
    let server = Server::start(Script::default()).unwrap();
    let mut socket = TcpStream::connect(server.addr()).unwrap();
    socket.write_all(b"GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let body = "{\"model\":\"nobody\"}";
    let head = "POST /api/show HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    let (left, right) = body.split_at(5);
    write!(socket, "{head}{:x}\r\n{left}\r\n{:x}\r\n{right}\r\n0\r\n\r\n", left.len(), right.len()).unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    assert!(text.contains("{\"version\":\"0.12.6\"}HTTP/1.1 404 Not Found\r\n"), "{text}");
    assert!(text.ends_with("{\"error\":\"model 'nobody:latest' not found\"}"), "{text}");
    assert_eq!(server.requests()[1].body, json!({"model": "nobody"}));
}

#[test]
fn requests_can_be_waited_for_without_blocking() {
    let server = Server::start(Script::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let address = server.addr();
    let asking = std::thread::spawn(move || chat(address, &request()));
    let path = runtime.block_on(server.until(|requests| requests.first().map(|request| request.path.clone())));
    assert_eq!((path.as_str(), asking.join().unwrap().status), ("/api/chat", 404));
    assert_eq!(server.wait_for_chat(2, Duration::ZERO), None);
}
