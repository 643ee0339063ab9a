//! The way out: what is refused before anybody is asked, and the connection to an address that was judged.

use crate::proxy::place;
use crate::proxy::upstream::Upstream;
use crate::proxy::wire::Wire;
use crate::proxy::{Names, Reach, System, is_near};
use agent_protocol::Host;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long a name may take to be looked up, and one address to answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long that may take where somebody else looks it up as well.
const A_MOMENT: Duration = Duration::from_secs(1);
/// Ports that so many servers share that one of them says nothing about which server is meant.
const COMMON: [u16; 2] = [80, 443];

/// What holds for every connection, whatever was granted.
#[derive(Clone)]
pub struct Rules {
    /// Everything goes through this proxy, which looks names up itself.
    pub upstream: Option<Upstream>,
    /// Servers that are never reached, by their names or addresses: those of the models.
    pub refused: Vec<Host>,
    /// How far it goes; only tests widen it.
    pub reach: Reach,
    pub names: Arc<dyn Names>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { upstream: None, refused: Vec::new(), reach: Reach::Global, names: Arc::new(System) }
    }
}

impl Debug for Rules {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Rules { upstream, refused, reach, names: _ } = self;
        let mut shown = f.debug_struct("Rules");
        shown.field("upstream", upstream).field("refused", refused).field("reach", reach).finish_non_exhaustive()
    }
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Not everybody can reach it; in words.
    Near(String),
    /// A model server is there.
    ModelServer,
    /// It is the upstream proxy, which could lead anywhere from there.
    Entrance,
    /// It was not allowed.
    NotAllowed,
    /// The name stands for nothing.
    NotFound,
    /// Nothing answers there; in the system's words.
    Unreached(String),
    /// The upstream proxy did not let it through; in words.
    Upstream(String),
}

impl Refusal {
    /// For a model: what did not happen, why, and what to do.
    pub fn words(&self, host: &Host) -> String {
        match self {
            Refusal::Near(what) => format!(
                "the sandbox let no connection to {host} happen: {what}, and only public addresses are reached; what \
                 listens in the sandbox itself is reached directly at 127.0.0.1, without a proxy"
            ),
            Refusal::ModelServer => {
                format!(
                    "the sandbox let no connection to {host} happen: a model server is there, and no command reaches it"
                )
            }
            Refusal::Entrance => format!(
                "the sandbox let no connection to {host} happen: it is the proxy that all connections go through, and no \
                 command reaches that itself"
            ),
            Refusal::NotAllowed => format!(
                "the sandbox let no connection to {host} happen: it was not allowed; trying again does not help, go on \
                 without it or ask the user"
            ),
            Refusal::NotFound => format!("{host} was allowed, but its name was not found"),
            Refusal::Unreached(why) => format!("{host} was allowed, but cannot be reached: {why}"),
            Refusal::Upstream(why) => format!("{host} was allowed, but the upstream proxy does not reach it: {why}"),
        }
    }

    /// Was it held back, rather than tried in vain?
    pub fn is_held_back(&self) -> bool {
        match self {
            Refusal::Near(_) | Refusal::ModelServer | Refusal::Entrance | Refusal::NotAllowed => true,
            Refusal::NotFound | Refusal::Unreached(_) | Refusal::Upstream(_) => false,
        }
    }
}

impl Rules {
    /// Is it refused before anybody is asked?
    pub(crate) fn before(&self, host: &Host) -> Result<(), Refusal> {
        if self.refused.contains(host) {
            return Err(Refusal::ModelServer);
        }
        if self.upstream.as_ref().is_some_and(|upstream| upstream.host == *host) {
            return Err(Refusal::Entrance);
        }
        match place::ip(host) {
            Some(ip) => self.reach.judge(SocketAddr::new(ip, host.port)).map_err(Refusal::Near),
            None if is_near(&host.name) => {
                Err(Refusal::Near(format!("{} is a name of this machine or network", host.name)))
            }
            None => Ok(()),
        }
    }

