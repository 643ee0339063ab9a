//! Messages on the wire: a header with the length, an empty line, and so many bytes of JSON. One that is too much to be
//! read is passed over, and a word about it stands in its place: the next one is none the worse for it.

use super::envelope::Envelope;
use serde_json::Value;
use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy, sink};

/// Bytes of the longest message that is taken.
pub(super) const LONGEST: usize = 8 << 20;
/// Bytes of the longest message that is passed over; whoever says more says it for ever.
const PASSED_OVER: usize = 1 << 30;
/// Bytes at the beginning and at the end of such a message that tell what it is about.
const ENDS: usize = 1 << 10;
/// Bytes of all that may stand before a message: headers, and what a server says there by mistake.
const HEADERS: u64 = 64 << 10;

/// The next message; `None` at the end.
///
/// # Errors
/// What comes is no message, or has no end in sight.
pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Value>> {
    let Some(length) = length(from).await? else { return Ok(None) };
    match length {
        _ if length <= LONGEST => whole(from, length).await.map(Some),
        _ if length <= PASSED_OVER => passed_over(from, length).await.map(Some),
        _ => Err(wrong("a message is longer than 1 GiB")),
    }
}

async fn whole(from: &mut (impl AsyncBufRead + Unpin), length: usize) -> io::Result<Value> {
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).await?;
    serde_json::from_slice(&bytes).or_else(|_| match Envelope::of(&bytes) {
        Some(envelope) => Ok(envelope.unread("the answer has too many parts within parts")),
        None => Err(wrong("a message is no JSON")),
    })
}

async fn passed_over(from: &mut (impl AsyncBufRead + Unpin), length: usize) -> io::Result<Value> {
    let (mut start, mut end) = (vec![0; ENDS], vec![0; ENDS]);
    let between = (length - 2 * ENDS) as u64;
    from.read_exact(&mut start).await?;
    if copy(&mut (&mut *from).take(between), &mut sink()).await? < between {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    from.read_exact(&mut end).await?;
    Ok(Envelope::of_ends(&start, &end).unread("the answer is longer than 8 MiB"))
}

/// What the headers say of the length. A line that is no header is passed over: servers greet.
async fn length(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<usize>> {
    let mut left = HEADERS;
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = (&mut *from).take(left).read_until(b'\n', &mut line).await?;
        left = left.saturating_sub(read as u64);
        if read == 0 {
            return if left == 0 { Err(wrong("what it says has no end")) } else { Ok(None) };
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), length) {
            ("", Some(_)) => return Ok(length),
            (header, _) => length = stated(header).or(length),
        }
    }
}

fn stated(header: &str) -> Option<usize> {
    let (name, value) = header.split_once(':')?;
    name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
}

/// Says `message`.
pub(super) async fn write(to: &mut (impl AsyncWrite + Unpin), message: &Value) -> io::Result<()> {
    let body = message.to_string();
    to.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
    to.flush().await
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::super::envelope::UNREAD;
    use super::*;
    use serde_json::json;
    use tokio::io::BufReader;

    async fn all(bytes: &[u8], buffer: usize) -> Vec<Result<Value, String>> {
        let mut from = BufReader::with_capacity(buffer, bytes);
        let mut all = Vec::new();
        loop {
            match read(&mut from).await {
                Ok(Some(message)) => all.push(Ok(message)),
                Ok(None) => return all,
                Err(error) => {
                    all.push(Err(error.to_string()));
                    return all;
                }
            }
        }
    }

    #[tokio::test]
    async fn what_is_written_is_read_wherever_it_is_cut() {
        let messages = [json!({ "id": 1, "result": "héé 🦀" }), json!({ "method": "x" })];
        let mut wire = Vec::new();
        for message in &messages {
            write(&mut wire, message).await.unwrap();
        }
        for buffer in [1, 2, 7, 4096] {
            assert_eq!(all(&wire, buffer).await, messages.clone().map(Ok));
        }
    }

    #[tokio::test]
    async fn other_headers_and_a_greeting_are_passed_over() {
        let wire = b"Welcome!\r\n\r\nContent-Type: x\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(all(wire, 64).await, [Ok(json!({}))]);
    }

    #[tokio::test]
    async fn too_much_is_refused_before_it_is_read() {
        let said = |wire: String| async move { all(wire.as_bytes(), 4096).await };
        assert_eq!(
            said(format!("Content-Length: {}\r\n\r\n", PASSED_OVER + 1)).await,
            [Err("a message is longer than 1 GiB".into())]
        );
        assert_eq!(said("Content-Length: 2\r\n\r\nno".into()).await, [Err("a message is no JSON".into())]);
        assert_eq!(said("x".repeat(100_000)).await, [Err("what it says has no end".into())]);
        assert!(said("Content-Length: 20\r\n\r\n{}".into()).await[0].is_err());
        assert!(said(format!("Content-Length: {}\r\n\r\n{{}}", LONGEST + 1)).await[0].is_err());
    }

    #[tokio::test]
    async fn what_is_too_much_is_passed_over_and_the_next_message_is_read() {
        let long = "x".repeat(LONGEST);
        let (deep, end) = ("[".repeat(200), "]".repeat(200));
        for body in [
            format!(r#"{{"jsonrpc":"2.0","id":7,"result":"{long}"}}"#),
            format!(r#"{{"jsonrpc":"2.0","result":"{long}","id":7}}"#),
            format!(r#"{{"result":{deep}{end},"id":7}}"#),
        ] {
            let wire = format!("Content-Length: {}\r\n\r\n{body}Content-Length: 2\r\n\r\n{{}}", body.len());
            let all = all(wire.as_bytes(), 4096).await;
            let first = all[0].as_ref().unwrap();
            assert_eq!((&first["id"], first["error"]["code"].as_i64()), (&json!(7), Some(UNREAD)), "{first}");
            assert_eq!(all[1..], [Ok(json!({}))]);
        }
    }
}
