//! What a tool of a server answered.

use crate::mcp::words;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// Characters of a name or an address that is told.
const NAME: usize = 300;
const PICTURES: usize = 4;
/// Bytes of a picture as it comes.
const PICTURE: usize = 6 << 20;

/// What a tool of a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    /// The bytes of the pictures in it.
    pub pictures: Vec<Vec<u8>>,
    /// The tool says that it failed.
    pub failed: bool,
}

impl Answer {
    pub(crate) fn read(result: CallToolResult) -> Self {
        let mut answer = Answer { text: String::new(), pictures: Vec::new(), failed: result.is_error == Some(true) };
        result.content.iter().for_each(|block| answer.take(block));
        if answer.text.is_empty() && answer.pictures.is_empty() {
            // What has a structure and is told in no words is told as it is.
            let structure = result.structured_content.map(|structure| structure.to_string());
            answer.text = words::lines(&structure.unwrap_or_default());
        }
        answer
    }

    fn take(&mut self, block: &ContentBlock) {
        match block {
            ContentBlock::Text(text) => self.add(&words::lines(&text.text)),
            ContentBlock::Image(image) => self.picture(&image.data),
            ContentBlock::Resource(resource) => match &resource.resource {
                ResourceContents::TextResourceContents { uri, text, .. } => {
                    self.add(&format!("[{}]\n{}", words::line(uri, NAME), words::lines(text)));
                }
                other => self.add(&format!("[{} is no text and is not shown]", words::line(&address(other), NAME))),
            },
            ContentBlock::ResourceLink(link) => {
                let (name, uri) = (words::line(&link.name, NAME), words::line(&link.uri, NAME));
                self.add(&format!("[{name}: {uri}]"));
            }
            // Sound, and what later versions of the protocol may bring.
            other => self.add(match other {
                ContentBlock::Audio(_) => "[a sound, which is not played here]",
                _ => "[something that is not known here]",
            }),
        }
    }

    fn add(&mut self, text: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    fn picture(&mut self, data: &str) {
        let small = self.pictures.len() < PICTURES && data.len() / 4 * 3 <= PICTURE;
        match STANDARD.decode(data).ok().filter(|_| small) {
            Some(bytes) => self.pictures.push(bytes),
            None => self.add("[a picture that is too large, damaged or one too many is not shown]"),
        }
    }
}

fn address(resource: &ResourceContents) -> String {
    match resource {
        ResourceContents::TextResourceContents { uri, .. } | ResourceContents::BlobResourceContents { uri, .. } => {
            uri.clone()
        }
        _ => "a resource".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(result: Value) -> Answer {
        Answer::read(serde_json::from_value(result).unwrap())
    }

    #[test]
    fn every_part_of_an_answer_is_told_plainly() {
        let answer = read(json!({ "isError": true, "content": [
            { "type": "text", "text": "one\u{1b}[31m" },
            { "type": "image", "data": "AAEC", "mimeType": "image/png" },
            { "type": "image", "data": "???", "mimeType": "image/png" },
            { "type": "audio", "data": "AAEC", "mimeType": "audio/wav" },
            { "type": "resource", "resource": { "uri": "file:///a", "text": "two" } },
            { "type": "resource", "resource": { "uri": "file:///b", "blob": "AAEC" } },
            { "type": "resource_link", "uri": "file:///c", "name": "c" },
        ] }));
        let text = "one[31m\n[a picture that is too large, damaged or one too many is not shown]\n\
            [a sound, which is not played here]\n[file:///a]\ntwo\n[file:///b is no text and is not shown]\n\
            [c: file:///c]";
        assert_eq!(answer, Answer { text: text.into(), pictures: vec![vec![0, 1, 2]], failed: true });
    }

    #[test]
    fn what_is_told_in_no_words_is_told_as_its_structure() {
        assert_eq!(read(json!({ "content": [], "structuredContent": { "a": 1 } })).text, "{\"a\":1}");
        let told = json!({ "content": [{ "type": "text", "text": "x" }], "structuredContent": { "a": 1 } });
        assert_eq!(read(told).text, "x");
    }
}
