//! The heads of HTTP messages, read strictly: what could be read in two ways is not read at all.

use std::str;

pub(crate) const END: &[u8] = b"\r\n\r\n";
/// Bytes of a head at most.
pub(crate) const MOST: usize = 64 * 1024;
/// Fields of a head at most.
const MOST_FIELDS: usize = 200;
/// What concerns one connection and is not passed on.
const ONE_HOP: &[&str] = &[
    "connection",
    "proxy-connection",
    "keep-alive",
    "proxy-authorization",
    "proxy-authenticate",
    "proxy-authentication-info",
    "te",
    "trailer",
    "upgrade",
];

/// The fields of a head, in their order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fields<'a>(Vec<(&'a str, &'a [u8])>);

/// What a client asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) target: &'a str,
    /// The minor one: 0 or 1.
    pub(crate) version: u8,
    pub(crate) fields: Fields<'a>,
}

/// What a server says to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResponseHead<'a> {
    pub(crate) status: u16,
    /// The line it stands in.
    line: &'a str,
    pub(crate) fields: Fields<'a>,
}

/// How long the body of a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    None,
    Bytes(u64),
    Chunks,
}

impl<'a> Request<'a> {
    /// Reads `head`, without the empty line. The error says what is wrong.
    pub(crate) fn read(head: &'a [u8]) -> Result<Self, &'static str> {
        let (line, fields) = parts(head)?;
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err("the request line has not three parts");
        };
        if !is_token(method) || !target.bytes().all(|byte| byte.is_ascii_graphic()) || target.is_empty() {
            return Err("the request line has characters that do not belong there");
        }
        let version = match version {
            "HTTP/1.1" => 1,
            "HTTP/1.0" => 0,
            _ => return Err("only HTTP/1.1 and HTTP/1.0 are spoken here"),
        };
        if fields.all("host").count() > 1 {
            return Err("it names two hosts");
        }
        Ok(Request { method, target, version, fields })
    }

    /// How long its body is; what could be understood in two ways is an error.
    pub(crate) fn body(&self) -> Result<Body, &'static str> {
        let (mut lengths, mut codings) = (self.fields.all("content-length"), self.fields.all("transfer-encoding"));
        match (lengths.next(), codings.next()) {
            (None, None) => Ok(Body::None),
            (Some(_), Some(_)) => Err("it says in two ways how long its body is"),
            (Some(length), None) if lengths.next().is_none() => {
                let digits = str::from_utf8(length).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                let bytes = digits.and_then(|digits| digits.parse().ok());
                bytes.map(Body::Bytes).ok_or("its content length is no number")
            }
            (Some(_), None) => Err("it has two content lengths"),
            (None, Some(coding)) if codings.next().is_none() && coding.eq_ignore_ascii_case(b"chunked") => {
                if self.version == 0 { Err("HTTP/1.0 knows no chunks") } else { Ok(Body::Chunks) }
            }
            (None, Some(_)) => Err("its transfer encoding is not known here"),
        }
    }
}

impl<'a> ResponseHead<'a> {
    /// Reads `head`, without the empty line. The error says what is wrong.
    pub(crate) fn read(head: &'a [u8]) -> Result<Self, &'static str> {
        let (line, fields) = parts(head)?;
        let known = ["HTTP/1.1 ", "HTTP/1.0 "].iter().find_map(|start| line.strip_prefix(start));
        let digits =
            known.and_then(|rest| rest.get(..3)).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let status = digits.and_then(|digits| digits.parse().ok()).ok_or("it does not begin like an answer")?;
        Ok(ResponseHead { status, line, fields })
    }

    /// What it says beside the number, for people.
    pub(crate) fn reason(&self) -> &'a str {
        self.line.splitn(3, ' ').nth(2).unwrap_or_default()
    }

    /// The same for the client, with `last`: nothing comes after it.
    pub(crate) fn passed_on(&self, last: bool) -> Vec<u8> {
        let mut bytes = format!("{}\r\n", self.line).into_bytes();
        // Of two lengths that disagree the chunks count.
        let chunked = self.fields.all("transfer-encoding").next().is_some();
        let passes = |name: &str| !(chunked && name.eq_ignore_ascii_case("content-length"));
        self.fields.write(&mut bytes, passes);
        bytes.extend_from_slice(if last { b"Connection: close\r\n\r\n" } else { b"\r\n" });
        bytes
    }
}

