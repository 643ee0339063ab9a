//! Gets one page: redirects are followed by hand, each judged again, and only to where the leave to fetch reaches.

use crate::web::Web;
use crate::web::address::Address;
use crate::web::body;
use crate::web::hop::{Ask, Trust, header, status};
use crate::web::kind::ContentKind;
use crate::web::page::{self, Page, RawPage, no_text};
use agent_protocol::{Failure, FailureKind};
use reqwest::Response;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};

impl Web {
    /// The address that `text` means, if it may be fetched as far as that can be told before a name is looked up.
    ///
    /// # Errors
    /// A [`Failure`] for what is no address, and for one that not everybody can reach.
    pub fn address(&self, text: &str) -> Result<Address, Failure> {
        let address = Address::read(text)?;
        address.judge(self.reach)?;
        Ok(address)
    }

    /// The page at `url`, as text.
    ///
    /// # Errors
    /// A [`Failure`] that says what to do next.
    pub async fn fetch(&self, url: &str) -> Result<Page, Failure> {
        let address = self.address(url)?;
        let host = address.host().to_owned();
        tokio::time::timeout(self.limits.time, self.page(address)).await.unwrap_or_else(|_| Err(self.too_long(&host)))
    }

    pub(crate) fn too_long(&self, host: &str) -> Failure {
        let message = format!("{host} took longer than {} seconds; try again later", self.limits.time.as_secs());
        Failure::new(FailureKind::Timeout, message)
    }

    async fn page(&self, asked: Address) -> Result<Page, Failure> {
        let (address, response) = self.followed(asked).await?;
        if !response.status().is_success() {
            let message = format!("{} answers {}; check the address", address.text(), status(&response));
            return Err(Failure::new(FailureKind::Unreachable, message));
        }
        let kind = ContentKind::read(header(&response, CONTENT_TYPE));
        if !kind.is_text() {
            return Err(no_text(&address, &kind.name, header(&response, CONTENT_LENGTH).parse().ok()));
        }
        let body = body::take(&address, response, self.limits.body).await?;
        let source = RawPage { address, kind, body };
        let read = tokio::task::spawn_blocking(move || page::read(source)).await;
        read.unwrap_or_else(|_| Err(Failure::new(FailureKind::NotText, "the page could not be read")))
    }

    /// The first answer that is no redirect, and where it came from.
    async fn followed(&self, asked: Address) -> Result<(Address, Response), Failure> {
        let mut address = asked.clone();
        for _ in 0..=self.limits.redirects {
            let response = self.send(&address, Trust::None, Ask::Page).await?;
            let location = header(&response, LOCATION);
            if !response.status().is_redirection() || location.is_empty() {
                return Ok((address, response));
            }
            let next = address.join(location)?;
            next.judge(self.reach)?;
            if !asked.stands_for(&next) || !address.stands_for(&next) {
                let message = format!("{} redirects to {}; fetch that if it is meant", address.text(), next.text());
                return Err(Failure::new(FailureKind::NotReady, message));
            }
            address = next;
        }
        let message =
            format!("{} redirects more than {} times; fetch another page", asked.text(), self.limits.redirects);
        Err(Failure::new(FailureKind::Unreachable, message))
    }
}
