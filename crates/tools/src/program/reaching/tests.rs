//! The way out of a command on a listener of the test's own: what is asked, what is held, and what is not seen.

use super::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

struct House {
    _folder: TempDir,
    root: PathBuf,
    home: PathBuf,
    network: Network,
}

impl House {
    /// A project with these files, in a home with an account of npm, and settings of ours.
    fn new(files: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let place = folder.path().canonicalize().unwrap();
        let (root, home, own) = (place.join("home/project"), place.join("home"), place.join("own"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&own).unwrap();
        fs::write(home.join(".npmrc"), "").unwrap();
        files.iter().for_each(|name| fs::write(root.join(name), "").unwrap());
        let outside = Outside { own: vec![own], ..Outside::default() };
        let bare = Ground::of_this_process(root.clone()).unwrap();
        let network = Network::new(&Ground { home: Some(home.clone()), outside, ..bare });
        House { _folder: folder, root, home, network }
    }

    async fn open(&self, hosts: &[Host], asker: Asker) -> WayOut {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        self.network.open_on(Some(listener), (hosts, !hosts.is_empty(), &[]), asker).await
    }

    /// A command that may reach these from its start.
    async fn runs(&self, hosts: &[Host]) -> (WayOut, UnboundedReceiver<Wish>) {
        let (wishes, asked) = unbounded_channel();
        (self.open(hosts, Asker::Call(wishes)).await, asked)
    }

    fn kept_back(&self) -> Vec<PathBuf> {
        vec![self.home.join(".npmrc"), self.root.parent().unwrap().parent().unwrap().join("own")]
    }
}

fn host(name: &str) -> Host {
    Host { name: name.into(), port: 443 }
}

/// A host that nobody ever reaches: addresses for documentation are not public, and that is found out after a yes.
async fn wants(way: &WayOut, name: &str) -> TcpStream {
    let port = way.proxy.as_ref().unwrap().port();
    let mut client = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    client.write_all(format!("CONNECT {name}:443 HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    client
}

async fn heard(mut client: TcpStream) -> String {
    let mut text = String::new();
    client.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test]
async fn a_command_is_held_while_somebody_thinks_and_only_then() {
    let house = House::new(&[]);
    let (way, mut asked) = house.runs(&[]).await;
    let hold = way.more().hold.unwrap();
    let client = wants(&way, "name.invalid").await;
    let Wish { job, host: wanted, answer, sees_secrets } = asked.recv().await.unwrap();
    assert_eq!((job, wanted, sees_secrets), (None, host("name.invalid"), false));
    while !hold.is_held() {
        tokio::task::yield_now().await;
    }
    answer.send(false).unwrap();
    assert!(heard(client).await.starts_with("HTTP/1.1 403 "));
    assert!(!hold.is_held());
    // Whoever answers for the user has told it.
    assert_eq!(way.went().refused, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn one_that_leaves_while_it_is_held_goes_on() {
    let house = House::new(&[]);
    let (way, mut asked) = house.runs(&[]).await;
    let hold = way.more().hold.unwrap();
    let client = wants(&way, "name.invalid").await;
    let mut wish = asked.recv().await.unwrap();
    tokio::time::sleep(2 * AT_ONCE).await;
    assert!(hold.is_held());
    drop(client);
    wish.answer.closed().await;
    assert!(!hold.is_held());
}

#[tokio::test]
async fn what_the_permit_names_is_not_asked_about() {
    let house = House::new(&[]);
    let (way, mut asked) = house.runs(&[host("name.invalid")]).await;
    let said = heard(wants(&way, "name.invalid").await).await;
    assert!(said.starts_with("HTTP/1.1 502 name.invalid:443 was allowed, but its name was not found"), "{said}");
    assert!(heard(wants(&way, "127.0.0.1").await).await.starts_with("HTTP/1.1 403 "));
    assert!(asked.try_recv().is_err());
    let Went { hosts, refused } = way.went();
    assert_eq!((hosts, refused.len()), (Vec::new(), 2));
    assert!(refused[1].contains("127.0.0.1 is this machine"), "{refused:?}");
}

#[tokio::test]
async fn nobody_there_is_a_no() {
    let house = House::new(&[]);
    let (way, asked) = house.runs(&[]).await;
    drop(asked);
    assert!(heard(wants(&way, "name.invalid").await).await.starts_with("HTTP/1.1 403 "));
    let (way, mut asked) = house.runs(&[]).await;
    let client = wants(&way, "name.invalid").await;
    drop(asked.recv().await.unwrap());
    assert!(heard(client).await.starts_with("HTTP/1.1 403 "));
}

#[tokio::test]
async fn one_in_the_background_asks_by_its_number() {
    let house = House::new(&[]);
    let mut wishes = house.network.wishes().unwrap();
    assert!(house.network.wishes().is_none(), "somebody hears of them");
    let way = house.open(&[], Asker::Job(BackgroundId(4))).await;
    let client = wants(&way, "name.invalid").await;
    let wish = wishes.recv().await.unwrap();
    assert_eq!((wish.job, wish.host), (Some(BackgroundId(4)), host("name.invalid")));
    wish.answer.send(false).unwrap();
    assert!(heard(client).await.starts_with("HTTP/1.1 403 "));
}

#[tokio::test]
async fn places_of_secrets_are_hidden_from_all_and_files_of_the_project_from_those_that_reach() {
    let house = House::new(&[".env", "main.rs"]);
    let secret = house.root.join(".env");
    let (way, _asked) = house.runs(&[]).await;
    assert_eq!(way.more().hidden, house.kept_back());
    drop(way);
    let (way, _asked) = house.runs(&[host("name.invalid")]).await;
    assert_eq!(way.more().hidden, [house.kept_back(), vec![secret]].concat());
}

/// They share a loopback: what one may reach the other can use.
#[tokio::test]
async fn beside_one_that_reaches_a_host_nobody_sees_secrets() {
    let house = House::new(&[".env"]);
    let hides = |way: &WayOut| way.more().hidden.contains(&house.root.join(".env"));
    let (server, mut asked) = house.runs(&[]).await;
    assert!(!hides(&server));
    let (beside, _asked) = house.runs(&[]).await;
    assert!(!hides(&beside), "neither reaches anything");
    drop(beside);
    let client = wants(&server, "name.invalid").await;
    let wish = asked.recv().await.unwrap();
    assert!(wish.sees_secrets, "it could read them before it asked");
    wish.answer.send(true).unwrap();
    assert!(heard(client).await.starts_with("HTTP/1.1 502 "));
    let (beside, mut asked) = house.runs(&[]).await;
    assert!(hides(&beside));
    // It sees none itself, but shares with one that does.
    let _client = wants(&beside, "other.invalid").await;
    assert!(asked.recv().await.unwrap().sees_secrets);
    drop(server);
    let _client = wants(&beside, "third.invalid").await;
    assert!(!asked.recv().await.unwrap().sees_secrets);
}

#[tokio::test]
async fn what_git_kept_before_any_command_is_no_secret_of_the_project() {
    let house = House::new(&["test.pem", "later.pem"]);
    let git = |words: &[&str]| {
        let done = std::process::Command::new("git").args(words).current_dir(&house.root).output().unwrap();
        assert!(done.status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "test.pem"]);
    let hidden = [house.kept_back(), vec![house.root.join("later.pem")]].concat();
    let (way, _asked) = house.runs(&[host("name.invalid")]).await;
    assert_eq!(way.more().hidden, hidden);
    // A command may have done this, to see it.
    git(&["add", "later.pem"]);
    let (way, _asked) = house.runs(&[host("name.invalid")]).await;
    assert_eq!(way.more().hidden, hidden);
}

#[tokio::test]
async fn programs_are_led_to_the_proxy_of_their_command() {
    let house = House::new(&[]);
    let (one, _asked) = house.runs(&[]).await;
    let (two, _asked) = house.runs(&[]).await;
    let leads = |way: &WayOut| {
        let variables = way.more().variables;
        variables.into_iter().find(|(name, _)| name == "https_proxy").map(|(_, value)| value)
    };
    for way in [&one, &two] {
        assert_eq!(leads(way), Some(format!("http://127.0.0.1:{}", way.proxy.as_ref().unwrap().port())));
    }
    // Without a way out nothing is named that leads nowhere.
    let (wishes, _asked) = unbounded_channel();
    let none = house.network.open_on(None, (&[], false, &[]), Asker::Call(wishes)).await;
    assert_eq!((none.more().variables, none.more().hidden), (Vec::new(), house.kept_back()));
}

#[tokio::test]
async fn without_a_network_of_its_own_a_command_is_as_it_was() {
    let house = House::new(&[]);
    let (wishes, _asked) = unbounded_channel();
    let fence = SandboxLimits::for_facts(Path::new("/"));
    assert!(house.network.open(&fence, Asker::Call(wishes)).await.is_none());
}
