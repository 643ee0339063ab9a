//! Plays one reply, event by event, and notices when nobody listens any more.

use crate::player::House;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// So often a pause looks whether the test is over.
const LOOK: Duration = Duration::from_millis(200);

const PIECE: usize = 65_536;

/// Nobody is there any more, or the script broke the connection.
#[derive(Debug)]
pub(crate) struct Gone;

impl From<io::Error> for Gone {
    fn from(_: io::Error) -> Gone {
        Gone
    }
}

/// Plays `events` as the body of a reply.
pub(crate) fn play(mut stream: TcpStream, house: &House, number: usize, events: &[Value]) -> Result<(), Gone> {
    for event in events {
        match text(&event[0]) {
            "close" => return end(&mut stream),
            "rst" => return reset(stream),
            "stop_server" => return stop(&stream, house),
            "ok" => {
                chunk(&mut stream, &word(text(&event[1])))?;
                chunk(&mut stream, &done())?;
                return end(&mut stream);
            }
            kind => play_one(&mut stream, house, kind, event)?,
        }
        house.note(number, |chat| chat.played += 1);
    }
    end(&mut stream)
}

fn play_one(stream: &mut TcpStream, house: &House, kind: &str, event: &Value) -> Result<(), Gone> {
    match kind {
        "tok" => chunk(stream, &word(text(&event[1]))),
        "raw" => chunk(stream, &unescaped(&event[1])),
        "rawhex" => chunk(stream, &from_hex(text(&event[1]))),
        "split_raw" => split_raw(stream, house, event),
        "raw_big" => raw_big(stream, event),
        "drip" => drip(stream, house, event),
        "repeat_tok" => (0..count(&event[2])).try_for_each(|_| chunk(stream, &word(text(&event[1])))),
        "call" => chunk(stream, &calls(&[json!({"name": event[1], "arguments": event[2]})])),
        "calls" => chunk(stream, &many_calls(event)),
        "call_rawargs" => chunk(stream, &call_with(text(&event[1]), &raw_arguments(text(&event[2])))),
        "call_big" => {
            let arguments = json!({"file_path": "big.txt", text(&event[2]): "x".repeat(count(&event[3]))});
            chunk(stream, &calls(&[json!({"name": event[1], "arguments": arguments})]))
        }
        "sleep" => pause(stream, house, seconds(&event[1])),
        "gzip_bomb" => gzip_bomb(stream, count(&event[1])),
        "done" => chunk(stream, &done()),
        other => panic!("no such event: {other}"),
    }
}

fn split_raw(stream: &mut TcpStream, house: &House, event: &Value) -> Result<(), Gone> {
    let bytes = unescaped(&event[2]);
    let mut rest = &bytes[..];
    for size in event[1].as_array().into_iter().flatten() {
        let (piece, after) = rest.split_at(count(size).min(rest.len()));
        chunk(stream, piece)?;
        pause(stream, house, Duration::from_millis(20))?;
        rest = after;
    }
    chunk(stream, rest)
}

fn raw_big(stream: &mut TcpStream, event: &Value) -> Result<(), Gone> {
    chunk(stream, &unescaped(&event[1]))?;
    let block = text(&event[2]).repeat(PIECE);
    let mut left = count(&event[3]);
    while left > 0 {
        let size = left.min(PIECE);
        chunk(stream, &block.as_bytes()[..size])?;
        left -= size;
    }
    chunk(stream, &unescaped(&event[4]))
}

fn drip(stream: &mut TcpStream, house: &House, event: &Value) -> Result<(), Gone> {
    for byte in unescaped(&event[2]) {
        chunk(stream, &[byte])?;
        pause(stream, house, seconds(&event[1]))?;
    }
    Ok(())
}

/// So many blanks, packed.
fn gzip_bomb(stream: &mut TcpStream, size: usize) -> Result<(), Gone> {
    let blanks = vec![b' '; 1 << 20];
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    let mut left = size;
    while left > 0 {
        packed.write_all(&blanks[..left.min(blanks.len())])?;
        left = left.saturating_sub(blanks.len());
        let ready = std::mem::take(packed.get_mut());
        chunk(stream, &ready)?;
    }
    let rest = packed.finish()?;
    chunk(stream, &rest)
}