    /// Connects to it. It was allowed, and passed [`Rules::before`].
    pub(crate) async fn connect(&self, host: &Host) -> Result<Wire, Refusal> {
        let Some(upstream) = &self.upstream else {
            let places = self.places(host).await?;
            return to_any(&places).await.map(Wire::new).map_err(|error| Refusal::Unreached(error.to_string()));
        };
        let entrance = self.look_up(&upstream.host).await;
        self.not_in_disguise(host, &entrance).await?;
        let server = to_any(&entrance).await.map_err(|error| {
            Refusal::Upstream(format!("the proxy {} itself cannot be reached: {error}", upstream.host))
        })?;
        match timeout(2 * PATIENCE, upstream.through(Wire::new(server), host)).await {
            Ok(through) => through.map_err(Refusal::Upstream),
            Err(_elapsed) => Err(Refusal::Upstream("it did not answer in time".into())),
        }
    }

    /// Where to connect to. One bad answer spoils all: who mixes them means no good.
    async fn places(&self, host: &Host) -> Result<Vec<SocketAddr>, Refusal> {
        let places = self.look_up(host).await;
        if places.is_empty() {
            return Err(Refusal::NotFound);
        }
        let refused = self.refused_places().await;
        if places.iter().any(|place| refused.contains(&plain(*place))) {
            return Err(Refusal::ModelServer);
        }
        for place in &places {
            self.reach.judge(*place).map_err(|what| Refusal::Near(format!("it leads to an address nearby, {what}")))?;
        }
        Ok(places)
    }

    /// Behind an upstream proxy nobody tells where a name leads. At the port of a model server it must be known to lead
    /// elsewhere, unless the port is everybody's and the name is known only to the proxy.
    async fn not_in_disguise(&self, host: &Host, entrance: &[SocketAddr]) -> Result<(), Refusal> {
        // Where we are told that it leads inside, it does so for the proxy too. Who cannot tell soon is not waited for.
        let known = timeout(A_MOMENT, self.look_up(host)).await.unwrap_or_default();
        if let Some(place) = known.iter().find(|place| is_inside(place.ip()) && self.reach.judge(**place).is_err()) {
            return Err(Refusal::Near(format!("it leads to an address nearby, {}", place.ip())));
        }
        // Who gets there could have the proxy lead it inside.
        if known.iter().any(|place| entrance.iter().any(|entrance| plain(*entrance) == plain(*place))) {
            return Err(Refusal::Entrance);
        }
        if !self.refused.iter().any(|refused| refused.port == host.port) {
            return Ok(());
        }
        let (places, refused) = (self.look_up(host).await, self.refused_places().await);
        let near = places.iter().any(|place| refused.contains(&plain(*place)) || self.reach.judge(*place).is_err());
        let unknown = places.is_empty() && !COMMON.contains(&host.port);
        if near || unknown { Err(Refusal::ModelServer) } else { Ok(()) }
    }

    /// All that the refused servers' names stand for by now.
    async fn refused_places(&self) -> Vec<SocketAddr> {
        let mut places = Vec::new();
        for host in &self.refused {
            places.extend(self.look_up(host).await.into_iter().map(plain));
        }
        places
    }

    async fn look_up(&self, host: &Host) -> Vec<SocketAddr> {
        let ips = match place::ip(host) {
            Some(ip) => vec![ip],
            // A name that is not found in time is not found.
            None => {
                timeout(PATIENCE, self.names.look_up(&host.name)).await.ok().and_then(Result::ok).unwrap_or_default()
            }
        };
        ips.into_iter().map(|ip| SocketAddr::new(ip, host.port)).collect()
    }
}

/// An address that is written in the form of the other family is what it stands for.
fn plain(place: SocketAddr) -> SocketAddr {
    let ip = match place.ip() {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(IpAddr::V6(six), IpAddr::V4),
        four @ IpAddr::V4(_) => four,
    };
    SocketAddr::new(ip, place.port())
}

/// The first that answers.
async fn to_any(places: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "its name was not found");
    for place in places {
        match timeout(PATIENCE, TcpStream::connect(place)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error,
            Err(_elapsed) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

/// Of this machine, or of a network within a house.
fn is_inside(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unspecified() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}
