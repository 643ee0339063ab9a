//! The proxy of a company, through which everything goes: simple, trusting, and so a good test of the proxy before it.
//!
//! Names that end in `.example` and stand for hosts of the net are played here, and what they hear is written down by
//! their name. Whatever else it is asked for it connects to, as the system reads it.

use crate::listeners::Heard;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// The hosts that are played here.
const HOSTS: &[&str] = &[
    "granted.example",
    "other.example",
    "notgranted.example",
    "granted.example.other.example",
    // No names at all: a proxy that takes them for names must not be told of them.
    ".example",
    "*",
    "granted.example,other.example",
];
const PATIENCE: Duration = Duration::from_secs(6);
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// Begins, and answers with its port.
pub(crate) fn begin(heard: Heard) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let heard = heard.clone();
            std::thread::spawn(move || serve(stream, &heard));
        }
    });
    port
}

fn serve(stream: TcpStream, heard: &Heard) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    if reader.fill_buf()?.first() == Some(&5) {
        let (host, port) = socks(&mut reader, &stream)?;
        return lead(reader, stream, (&host, port), b"\x05\x00\x00\x01\0\0\0\0\0\0", heard);
    }
    while let Some(head) = head(&mut reader)? {
        let mut words = head.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if method == "CONNECT" {
            return lead(reader, stream, place(target, 443), b"HTTP/1.1 200 OK\r\n\r\n", heard);
        }
        let authority = target.trim_start_matches("http://").split('/').next().unwrap_or_default();
        let (host, port) = place(authority, 80);
        if !HOSTS.contains(&host) {
            let mut other = TcpStream::connect((host, port))?;
            other.write_all(head.as_bytes())?;
            io::copy(&mut other, &mut &stream)?;
            return Ok(());
        }
        heard.note(host, head.as_bytes());
        heard.note(host, &body(&mut reader, &head)?);
        (&stream).write_all(ANSWER)?;
    }
    Ok(())
}

/// Leads to this place once `answer` was given.
fn lead(
    mut reader: BufReader<TcpStream>,
    mut stream: TcpStream,
    (host, port): (&str, u16),
    answer: &[u8],
    heard: &Heard,
) -> io::Result<()> {
    if HOSTS.contains(&host) {
        stream.write_all(answer)?;
        let place = if [80, 443].contains(&port) { host.to_owned() } else { format!("{host}:{port}") };
        return be(&place, reader, stream, heard);
    }
    let other = TcpStream::connect((host, port))?;
    stream.write_all(answer)?;
    let mut there = other.try_clone()?;
    std::thread::spawn(move || {
        let sent = io::copy(&mut reader, &mut there);
        let ended = there.shutdown(std::net::Shutdown::Write);
        sent.and(ended)
    });
    io::copy(&mut &other, &mut stream)?;
    stream.shutdown(std::net::Shutdown::Write)
}

/// Plays a host: writes down what it hears, and answers each head.
fn be(host: &str, mut reader: BufReader<TcpStream>, mut stream: TcpStream, heard: &Heard) -> io::Result<()> {
    while let Some(head) = head(&mut reader)? {
        heard.note(host, head.as_bytes());
        heard.note(host, &body(&mut reader, &head)?);
        stream.write_all(ANSWER)?;
    }
    Ok(())
}

/// The next head with its empty line; `None`: no more.
fn head(reader: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if reader.read_until(b'\n', &mut head)? == 0 {
            return Ok((!head.is_empty()).then(|| String::from_utf8_lossy(&head).into_owned()));
        }
    }
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

/// What follows a head, read as trustingly as may be: chunks where it names them, else the first length that it names.
fn body(reader: &mut BufReader<TcpStream>, head: &str) -> io::Result<Vec<u8>> {
    let head = head.to_lowercase();
    let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let mut body = Vec::new();
    if value("transfer-encoding:").is_some() {
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let length = u64::from_str_radix(line.trim(), 16).unwrap_or(0);
            reader.take(length + 2).read_to_end(&mut body)?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
    let length = value("content-length:").and_then(|value| value.parse().ok()).unwrap_or(0);
    reader.take(length).read_to_end(&mut body)?;
    Ok(body)
}

/// Host and port of what stands before a path.
fn place(authority: &str, usual: u16) -> (&str, u16) {
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host.trim_matches(['[', ']']), port.parse().unwrap_or(usual)),
        _ => (authority.trim_matches(['[', ']']), usual),
    }
}

fn socks(reader: &mut BufReader<TcpStream>, mut stream: &TcpStream) -> io::Result<(String, u16)> {
    let mut start = [0; 2];
    reader.read_exact(&mut start)?;
    io::copy(&mut reader.take(start[1].into()), &mut io::sink())?;
    stream.write_all(b"\x05\x00")?;
    let mut wish = [0; 4];
    reader.read_exact(&mut wish)?;
    let host = match wish[3] {
        1 => std::net::Ipv4Addr::from(bytes::<4>(reader)?).to_string(),
        4 => std::net::Ipv6Addr::from(bytes::<16>(reader)?).to_string(),
        _ => {
            let length = bytes::<1>(reader)?[0];
            let mut name = Vec::new();
            reader.take(length.into()).read_to_end(&mut name)?;
            String::from_utf8_lossy(&name).into_owned()
        }
    };
    Ok((host, u16::from_be_bytes(bytes::<2>(reader)?)))
}

fn bytes<const N: usize>(reader: &mut BufReader<TcpStream>) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}