impl<'a> Fields<'a> {
    /// The values of all fields of this name, which is in lower case.
    fn all(&self, name: &'static str) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.0.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }

    /// Writes those that concern more than this connection and that `pass`.
    pub(crate) fn write(&self, to: &mut Vec<u8>, pass: impl Fn(&str) -> bool) {
        let named: Vec<&[u8]> = self.all("connection").flat_map(|value| value.split(|byte| *byte == b',')).collect();
        for (name, value) in &self.0 {
            let once = ONE_HOP.iter().any(|known| name.eq_ignore_ascii_case(known))
                || named.iter().any(|named| named.trim_ascii().eq_ignore_ascii_case(name.as_bytes()));
            // How long a body is concerns the one at the other end, whatever the client says of it.
            let frames = ["transfer-encoding", "content-length"].iter().any(|known| name.eq_ignore_ascii_case(known));
            if (frames || !once) && pass(name) {
                to.extend_from_slice(name.as_bytes());
                to.extend_from_slice(b": ");
                to.extend_from_slice(value);
                to.extend_from_slice(b"\r\n");
            }
        }
    }
}

/// The first line and the fields.
fn parts(head: &[u8]) -> Result<(&str, Fields<'_>), &'static str> {
    let mut lines = Vec::new();
    for line in head.split(|byte| *byte == b'\n') {
        lines.push(line.strip_suffix(b"\r").unwrap_or(line));
    }
    let ends = head.iter().filter(|byte| **byte == b'\n').count();
    let whole_ends = head.windows(2).filter(|pair| pair == b"\r\n").count();
    if ends != whole_ends || lines.iter().any(|line| line.iter().any(|byte| matches!(byte, b'\r' | 0))) {
        return Err("it has line ends that can be read in two ways");
    }
    let mut lines = lines.into_iter();
    let first = lines.next().and_then(|line| str::from_utf8(line).ok()).ok_or("its first line is no text")?;
    let fields = lines.map(field).collect::<Result<Vec<_>, _>>()?;
    if fields.len() > MOST_FIELDS {
        return Err("it has too many fields");
    }
    Ok((first, Fields(fields)))
}

fn field(line: &[u8]) -> Result<(&str, &[u8]), &'static str> {
    if line.first().is_some_and(u8::is_ascii_whitespace) {
        return Err("it has a field that goes on in another line");
    }
    let colon = line.iter().position(|byte| *byte == b':').ok_or("it has a line that is no field")?;
    let name =
        str::from_utf8(&line[..colon]).ok().filter(|name| is_token(name)).ok_or("it has a field without a name")?;
    let value = line[colon + 1..].trim_ascii();
    if value.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return Err("it has a field with control characters");
    }
    Ok((name, value))
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_read_in_two_ways_is_not_read() {
        let wrong: &[(&str, &str)] = &[
            ("GET http://a/", "the request line has not three parts"),
            ("GET  http://a/ HTTP/1.1", "the request line has not three parts"),
            ("GET http://a/ b HTTP/1.1", "the request line has not three parts"),
            ("G(T http://a/ HTTP/1.1", "the request line has characters that do not belong there"),
            ("GET http://\u{e4}/ HTTP/1.1", "the request line has characters that do not belong there"),
            ("GET http://a/ HTTP/2.0", "only HTTP/1.1 and HTTP/1.0 are spoken here"),
            ("GET http://a/ HTTP/1.1\r\nA: b\r\n c", "it has a field that goes on in another line"),
            ("GET http://a/ HTTP/1.1\r\nA: b\nC: d", "it has line ends that can be read in two ways"),
            ("GET http://a/ HTTP/1.1\r\nA: b\rC: d", "it has line ends that can be read in two ways"),
            ("GET http://a/ HTTP/1.1\r\nA: b\0", "it has line ends that can be read in two ways"),
            ("GET http://a/ HTTP/1.1\r\nA : b", "it has a field without a name"),
            ("GET http://a/ HTTP/1.1\r\n: b", "it has a field without a name"),
            ("GET http://a/ HTTP/1.1\r\nA", "it has a line that is no field"),
            ("GET http://a/ HTTP/1.1\r\nA: b\u{1}", "it has a field with control characters"),
            ("GET http://a/ HTTP/1.1\r\nHost: a\r\nhost: b", "it names two hosts"),
        ];
        for (head, why) in wrong {
            assert_eq!(Request::read(head.as_bytes()), Err(*why), "{head:?}");
        }
    }

    #[test]
    fn a_body_has_one_length_or_none() {
        let body = |fields: &str, version: u8| {
            let head = format!("POST http://a/ HTTP/1.{version}\r\n{fields}");
            let head = head.trim_end().to_owned();
            Request::read(head.as_bytes()).unwrap().body()
        };
        assert_eq!(body("", 1), Ok(Body::None));
        assert_eq!(body("Content-Length: 12", 1), Ok(Body::Bytes(12)));
        assert_eq!(body("Transfer-Encoding: Chunked", 1), Ok(Body::Chunks));
        let wrong = [
            "Content-Length: 1\r\nContent-Length: 1",
            "Content-Length: 1, 1",
            "Content-Length: +1",
            "Content-Length: -1",
            "Content-Length: 0x1",
            "Content-Length: 99999999999999999999999",
            "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: xchunked",
        ];
        for fields in wrong {
            assert!(body(fields, 1).is_err(), "{fields:?}");
        }
        assert_eq!(body("Transfer-Encoding: chunked", 0), Err("HTTP/1.0 knows no chunks"));
    }

    #[test]
    fn only_what_concerns_more_than_one_connection_is_passed_on() {
        let head = b"GET http://a/ HTTP/1.1\r\nConnection: X-Mine , content-length\r\nX-Mine: 1\r\nX-Other: 2\r\n\
            Proxy-Authorization: Basic eA==\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: 0";
        let mut out = Vec::new();
        Request::read(head).unwrap().fields.write(&mut out, |_| true);
        assert_eq!(String::from_utf8(out).unwrap(), "X-Other: 2\r\nContent-Length: 0\r\n");
    }

    #[test]
    fn an_answer_ends_its_connection() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nKeep-Alive: 5";
        let answer = ResponseHead::read(head).unwrap();
        let passed = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
        assert_eq!((answer.status, answer.reason()), (200, "OK"));
        assert_eq!(String::from_utf8(answer.passed_on(true)).unwrap(), passed);
        for head in ["HTTP/1.1 20", "HTTP/2 200", "ICY 200 OK", "HTTP/1.1 2x0 OK", ""] {
            assert!(ResponseHead::read(head.as_bytes()).is_err(), "{head}");
        }
    }
}
