//! Pictures that belong to a message. One from outside the project is looked at by a call like one that a model makes: judged,
//! asked about, written down. A model that does not understand pictures is shown none, and the user is told so.

use crate::parts::Parts;
use crate::turn::program_calls::message_call;
use agent_protocol::{Image, Mention, NoticeLevel, Outcome, ToolCall, mentions};
use serde_json::json;
use std::path::Path;

/// The tool that shows pictures.
const SHOWS: &str = "read_file";

/// How the names of pictures end.
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];

/// Said where they are not shown.
const NOT_SHOWN: &str = "this model does not understand pictures, so it is not shown the attached ones";

/// The calls for pictures from outside the project that these words name. Where the model would not see them, nobody is asked
/// about them either.
pub(crate) fn calls(words: &str, parts: &mut Parts) -> Vec<ToolCall> {
    let outside: Vec<String> =
        outside(words, &parts.settings.project).into_iter().map(|mention| mention.path).collect();
    if outside.is_empty() || parts.conversation.is_delegating() {
        return Vec::new();
    }
    if !parts.server.sees() {
        parts.out.notice(NoticeLevel::Warning, NOT_SHOWN);
        return Vec::new();
    }
    outside.into_iter().map(|path| message_call(SHOWS, json!({ "file_path": path }), parts)).collect()
}

/// The words without the names of pictures from outside the project.
pub(crate) fn without(words: &str, project: &Path) -> String {
    let (mut others, mut from) = (String::new(), 0);
    for mention in outside(words, project) {
        others.push_str(&words[from..mention.place.start]);
        from = mention.place.end;
    }
    others + &words[from..]
}

/// Pictures from outside the project: a file there is named from the root.
fn outside(words: &str, project: &Path) -> Vec<Mention> {
    let is_picture = |path: &Path| {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        PICTURES.iter().any(|known| end.eq_ignore_ascii_case(known))
    };
    let lies_outside = |mention: &Mention| {
        let path = Path::new(&mention.path);
        path.is_absolute() && !path.starts_with(project) && is_picture(path)
    };
    mentions(words).into_iter().filter(lies_outside).collect()
}

/// A call for one has ended: the picture is shown with the words, and what there is to say of it stands before them.
pub(crate) fn tell_model(outcome: &mut Outcome, parts: &mut Parts) {
    let images = std::mem::take(&mut outcome.images);
    parts.conversation.now.history.put_before_words(outcome.told.trim_end());
    show(images, parts);
}

/// Shows pictures with the user's last words, where the model understands them; the user is told where it does not.
pub(crate) fn show(images: Vec<Image>, parts: &mut Parts) {
    if images.is_empty() {
        return;
    }
    if parts.server.sees() {
        return parts.conversation.now.history.show_images(images);
    }
    parts.out.notice(NoticeLevel::Warning, NOT_SHOWN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_from_elsewhere_are_asked_about_by_themselves() {
        let project = Path::new("/p");
        let words = "compare @/tmp/a.PNG with @\"/home/u/My Shots/b.webp\", @/p/c.png, @d.gif and @/etc/passwd";
        let found: Vec<String> = outside(words, project).into_iter().map(|mention| mention.path).collect();
        assert_eq!(found, ["/tmp/a.PNG", "/home/u/My Shots/b.webp"]);
        assert_eq!(without("see @/tmp/a.png, and @b.png", project), "see , and @b.png");
    }
}
