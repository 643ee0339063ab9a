//! Listening and connecting on sockets that were made elsewhere, in another network.

#![expect(unsafe_code, reason = "std makes its sockets itself")]

use std::io;
use std::mem::zeroed;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

/// How many may wait to be accepted.
const WAITING: i32 = 128;
/// How long a connection on a loopback may take: it waits only where nobody accepts.
const PATIENCE: Duration = Duration::from_secs(2);

/// Listens with it at `at`.
pub(super) fn listen(socket: OwnedFd, at: SocketAddr) -> io::Result<TcpListener> {
    with(at, |address, length| {
        // SAFETY: the address is as long as is said.
        match unsafe { libc::bind(socket.as_raw_fd(), address, length) } {
            // SAFETY: numbers are passed.
            0 => unsafe { libc::listen(socket.as_raw_fd(), WAITING) },
            failed => failed,
        }
    })?;
    Ok(TcpListener::from(socket))
}

/// Connects it with `to`. Blocks for two seconds at most.
pub(super) fn connect(socket: OwnedFd, to: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::from(socket);
    stream.set_write_timeout(Some(PATIENCE))?;
    // SAFETY: the address is as long as is said.
    let go = || with(to, |address, length| unsafe { libc::connect(stream.as_raw_fd(), address, length) });
    // A child that ends meanwhile interrupts it, and asking again waits for the same connection.
    let mut connected = go();
    while connected.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
        connected = go();
    }
    connected?;
    stream.set_write_timeout(None)?;
    Ok(stream)
}

/// Does `work` with the address as the kernel has it.
fn with(at: SocketAddr, work: impl Fn(*const libc::sockaddr, libc::socklen_t) -> i32) -> io::Result<()> {
    let done = match at.ip() {
        IpAddr::V4(ip) => {
            // SAFETY: all zeroes are an address.
            let mut address: libc::sockaddr_in = unsafe { zeroed() };
            address.sin_family = libc::AF_INET as libc::sa_family_t;
            address.sin_port = at.port().to_be();
            address.sin_addr.s_addr = u32::from_ne_bytes(ip.octets());
            work((&raw const address).cast(), size_of_val(&address) as libc::socklen_t)
        }
        IpAddr::V6(ip) => {
            // SAFETY: as above.
            let mut address: libc::sockaddr_in6 = unsafe { zeroed() };
            address.sin6_family = libc::AF_INET6 as libc::sa_family_t;
            address.sin6_port = at.port().to_be();
            address.sin6_addr.s6_addr = ip.octets();
            work((&raw const address).cast(), size_of_val(&address) as libc::socklen_t)
        }
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
