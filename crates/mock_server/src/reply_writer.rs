//! A reply on its way out: as a stream of pieces, or gathered into one object where the client did not want a stream.
//!
//! Headers go out with the first piece, never before: that is how a client can tell that the model has begun.

use crate::api_format::{ApiFormat, Closing};
use crate::events;
use crate::http::{AnswerHead, JSON, Outlet};
use crate::wire::{ErrorBody, MessageLine, WireCall, go_json};
use std::io::Result;

#[derive(Debug)]
pub(crate) struct ReplyWriter<'a> {
    pub(crate) outlet: &'a mut Outlet,
    api_format: ApiFormat<'a>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Stream { begun: bool },
    Whole { content: String, thinking: String, calls: Vec<WireCall> },
}

impl<'a> ReplyWriter<'a> {
    pub(crate) fn streamed(outlet: &'a mut Outlet, api_format: ApiFormat<'a>) -> Self {
        ReplyWriter { outlet, api_format, form: Form::Stream { begun: false } }
    }

    pub(crate) fn gathered(outlet: &'a mut Outlet, api_format: ApiFormat<'a>) -> Self {
        let form = Form::Whole { content: String::new(), thinking: String::new(), calls: Vec::new() };
        ReplyWriter { outlet, api_format, form }
    }

    pub(crate) async fn text(&mut self, piece: &str) -> Result<()> {
        match &mut self.form {
            Form::Whole { content, .. } => content.push_str(piece),
            Form::Stream { .. } => self.piece(MessageLine::text(piece)).await?,
        }
        Ok(())
    }

    pub(crate) async fn thinking(&mut self, piece: &str) -> Result<()> {
        match &mut self.form {
            Form::Whole { thinking, .. } => thinking.push_str(piece),
            Form::Stream { .. } => self.piece(MessageLine::thinking(piece)).await?,
        }
        Ok(())
    }

    pub(crate) async fn call(&mut self, call: WireCall) -> Result<()> {
        match &mut self.form {
            Form::Whole { calls, .. } => calls.push(call),
            Form::Stream { .. } => self.piece(MessageLine::calls(&[call])).await?,
        }
        Ok(())
    }

    /// Bytes that need not be a line.
    pub(crate) async fn raw(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.form {
            Form::Whole { content, .. } => content.push_str(&String::from_utf8_lossy(bytes)),
            Form::Stream { .. } => self.chunk(bytes).await?,
        }
        Ok(())
    }

    /// Sends what waits; before a pause.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        self.outlet.flush().await
    }

    /// The last piece, and the end.
    pub(crate) async fn close(mut self, closing: Closing<'_>) -> Result<()> {
        let (content, thinking, mut calls) = match std::mem::replace(&mut self.form, Form::Stream { begun: true }) {
            Form::Whole { content, thinking, calls } => (content, thinking, calls),
            stream @ Form::Stream { .. } => {
                self.form = stream;
                let last = self.api_format.last(&closing);
                self.chunk(last.as_bytes()).await?;
                return self.outlet.finish().await;
            }
        };
        calls.extend_from_slice(closing.calls);
        let message = MessageLine { content: &content, thinking: &thinking, ..MessageLine::calls(&calls) };
        let body = self.api_format.whole(&message, Some(&closing));
        self.outlet.whole(AnswerHead::new(200, JSON), body.as_bytes()).await
    }

    /// Ends without a word: a stream cleanly, an object with `done:false`.
    pub(crate) async fn fall_silent(mut self) -> Result<()> {
        match std::mem::replace(&mut self.form, Form::Stream { begun: true }) {
            Form::Whole { content, thinking, calls } => {
                let message = MessageLine { content: &content, thinking: &thinking, ..MessageLine::calls(&calls) };
                let body = self.api_format.whole(&message, None);
                self.outlet.whole(AnswerHead::new(200, JSON), body.as_bytes()).await
            }
            Form::Stream { begun } => {
                if !begun {
                    self.outlet.begin(AnswerHead::new(200, self.api_format.stream_type()));
                }
                self.outlet.finish().await
            }
        }
    }

    /// Fails: with a line where the stream has begun, with a status where it has not.
    pub(crate) async fn fail(self, message: &str) -> Result<()> {
        match self.form {
            Form::Whole { .. } => {
                self.outlet.whole(AnswerHead::new(500, JSON), self.api_format.error(message).as_bytes()).await
            }
            Form::Stream { begun: true } => {
                self.outlet.chunk(self.api_format.error_piece(message).as_bytes()).await?;
                self.outlet.finish().await
            }
            Form::Stream { begun: false } => match self.api_format {
                ApiFormat::Ollama { .. } => late_error(self.outlet, 500, message).await,
                ApiFormat::OpenAi(_) => events::refuse(self.outlet, 500, message).await,
            },
        }
    }

    async fn piece(&mut self, message: MessageLine<'_>) -> Result<()> {
        let piece = self.api_format.piece(&message);
        self.chunk(piece.as_bytes()).await
    }

    async fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        if let Form::Stream { begun: begun @ false } = &mut self.form {
            *begun = true;
            self.outlet.begin(AnswerHead::new(200, self.api_format.stream_type()));
        }
        self.outlet.chunk(bytes).await
    }
}

/// The error of a model that was asked and could not begin: real status, another content type, and chunked.
pub(crate) async fn late_error(outlet: &mut Outlet, status: u16, message: &str) -> Result<()> {
    outlet.begin(AnswerHead::new(status, "application/json"));
    outlet.chunk(go_json(&ErrorBody { error: message }).as_bytes()).await?;
    outlet.finish().await
}
