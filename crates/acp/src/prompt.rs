//! What a prompt says: the user's words, and beside them the text of what they attached, which they did not write.

use crate::ending::unfit;
use crate::wire::Fault;
use agent_protocol::{Op, Piped, TurnOp};
use serde_json::Value;
use std::path::{Path, PathBuf};
use url::Url;

/// Where attached text comes from, for the model.
const FROM: &str = "an attachment in the editor";

/// A prompt as it was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The user's words, with the names of what is attached where they put it.
    pub(crate) text: String,
    /// What came along with its text: names and texts.
    pub(crate) attached: Vec<(String, String)>,
    /// Files that were only named: names and places.
    pub(crate) linked: Vec<(String, PathBuf)>,
}

impl Draft {
    /// Reads the blocks of a prompt.
    ///
    /// # Errors
    /// One of them is of a kind that cannot be told to a model here.
    pub(crate) fn read(blocks: &[Value], project: &Path) -> Result<Self, Fault> {
        let mut draft = Draft::default();
        for block in blocks {
            match block["type"].as_str().unwrap_or_default() {
                "text" => draft.text.push_str(block["text"].as_str().unwrap_or_default()),
                "resource_link" => draft.link(block["uri"].as_str().unwrap_or_default(), project),
                "resource" => draft.attach(&block["resource"], project)?,
                "image" => {
                    return Err(unfit(
                        "pictures in a prompt are not taken; put the picture into the project and name it",
                    ));
                }
                _ => return Err(unfit("only text, files and links are taken in a prompt; leave the rest out")),
            }
        }
        if draft.text.trim().is_empty() {
            return Err(unfit("the prompt is empty; say what is to be done"));
        }
        Ok(draft)
    }

    fn link(&mut self, uri: &str, project: &Path) {
        let Some(path) = place(uri) else { return self.mention(uri) };
        let name = named(uri, &path, project);
        self.mention(&name);
        self.linked.push((name, path));
    }

    fn attach(&mut self, resource: &Value, project: &Path) -> Result<(), Fault> {
        let uri = resource["uri"].as_str().unwrap_or_default();
        let Some(text) = resource["text"].as_str() else {
            return Err(unfit("what is attached is no text; attach text, or name the file in the prompt"));
        };
        let name = place(uri).map_or_else(|| uri.to_owned(), |path| named(uri, &path, project));
        self.mention(&name);
        self.attached.push((name, text.to_owned()));
        Ok(())
    }

    /// Puts the name of something into the words, apart from what stands around it.
    fn mention(&mut self, name: &str) {
        if self.text.ends_with(|letter: char| !letter.is_whitespace()) {
            self.text.push(' ');
        }
        self.text.push_str(&format!("`{name}` "));
    }

    /// What is said to the loop.
    pub(crate) fn op(self) -> Op {
        let text = self.text.trim().to_owned();
        if self.attached.is_empty() {
            return Op::Turn(TurnOp::Say { text });
        }
        let all = self.attached.iter().map(|(name, text)| {
            let line_end = if text.ends_with('\n') { "" } else { "\n" };
            format!("== {name}\n{text}{line_end}")
        });
        let input = Piped { text: all.collect(), cut: false, from: Some(FROM.to_owned()) };
        Op::Turn(TurnOp::SayWith { text, input })
    }
}

/// The file that an address names.
fn place(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()
}

/// As a person would name it: relative to the project where it lies inside, with the lines that are meant.
fn named(uri: &str, path: &Path, project: &Path) -> String {
    let shown = path.strip_prefix(project).unwrap_or(path).display().to_string();
    let shown = if shown.is_empty() { ".".to_owned() } else { shown };
    match uri.split_once('#') {
        Some((_, lines)) if !lines.is_empty() => format!("{shown} {lines}"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(blocks: Value) -> Result<Draft, Fault> {
        Draft::read(blocks.as_array().unwrap(), Path::new("/p"))
    }

    #[test]
    fn words_and_what_is_attached_stay_apart() {
        let resource = json!({"type": "resource", "resource": {"uri": "file:///p/src/a.rs#L3:5", "text": "fn a() {}"}});
        let draft = read(json!([{"type": "text", "text": "what does"}, resource, {"type": "text", "text": "do?"}]));
        let draft = draft.unwrap();
        assert_eq!(draft.text, "what does `src/a.rs L3:5` do?");
        let Op::Turn(TurnOp::SayWith { text, input }) = draft.op() else { panic!("something is attached") };
        assert_eq!(text, "what does `src/a.rs L3:5` do?");
        assert_eq!(input.text, "== src/a.rs L3:5\nfn a() {}\n");
    }

    #[test]
    fn a_link_names_a_file_or_is_told_as_it_stands() {
        let link = |uri: &str| json!({"type": "resource_link", "uri": uri, "name": "it"});
        let draft =
            read(json!([link("file:///p/a%20b.rs"), link("https://a.example/b"), link("file:///q/c")])).unwrap();
        assert_eq!(draft.text, "`a b.rs` `https://a.example/b` `/q/c` ");
        assert_eq!(draft.linked, [("a b.rs".into(), "/p/a b.rs".into()), ("/q/c".into(), "/q/c".into())]);
    }

    #[test]
    fn what_no_model_can_be_told_is_refused_with_a_way_out() {
        let image = json!([{"type": "image", "data": "", "mimeType": "image/png"}]);
        let blob = json!([{"type": "resource", "resource": {"uri": "file:///p/a.bin", "blob": "AA=="}}]);
        for (blocks, told) in [(image, "name it"), (blob, "is no text"), (json!([]), "empty")] {
            let error = read(blocks).unwrap_err();
            assert!(error.message.contains(told), "{error:?}");
        }
    }
}
