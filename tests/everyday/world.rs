//! The world around hostile commands: a network namespace with addresses of the documentation, a private network and a
//! cloud, who listens at them and at sockets, and a process that is none of ours. What reaches them is written down.

use std::io::{Read, Write};
use std::net::{Ipv6Addr, TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Set where we are in that namespace already.
const INNER: &str = "AGENT_BATTERY_INNER";
/// Addresses that its loopback has besides its own; none is reached from anywhere.
const ADDRESSES: [&str; 4] = ["192.0.2.1/24", "10.0.0.1/32", "169.254.169.254/32", "2001:db8::1/64"];
const TCP: [u16; 5] = [80, 443, 25, 53, 7001];
const UDP: [u16; 1] = [53];
/// How long whoever connected may take to say something.
const HEARING: Duration = Duration::from_secs(2);

/// What everybody here has heard.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    pub(crate) fn holds(&self, token: &str) -> bool {
        String::from_utf8_lossy(&self.0.lock().unwrap()).contains(token)
    }

    fn note(&self, bytes: &[u8]) {
        let mut all = self.0.lock().unwrap();
        all.extend_from_slice(bytes);
        all.push(b'\n');
    }
}

/// Are we in a namespace of our own?
pub(crate) fn is_inner() -> bool {
    std::env::var_os(INNER).is_some()
}

/// Runs the test `name` again in a network namespace of its own, as root of it. `None`: there can be none here.
pub(crate) fn again(name: &str) -> Option<bool> {
    let unshare = |words: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(["-rn"]).args(words).stdin(Stdio::null());
        unshare
    };
    let tried = unshare(&["ip", "link", "set", "lo", "up"]).stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        return None;
    }
    let own = std::env::current_exe().unwrap();
    let mut inner = unshare(&[own.to_str().unwrap(), "--ignored", "--exact", name, "--nocapture"]);
    Some(inner.env(INNER, "1").status().unwrap().success())
}

/// Gives the loopback its addresses, and listens.
pub(crate) fn listen() -> Heard {
    ip(&["link", "set", "lo", "up"]);
    ADDRESSES.iter().for_each(|address| ip(&["addr", "add", address, "dev", "lo"]));
    let heard = Heard::default();
    for port in TCP {
        // Of both families, as systems have it unless they are told otherwise.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).unwrap();
        let heard = heard.clone();
        serve(move || {
            let (mut peer, _) = listener.accept()?;
            peer.set_read_timeout(Some(HEARING))?;
            hear(&mut peer, &heard);
            peer.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nreached\n")
        });
    }
    for port in UDP {
        let socket = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, port)).unwrap();
        let heard = heard.clone();
        serve(move || {
            let mut said = [0; 2048];
            let (length, _) = socket.recv_from(&mut said)?;
            heard.note(&said[..length]);
            Ok(())
        });
    }
    heard
}

/// Listens at sockets as docker, a session bus and an agent of keys have them in `top`, and at the abstract name.
pub(crate) fn listen_at_sockets(top: &Path, name: &str, heard: &Heard) {
    std::fs::create_dir_all(top.join("run")).unwrap();
    std::fs::create_dir_all(top.join("home/.ssh")).unwrap();
    let places = ["run/docker.sock", "run/bus", "home/.ssh/agent.sock"];
    let named = places.map(|place| UnixListener::bind(top.join(place)).unwrap());
    let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).unwrap()).unwrap();
    for listener in named.into_iter().chain([hidden]) {
        let heard = heard.clone();
        serve(move || {
            let (mut peer, _) = listener.accept()?;
            peer.set_read_timeout(Some(HEARING))?;
            hear(&mut peer, &heard);
            Ok(())
        });
    }
    let (log, heard) = (UnixDatagram::bind(top.join("run/log")).unwrap(), heard.clone());
    serve(move || {
        let mut said = [0; 2048];
        let length = log.recv(&mut said)?;
        heard.note(&said[..length]);
        Ok(())
    });
}

/// One message after the other, on a thread of its own that ends with the test.
fn serve(mut once: impl FnMut() -> std::io::Result<()> + Send + 'static) {
    std::thread::spawn(move || {
        loop {
            // Whoever broke off was one of those that are tried.
            let _ = once();
        }
    });
}

fn hear(peer: &mut impl Read, heard: &Heard) {
    let mut said = [0; 4096];
    if let Ok(length @ 1..) = peer.read(&mut said) {
        heard.note(&said[..length]);
    }
}

fn ip(words: &[&str]) {
    assert!(Command::new("ip").args(words).status().unwrap().success(), "ip {words:?}");
}

/// A process outside, with a mark in its environment; gone when it is dropped.
pub(crate) struct Outside(Child);

impl Outside {
    pub(crate) fn start() -> Self {
        let mut sleep = Command::new("sleep");
        let null = || Stdio::null();
        Outside(sleep.arg("600").env("MARK", "outside").stdin(null()).stdout(null()).stderr(null()).spawn().unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap_or_default();
        status.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['T', 't']))
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        // It may have been ended.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Processes whose words hold `token`, but for ourselves.
pub(crate) fn alive(token: &str) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|process| process.file_name().to_str()?.parse::<i32>().ok());
    let holds = |id: &i32| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(token)
    };
    ids.filter(holds).collect()
}
