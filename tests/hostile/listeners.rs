//! Who listens outside, and what they heard.

use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(6);

/// What was heard, and where. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<Piece>>>);

/// Where it was heard, and what.
type Piece = (String, Vec<u8>);

/// Is this word in it? Whoever looks names up may write them in other letters.
fn says(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|piece| piece.eq_ignore_ascii_case(word.as_bytes()))
}

impl Heard {
    fn pieces(&self) -> MutexGuard<'_, Vec<Piece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn note(&self, place: &str, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.pieces().push((place.to_owned(), bytes.to_vec()));
        }
    }

    /// Was it heard anywhere?
    pub(crate) fn anywhere(&self, word: &str) -> bool {
        self.pieces().iter().any(|(_, bytes)| says(bytes, word))
    }

    /// Was it heard at this place?
    pub(crate) fn at(&self, place: &str, word: &str) -> bool {
        self.pieces().iter().any(|(heard, bytes)| heard == place && says(bytes, word))
    }
}

/// Everything that comes by a stream, until it ends.
fn read_all(mut stream: impl Read, place: &str, heard: &Heard) {
    let mut buffer = [0; 65_536];
    while let Ok(length) = stream.read(&mut buffer) {
        if length == 0 {
            return;
        }
        heard.note(place, &buffer[..length]);
    }
}

/// Listens on every address of the machine, by both versions of IP where both are there.
pub(crate) fn tcp(heard: &Heard) -> u16 {
    let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0")).expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let heard = heard.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let heard = heard.clone();
            // One connection stays as long as its program does, so each has a thread.
            std::thread::spawn(move || read_all(stream, "tcp", &heard));
        }
    });
    port
}

/// Hears datagrams on every address.
pub(crate) fn udp(heard: &Heard) -> u16 {
    let socket = UdpSocket::bind("[::]:0").or_else(|_| UdpSocket::bind("0.0.0.0:0")).expect("a port is free");
    let port = socket.local_addr().expect("it is bound").port();
    let heard = heard.clone();
    std::thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(length) = socket.recv(&mut buffer) {
            heard.note("udp", &buffer[..length]);
        }
    });
    port
}

/// What other programs of the machine say to each other all the time.
pub(crate) fn heartbeat(port: u16) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
    std::thread::spawn(move || {
        loop {
            // Nobody minds one that is lost.
            let _ = socket.send_to(b"heartbeat", ("127.0.0.1", port));
            std::thread::sleep(Duration::from_millis(100));
        }
    });
}

/// Listens at a path, whose folders are made where they are not there.
pub(crate) fn path(path: &Path, heard: &Heard) {
    std::fs::create_dir_all(path.parent().expect("a socket lies in a folder")).expect("a folder can be made");
    serve(UnixListener::bind(path).expect("a socket can be bound"), path.display().to_string(), heard);
}

/// Listens at a name without a path.
pub(crate) fn abstract_stream(name: &str, heard: &Heard) {
    let address = SocketAddr::from_abstract_name(name).expect("a short name");
    serve(UnixListener::bind_addr(&address).expect("a socket can be bound"), name.to_owned(), heard);
}

fn serve(listener: UnixListener, place: String, heard: &Heard) {
    let heard = heard.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if stream.set_read_timeout(Some(PATIENCE)).is_ok() {
                read_all(stream, &place, &heard);
            }
        }
    });
}

/// Hears datagrams at a path.
pub(crate) fn path_datagram(path: &Path, heard: &Heard) {
    std::fs::create_dir_all(path.parent().expect("a socket lies in a folder")).expect("a folder can be made");
    hear(UnixDatagram::bind(path).expect("a socket can be bound"), path.display().to_string(), heard);
}

/// Hears datagrams at a name without a path.
pub(crate) fn abstract_datagram(name: &str, heard: &Heard) {
    let address = SocketAddr::from_abstract_name(name).expect("a short name");
    hear(UnixDatagram::bind_addr(&address).expect("a socket can be bound"), name.to_owned(), heard);
}

fn hear(socket: UnixDatagram, place: String, heard: &Heard) {
    let heard = heard.clone();
    std::thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(length) = socket.recv(&mut buffer) {
            heard.note(&place, &buffer[..length]);
        }
    });
}
