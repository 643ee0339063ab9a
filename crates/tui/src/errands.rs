//! What takes a moment, and is done beside the thread that draws.

use crate::app::Msg;
use crate::settings::Settings;
use crate::terminal::PastedPictures;
use tokio::task::spawn_blocking;

/// Writes a setting into the user's file; without a value it is taken out.
pub(crate) async fn write_setting(settings: &Settings, name: String, value: Option<String>) -> Msg {
    let Some(config) = settings.config.clone() else {
        return Msg::SettingWritten { name, outcome: Err("settings cannot be written here".to_owned()) };
    };
    let wanted = name.clone();
    let written = spawn_blocking(move || config.write(&wanted, value.as_deref())).await;
    let outcome = written.unwrap_or_else(|_| Err("it could not be written; this is a fault in agent".to_owned()));
    Msg::SettingWritten { name, outcome }
}

/// Puts the picture on the clipboard into a file that is there until we leave.
pub(crate) async fn paste_picture(clipboard: &mut PastedPictures) -> Msg {
    let mut asked = std::mem::take(clipboard);
    let pasted = spawn_blocking(move || {
        let picture = asked.picture();
        (asked, picture)
    });
    Msg::PicturePasted(match pasted.await {
        Ok((asked, picture)) => {
            *clipboard = asked;
            picture
        }
        Err(_) => Err("the clipboard could not be read; this is a fault in agent".to_owned()),
    })
}
