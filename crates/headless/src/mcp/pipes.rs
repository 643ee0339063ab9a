//! Standard input and output, each on a thread of its own: a read of standard input that nobody answers must not hold up
//! the end of the program, and a reader that is gone must not hold up anything.

use rmcp::RoleServer;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::io::{self, Read, Write};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Bytes that may be on their way in one direction.
const ON_THE_WAY: usize = 64 << 10;

/// Bytes of the longest message that is read; a longer one is passed over.
const LONGEST_LINE: usize = 8 << 20;

/// So long the last words may take to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How messages go in and out.
pub(super) type Transport = AsyncRwTransport<RoleServer, DuplexStream, DuplexStream>;

/// Where the other program is.
pub struct Pipes {
    pub input: Box<dyn Read + Send>,
    pub output: Box<dyn Write + Send>,
}

/// The end of what is written.
pub(super) struct Written(oneshot::Receiver<()>);

impl Written {
    /// Waits until all is written, but not for ever.
    pub(super) async fn wait(self) {
        // A thread that broke has nothing more to say either.
        drop(timeout(PATIENCE, self.0).await);
    }
}

impl Pipes {
    /// Begins to read and write.
    pub(super) fn open(self) -> io::Result<(Transport, Written)> {
        let runtime = Handle::current();
        let (read, mut to_read) = duplex(ON_THE_WAY);
        let (write, mut to_write) = duplex(ON_THE_WAY);
        let (mut input, mut output) = (self.input, self.output);
        let (done, written) = oneshot::channel();
        let reading = runtime.clone();
        thread::Builder::new().name("mcp-input".into()).spawn(move || {
            let mut bytes = vec![0; 8 << 10];
            while let Ok(count @ 1..) = input.read(&mut bytes) {
                if reading.block_on(to_read.write_all(&bytes[..count])).is_err() {
                    return;
                }
            }
        })?;
        thread::Builder::new().name("mcp-output".into()).spawn(move || {
            let mut bytes = vec![0; 8 << 10];
            while let Ok(count @ 1..) = runtime.block_on(to_write.read(&mut bytes)) {
                if output.write_all(&bytes[..count]).and_then(|()| output.flush()).is_err() {
                    break;
                }
            }
            // Whoever waited for it may be gone.
            let _told = done.send(());
        })?;
        Ok((AsyncRwTransport::new_server(read, write).with_max_line_length(LONGEST_LINE), Written(written)))
    }
}
