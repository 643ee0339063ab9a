//! What a prompt says: the user's words, and beside them the text of what they attached, which they did not write.

use crate::doorway::Doorway;
use crate::ending::unfit;
use crate::wire::Fault;
use agent_protocol::{Image, Op, OwnCommand, Piped};
use serde_json::Value;
use std::path::{Path, PathBuf};
use url::Url;

/// Where attached text comes from, for the model.
const FROM: &str = "an attachment in the editor";

/// Pictures that one prompt may have: a local model reads each as a few hundred tokens and more.
const MOST_PICTURES: usize = 8;

/// A prompt as it was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The user's words, with the names of what is attached where they put it.
    pub(crate) text: String,
    /// What came along with its text: names and texts.
    pub(crate) attached: Vec<(String, String)>,
    /// Files that were only named: names and places.
    pub(crate) linked: Vec<(String, PathBuf)>,
    /// Pictures, as they came: their bytes in Base64.
    pub(crate) pictures: Vec<String>,
    /// The same as a model is shown them.
    pub(crate) images: Vec<Image>,
}

impl Draft {
    /// Reads the blocks of a prompt.
    ///
    /// # Errors
    /// One of them is of a kind that cannot be told to a model here.
    pub(crate) fn from_blocks(blocks: &[Value], project: &Path) -> Result<Self, Fault> {
        let mut draft = Draft::default();
        for block in blocks {
            match block["type"].as_str().unwrap_or_default() {
                "text" => draft.text.push_str(block["text"].as_str().unwrap_or_default()),
                "resource_link" => draft.link(block["uri"].as_str().unwrap_or_default(), project),
                "resource" => draft.attach(&block["resource"], project)?,
                "image" => draft.pictures.push(block["data"].as_str().unwrap_or_default().to_owned()),
                _ => {
                    return Err(unfit(
                        "only text, pictures, files and links are taken in a prompt; leave the rest out",
                    ));
                }
            }
        }
        if draft.text.trim().is_empty() {
            return Err(unfit("the prompt is empty; say what is to be done"));
        }
        Ok(draft)
    }

    fn link(&mut self, uri: &str, project: &Path) {
        let Some(path) = place(uri) else { return self.mention(uri) };
        let name = mention(uri, &path, project);
        self.mention(&name);
        self.linked.push((name, path));
    }

    fn attach(&mut self, resource: &Value, project: &Path) -> Result<(), Fault> {
        let uri = resource["uri"].as_str().unwrap_or_default();
        let Some(text) = resource["text"].as_str() else {
            return Err(unfit("what is attached is no text; attach text, or name the file in the prompt"));
        };
        let name = place(uri).map_or_else(|| uri.to_owned(), |path| mention(uri, &path, project));
        self.mention(&name);
        self.attached.push((name, text.to_owned()));
        Ok(())
    }

    /// Looks at the pictures, as many as one prompt may have. Blocking.
    ///
    /// # Errors
    /// One of them cannot be shown to a model.
    pub(crate) fn look(&mut self, doorway: &dyn Doorway) -> Result<(), Fault> {
        if self.pictures.len() > MOST_PICTURES {
            return Err(unfit(&format!("at most {MOST_PICTURES} pictures are taken in a prompt; leave some out")));
        }
        for picture in std::mem::take(&mut self.pictures) {
            self.images.push(doorway.picture(&picture).map_err(|why| unfit(&why))?);
        }
        Ok(())
    }

    /// Puts the name of something into the words, apart from what stands around it.
    fn mention(&mut self, name: &str) {
        if self.text.ends_with(|letter: char| !letter.is_whitespace()) {
            self.text.push(' ');
        }
        self.text.push_str(&format!("`{name}` "));
    }

    /// What is said to the loop; where it calls one of `commands`, what that says.
    pub(crate) fn op(self, commands: &[OwnCommand]) -> Op {
        let text = self.text.trim().to_owned();
        let input = (!self.attached.is_empty()).then(|| self.piped());
        Op::Turn(OwnCommand::or_words(commands, text, input, self.images))
    }

    /// What came along with its text.
    fn piped(&self) -> Piped {
        let all = self.attached.iter().map(|(name, text)| {
            let line_end = if text.ends_with('\n') { "" } else { "\n" };
            format!("== {name}\n{text}{line_end}")
        });
        Piped { text: all.collect(), cut: false, from: Some(FROM.to_owned()) }
    }
}

/// The file that an address names.
fn place(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?;
    url.to_file_path().ok()
}

/// As a person would name it: relative to the project where it lies inside, with the lines that are meant.
fn mention(uri: &str, path: &Path, project: &Path) -> String {
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
    use agent_protocol::TurnOp;
    use serde_json::json;

    fn read(blocks: Value) -> Result<Draft, Fault> {
        Draft::from_blocks(blocks.as_array().unwrap(), Path::new("/p"))
    }

    #[test]
    fn words_and_what_is_attached_stay_apart() {
        let resource = json!({"type": "resource", "resource": {"uri": "file:///p/src/a.rs#L3:5", "text": "fn a() {}"}});
        let draft = read(json!([{"type": "text", "text": "what does"}, resource, {"type": "text", "text": "do?"}]));
        let draft = draft.unwrap();
        assert_eq!(draft.text, "what does `src/a.rs L3:5` do?");
        let Op::Turn(TurnOp::SayWith { text, input }) = draft.op(&[]) else { panic!("something is attached") };
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
        let sound = json!([{"type": "audio", "data": "", "mimeType": "audio/wav"}]);
        let blob = json!([{"type": "resource", "resource": {"uri": "file:///p/a.bin", "blob": "AA=="}}]);
        for (blocks, told) in [(sound, "leave the rest out"), (blob, "is no text"), (json!([]), "empty")] {
            let error = read(blocks).unwrap_err();
            assert!(error.message.contains(told), "{error:?}");
        }
    }

    /// Shows what begins with "ok".
    struct Door;

    impl Doorway for Door {
        fn open(&self, _opening: crate::doorway::Opening) -> Result<crate::doorway::EditorSession, String> {
            Err("no session here".into())
        }

        fn picture(&self, base64: &str) -> Result<Image, String> {
            let image = Image { mime: "image/png".into(), width: 1, height: 1, base64: base64.into() };
            if base64.starts_with("ok") { Ok(image) } else { Err("the picture is no Base64".into()) }
        }

        fn sessions(&self, _folder: Option<PathBuf>) -> Vec<agent_protocol::SessionCard> {
            Vec::new()
        }
    }

    #[test]
    fn pictures_go_along_with_the_words() {
        let picture = |data: &str| json!({"type": "image", "data": data, "mimeType": "image/png"});
        let words = json!({"type": "text", "text": "what is this?"});
        let mut draft = read(json!([words, picture("okA"), picture("okB")])).unwrap();
        draft.look(&Door).unwrap();
        let Op::Turn(TurnOp::SayShowing { text, input: None, images }) = draft.op(&[]) else {
            panic!("it shows pictures")
        };
        let shown: Vec<&str> = images.iter().map(|image| image.base64.as_str()).collect();
        assert_eq!((text.as_str(), shown), ("what is this?", vec!["okA", "okB"]));
        let mut damaged = read(json!([words, picture("?")])).unwrap();
        assert_eq!(damaged.look(&Door).unwrap_err().message, "the picture is no Base64");
        let many: Vec<Value> = std::iter::once(words).chain((0..9).map(|_| picture("ok"))).collect();
        assert!(read(many.into()).unwrap().look(&Door).unwrap_err().message.contains("at most 8"));
    }
}