fn many_calls(event: &Value) -> Vec<u8> {
    let numbered = |number: usize| {
        let given = event[3].as_object().into_iter().flatten();
        let arguments = given.map(|(name, value)| {
            let value = value.as_str().map_or(value.clone(), |text| text.replace("{i}", &number.to_string()).into());
            (name.clone(), value)
        });
        json!({"name": event[2], "arguments": arguments.collect::<serde_json::Map<_, _>>()})
    };
    calls(&(0..count(&event[1])).map(numbered).collect::<Vec<_>>())
}

/// Arguments as they stand, or `[*N …]` for a list in a list, N deep.
fn raw_arguments(arguments: &str) -> String {
    let depth = arguments.strip_prefix("[*").and_then(|rest| rest.split(' ').next()?.parse().ok());
    depth.map_or_else(|| arguments.to_owned(), |depth: usize| "[".repeat(depth) + &"]".repeat(depth))
}

fn call_with(name: &str, arguments: &str) -> Vec<u8> {
    let function = format!(r#"{{"function":{{"name":"{name}","arguments":{arguments}}}}}"#);
    let message = format!(r#"{{"role":"assistant","content":"","tool_calls":[{function}]}}"#);
    format!("{{\"message\":{message},\"done\":false}}\n").into_bytes()
}

fn line(message: Value, done: bool) -> Vec<u8> {
    let mut line = json!({"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": message, "done": done});
    if done {
        line["done_reason"] = json!("stop");
        line["prompt_eval_count"] = json!(1);
        line["eval_count"] = json!(1);
    }
    (line.to_string() + "\n").into_bytes()
}

fn word(content: &str) -> Vec<u8> {
    line(json!({"role": "assistant", "content": content}), false)
}

fn calls(functions: &[Value]) -> Vec<u8> {
    let calls: Vec<Value> = functions.iter().map(|function| json!({"function": function})).collect();
    line(json!({"role": "assistant", "content": "", "tool_calls": calls}), false)
}

fn done() -> Vec<u8> {
    line(json!({"role": "assistant", "content": ""}), true)
}

fn chunk(stream: &mut TcpStream, bytes: &[u8]) -> Result<(), Gone> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    Ok(stream.write_all(&framed)?)
}

fn end(stream: &mut TcpStream) -> Result<(), Gone> {
    Ok(stream.write_all(b"0\r\n\r\n")?)
}

/// Says nothing for so long; an error as soon as the other side is gone or the test is over.
pub(crate) fn pause(stream: &mut TcpStream, house: &House, length: Duration) -> Result<(), Gone> {
    let until = Instant::now() + length;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left.min(LOOK)))?;
        match stream.read(&mut [0; 64]) {
            Ok(0) => return Err(Gone),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => return Err(Gone),
        }
        if house.is_stopped() {
            return Err(Gone);
        }
    }
}

/// Breaks the connection so that the other side hears of it as a reset.
fn reset(stream: TcpStream) -> Result<(), Gone> {
    // What was sent before has to arrive: a reset overtakes it.
    std::thread::sleep(Duration::from_millis(100));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _inside = runtime.enter();
    stream.set_nonblocking(true)?;
    let stream = tokio::net::TcpStream::from_std(stream)?;
    stream.set_zero_linger()?;
    Err(Gone)
}

/// From here on nobody answers at the address.
fn stop(stream: &TcpStream, house: &House) -> Result<(), Gone> {
    house.stopped.store(true, Ordering::SeqCst);
    // Wakes the one who waits for visitors, so that the port is given up.
    drop(TcpStream::connect(stream.local_addr()?));
    Err(Gone)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The rows write a line end as two characters.
fn unescaped(value: &Value) -> Vec<u8> {
    text(value).replace("\\n", "\n").into_bytes()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a count")).expect("it fits")
}

fn seconds(value: &Value) -> Duration {
    Duration::from_secs_f64(value.as_f64().expect("seconds"))
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digits).collect()
}
