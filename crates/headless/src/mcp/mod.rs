//! Offers our tools to another program over MCP: it writes lines of JSON to our standard input and reads them from our
//! standard output, which carries nothing else.
//!
//! It is a face like the others: each call is an `Op`, what comes of it is heard in `Event`s, and where a person would be
//! asked, the other program is asked to ask them. Where it cannot, the answer is No, with the flag that would have
//! allowed it. Decides nothing.

mod asking;
mod desk;
mod handler;
mod pipes;
mod progress;
mod result;

use crate::signals::Signals;
use crate::streams::progress_line;
use crate::{End, Streams};
use agent_protocol::{Event, Op};
pub(crate) use asking::question_words;
use desk::Desk;
use handler::Handler;
pub use pipes::Pipes;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::io;
use std::pin::pin;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, channel};

/// Calls that may wait for their turn; more are turned away.
const WAITING: usize = 64;

/// Serves the tools of this session until the other program closes its end, or a signal comes. `version` is ours.
///
/// # Errors
/// When signals cannot be heard, or no thread can be begun.
pub async fn serve(
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    version: &str,
    pipes: Pipes,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let mut desk = Desk::new(ops, events);
    let opened = tokio::select! {
        opened = desk.opened() => opened,
        end = signals.next() => return Ok(end),
    };
    let Some(opened) = opened else { return Ok(End::Failed) };
    let (calls, queue) = channel(WAITING);
    let handler = Handler::new(&opened, version, calls);
    let (transport, written) = pipes.open()?;
    let end = {
        let mut served = pin!(until_closed(handler, transport));
        tokio::select! {
            ended = &mut served => match ended {
                Ok(()) => End::Answered,
                Err(words) => {
                    progress_line(streams, &words)?;
                    End::Failed
                }
            },
            end = desk.work(queue, streams) => end,
            end = signals.next() => end,
        }
    };
    written.wait().await;
    Ok(end)
}

/// Talks to the other program until it closes its end.
async fn until_closed(handler: Handler, transport: pipes::Transport) -> Result<(), String> {
    let running = match handler.serve(transport).await {
        Ok(running) => running,
        // It went away before it said anything, which is no fault.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(format!("the other program does not begin as MCP wants it: {error}")),
    };
    running.waiting().await.map(drop).map_err(|error| format!("serving ended unexpectedly: {error}"))
}
