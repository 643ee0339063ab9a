//! Pictures that belong to a message. One from outside the project is looked at by a call like one that a model makes: judged,
//! asked about, written down. A model that does not understand pictures is shown none, and the user and the model are told so.
//! A picture that the server refuses leaves the conversation, or it would be refused again with everything that follows.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::server::Server;
use crate::turn::program_calls::CallOrigin;
use agent_protocol::{Image, Mention, NoticeLevel, Outcome, ServerError, ToolCall, is_about_pictures, mentions};
use serde_json::json;
use std::path::Path;

/// How the names of pictures end.
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];

/// Said where they are not shown.
const NOT_SHOWN: &str = "this model does not understand pictures, so it is not shown the attached ones";

/// The same for the model, which would make up what it does not see.
const NOT_SHOWN_TO_YOU: &str = "(attached pictures are not shown to you: say so instead of guessing what is on them)";

/// What the model reads in the place of a picture that the server refused.
const TAKEN_OUT: &str = "(a picture stood here; the server could not show it to you)";

/// Said where a request is refused without its picture, too.
const PUT_BACK: &str = "the request is refused without the picture as well, so the picture is put back";

/// Statuses with which a request is refused for what is in it. One that brings a new picture and says nothing of pictures is
/// made again without it, and gets it back where that is refused likewise.
const UNFIT: [u16; 4] = [400, 415, 422, 500];

/// Letters of the server's words that are repeated to the user.
const WORDS_SHOWN: usize = 160;

/// The server refused a request for the pictures in it: they leave the conversation. False where it refused something else.
pub(crate) fn taken_out(
    trouble: &ServerError,
    conversation: &mut Conversation,
    server: &mut Server,
    out: &mut Out,
) -> bool {
    let (message, unfit) = match trouble {
        ServerError::Refused { status, message } => (message, UNFIT.contains(status)),
        ServerError::MidReply { message } => (message, false),
        _ => return false,
    };
    let about_pictures = is_about_pictures(message, &server.model_name());
    let history = &mut conversation.now.history;
    if unfit
        && !about_pictures
        && let Some(from) = history.put_back_images()
    {
        conversation.rewritten(from, server);
        out.notice(NoticeLevel::Info, PUT_BACK);
        return false;
    }
    let from = if unfit || about_pictures { history.take_out_new_images(TAKEN_OUT) } else { None };
    let from = from.or_else(|| about_pictures.then(|| history.take_out_images(TAKEN_OUT)).flatten());
    let Some(from) = from else { return false };
    conversation.rewritten(from, server);
    if about_pictures {
        conversation.now.history.leave_images_out();
    }
    if about_pictures && message.to_lowercase().contains("not support") {
        server.set_blind();
    }
    let shown: String = message.chars().take(WORDS_SHOWN).collect();
    let text = format!("the server refused the request with a picture ({shown}); it is made again without the picture");
    out.notice(NoticeLevel::Warning, text);
    true
}

/// Pictures that these words attach to a message for a model that works by files are not read: the user and the model are told
/// so.
pub(crate) fn say_not_read(words: &str, conversation: &mut Conversation, out: &mut Out) {
    let attached: Vec<String> = mentions(words)
        .into_iter()
        .map(|mention| mention.path)
        .filter(|path| is_picture(Path::new(path)) && is_inside(path, &conversation.project))
        .collect();
    if attached.is_empty() {
        return;
    }
    let text = format!("not attached: {} (a model that works by files is shown no pictures)", attached.join(", "));
    out.notice(NoticeLevel::Warning, text);
    conversation.remind(NOT_SHOWN_TO_YOU);
}

/// The calls for pictures from outside the project that these words name. Where the model would not see them, nobody is asked
/// about them either.
pub(crate) fn calls(words: &str, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Vec<ToolCall> {
    let outside: Vec<String> = outside(words, &conversation.project).into_iter().map(|mention| mention.path).collect();
    if outside.is_empty() || conversation.is_delegating() {
        return Vec::new();
    }
    if !server.sees() {
        say_not_shown(conversation, out);
        return Vec::new();
    }
    let call = |path| CallOrigin::MessagePicture.proposed_call(json!({ "file_path": path }), out);
    outside.into_iter().map(call).collect()
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
    let lies_outside = |mention: &Mention| !is_inside(&mention.path, project) && is_picture(Path::new(&mention.path));
    mentions(words).into_iter().filter(lies_outside).collect()
}

/// A file of the project is named from there, or from the root.
fn is_inside(path: &str, project: &Path) -> bool {
    let path = Path::new(path);
    !path.is_absolute() || path.starts_with(project)
}

fn is_picture(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    PICTURES.iter().any(|known| end.eq_ignore_ascii_case(known))
}

fn say_not_shown(conversation: &mut Conversation, out: &mut Out) {
    out.notice(NoticeLevel::Warning, NOT_SHOWN);
    conversation.remind(NOT_SHOWN_TO_YOU);
}

/// A call for one has ended: the picture is shown with the words, and what there is to say of it stands before them.
pub(crate) fn tell_model(outcome: &mut Outcome, conversation: &mut Conversation, server: &Server, out: &mut Out) {
    let images = std::mem::take(&mut outcome.images);
    conversation.now.history.put_before_words(outcome.told.trim_end());
    show(images, conversation, server, out);
}

/// Shows pictures with the user's last words, where the model understands them; the user is told where it does not.
pub(crate) fn show(images: Vec<Image>, conversation: &mut Conversation, server: &Server, out: &mut Out) {
    if images.is_empty() {
        return;
    }
    if server.sees() {
        return conversation.now.history.show_images(images);
    }
    say_not_shown(conversation, out);
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
