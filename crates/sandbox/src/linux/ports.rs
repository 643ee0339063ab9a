//! Where something listens in a session's network, and what that is.

use super::session::Session;
use super::tcp;
use agent_protocol::PortCard;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::path::Path;

/// The longest command line that is told, in characters.
const LONGEST: usize = 200;
/// "Listening" in a list of sockets (proc_pid_net(5)).
const LISTENS: &str = "0A";

impl Session {
    /// Listens on 127.0.0.1 of its network, at a port that is free.
    pub(crate) fn listen(&self) -> io::Result<TcpListener> {
        tcp::listen(self.socket(false)?, (Ipv4Addr::LOCALHOST, 0).into())
    }

    /// Connects to this port of its loopback.
    pub(crate) fn connect(&self, port: u16) -> io::Result<TcpStream> {
        let first = self.socket(false).and_then(|socket| tcp::connect(socket, (Ipv4Addr::LOCALHOST, port).into()));
        first.or_else(|error| {
            let second = self.socket(true).and_then(|socket| tcp::connect(socket, (Ipv6Addr::LOCALHOST, port).into()));
            second.map_err(|_| error)
        })
    }

    /// Where something listens in it, but for sockets that have these numbers.
    pub(crate) fn ports(&self, but: &[u64]) -> Vec<PortCard> {
        let lists = [false, true].into_iter().filter_map(|version_6| {
            let mut list = String::new();
            File::from(self.list(version_6).ok()?).read_to_string(&mut list).ok()?;
            Some(list)
        });
        let found: Vec<(u16, u64)> = lists.flat_map(|list| listening(&list)).collect();
        let found = found.into_iter().filter(|(_, socket)| !but.contains(socket));
        // One that listens by both versions of the protocol is there twice.
        let ports: BTreeMap<u16, u64> = found.collect();
        let commands = self.network().map(|network| commands(network, &ports)).unwrap_or_default();
        let card = |(port, socket): (&u16, &u64)| PortCard {
            port: *port,
            command: commands.get(socket).cloned().unwrap_or_default(),
            forwarded: None,
        };
        ports.iter().map(card).collect()
    }
}

/// Ports, and the numbers of the sockets that listen there.
fn listening(list: &str) -> Vec<(u16, u64)> {
    let read = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        let listens = *fields.get(3)? == LISTENS;
        let port = u16::from_str_radix(port, 16).ok()?;
        listens.then_some((port, fields.get(9)?.parse().ok()?))
    };
    list.lines().skip(1).filter_map(read).collect()
}

/// The command lines of those in the network of this number that hold one of the sockets.
fn commands(network: u64, ports: &BTreeMap<u16, u64>) -> BTreeMap<u64, String> {
    let link = format!("net:[{network}]");
    let mut found = BTreeMap::new();
    let Ok(processes) = fs::read_dir("/proc") else { return found };
    for process in processes.flatten().map(|entry| entry.path()) {
        if !fs::read_link(process.join("ns/net")).is_ok_and(|network| network == Path::new(&link)) {
            continue;
        }
        for socket in sockets(&process).filter(|socket| ports.values().any(|wanted| wanted == socket)) {
            found.entry(socket).or_insert_with(|| command(&process));
        }
    }
    found
}

/// The numbers of the sockets that a process has open.
fn sockets(process: &Path) -> impl Iterator<Item = u64> {
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.filter_map(|entry| {
        let target = fs::read_link(entry.path()).ok()?;
        target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    })
}

/// Its words, as far as they are told.
fn command(process: &Path) -> String {
    let line = fs::read(process.join("cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&line).trim_end_matches('\0').replace('\0', " ");
    let plain = words.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_that_are_listened_at_are_read_and_connections_are_not() {
        let list = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100\n\
            1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 100\n\
            2: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 99 1\n";
        assert_eq!(listening(list), [(8080, 4711), (3000, 99)]);
    }
}
