//! When a command fails because of its sandbox, it is said; when it fails for another reason, it is not.

use crate::ground::Ground;
use agent_protocol::Blocked;
use agent_protocol::Profile::{self, Network, Project, ReadOnly, Unfenced};
use std::net::TcpListener;

async fn blocked(profile: Profile, line: &str) -> Option<Blocked> {
    Ground::new().run(profile, line).await.blocked
}

#[tokio::test]
async fn writing_where_the_sandbox_does_not_reach_is_said() {
    for line in
        ["echo x > ../outside/x", "mkdir ../outside/x", "touch ../outside/x; exit 3", "touch ../outside/x || true"]
    {
        assert_eq!(blocked(Project, line).await, Some(Blocked::Writing), "{line}");
    }
    assert_eq!(blocked(ReadOnly, "touch x").await, Some(Blocked::Writing));
}

#[tokio::test]
async fn reaching_for_the_network_is_said() {
    let ground = Ground::new();
    let sure = |ended: agent_sandbox::Ended| ended.blocked.map(|blocked| (blocked, !ended.unsure));
    let version_6 = std::path::Path::new("/proc/net/snmp6").exists();
    let lines = ["bash -c ': > /dev/tcp/192.0.2.1/80'", "bash -c 'echo x > /dev/udp/2001:db8::1/53'"];
    for line in lines.into_iter().take(1 + usize::from(version_6)) {
        let (ended, inside) = (ground.run(Project, line).await, ground.around.try_inside().err());
        assert_eq!(sure(ended), Some((Blocked::Network, true)), "{line} {inside:?}");
    }
    // Who of two it was nobody counts.
    let waits = "until test -e tried; do sleep 0.02; done";
    let tries = format!("{}; touch tried; false", lines[0]);
    let (_, tried) = tokio::join!(ground.run(Project, waits), ground.run(Project, &tries));
    assert_eq!(sure(tried), Some((Blocked::Network, false)));
    let odd = "echo 'dial unix /run/x.sock: socket: operation not permitted'; false";
    assert_eq!(sure(ground.run(Project, odd).await), Some((Blocked::Network, false)));

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let line = format!("bash -c ': > /dev/tcp/127.0.0.1/{}'", listener.local_addr().unwrap().port());
    // The same port of its own loopback is one where nobody listens; what is further away is out of reach.
    assert_eq!(blocked(Project, &line).await, None);
    assert_eq!(blocked(Project, "bash -c ': > /dev/tcp/192.0.2.1/80'").await, Some(Blocked::Network));
    assert_eq!(blocked(ReadOnly, &line).await, Some(Blocked::Network));
    assert_eq!(blocked(Network, &line).await, Some(Blocked::Network));
    assert_eq!(blocked(Unfenced, &line).await, None);
}

#[tokio::test]
async fn other_failures_are_not_laid_at_the_door_of_the_sandbox() {
    let words = "echo 'curl: (6) Could not resolve host: example.com'; false";
    for line in ["false", "cat missing", "echo x > x; ./x", "kill -9 $$", words, "echo ModuleNotFoundError; false"] {
        assert_eq!(blocked(Project, line).await, None, "{line}");
    }
}
