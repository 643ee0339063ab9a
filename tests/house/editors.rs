//! `agent acp`: the built binary behind a scripted editor.

#[path = "editors/editor.rs"]
pub(crate) mod editor;

use crate::stage::{House, call, text};
use editor::{Editor, Person};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A reply that writes `a.txt`.
fn writes(words: &str) -> Value {
    call("write_file", json!({"file_path": "a.txt", "content": words}))
}

/// The last result that the model was told.
fn told(house: &House) -> String {
    let chats = house.server().chats();
    let messages = chats.last().unwrap().body["messages"].as_array().unwrap().clone();
    let result = messages.iter().rfind(|message| message["role"] == "tool").unwrap();
    result["content"].as_str().unwrap().to_owned()
}

#[test]
fn a_chat_streams_text_and_thoughts_and_attached_files_go_to_the_model() {
    let thinks = json!([{"thinking": "It is short."}, {"text": "It adds "}, {"text": "two numbers."}]);
    let house = House::new(&[thinks]);
    let mut editor = Editor::start(&house);
    let begun = editor.begin(&house.project());
    let modes: Vec<&str> =
        begun["modes"]["availableModes"].as_array().unwrap().iter().map(|mode| mode["id"].as_str().unwrap()).collect();
    assert_eq!(modes, ["plan", "safe", "accept-edits", "unsafe"]);
    assert_eq!(begun["modes"]["currentModeId"], "safe");
    assert_eq!(begun["configOptions"][1]["id"], "model", "{begun}");
    assert_eq!(begun["configOptions"][1]["currentValue"], "m", "{begun}");
    let session = begun["sessionId"].as_str().unwrap();
    let uri = format!("file://{}/add.rs", house.project().display());
    let prompt = json!([
        {"type": "text", "text": "what does this do:"},
        {"type": "resource", "resource": {"uri": uri, "text": "fn add(a: u8, b: u8) -> u8 { a + b }\n"}},
    ]);
    let ended = editor.request("session/prompt", json!({"sessionId": session, "prompt": prompt}));
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert_eq!(editor.text(session, "agent_message_chunk"), "It adds two numbers.");
    assert_eq!(editor.text(session, "agent_thought_chunk"), "It is short.");
    assert_eq!(editor.text(session, "user_message_chunk"), "", "the editor knows what its person said");
    assert!(!editor.updates_of(session, "usage_update").is_empty());
    assert!(!editor.updates_of(session, "available_commands_update").is_empty());
    let body = house.server().chats()[0].body.to_string();
    assert!(body.contains("what does this do: `add.rs`") && body.contains("fn add(a: u8, b: u8)"), "{body}");
    assert!(editor.asked.is_empty());
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_change_is_asked_with_its_difference_and_made_after_a_yes() {
    let house = House::new(&[writes("new\n"), text("Written.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    assert_eq!(editor.say(&session, "write it"), "end_turn");
    assert_eq!(house.read("a.txt"), "new\n");
    let asked = &editor.asked[0]["params"];
    let path = house.project().join("a.txt").display().to_string();
    let difference = json!({"type": "diff", "path": path, "oldText": null, "newText": "new\n"});
    let content = asked["toolCall"]["content"].as_array().unwrap();
    assert!(content.contains(&difference), "{asked}");
    let kinds: Vec<&str> =
        asked["options"].as_array().unwrap().iter().map(|option| option["kind"].as_str().unwrap()).collect();
    assert!(kinds[0] == "allow_once" && kinds.last() == Some(&"reject_once"), "{kinds:?}");
    assert!(kinds[1..kinds.len() - 1].iter().all(|kind| *kind == "allow_always") && kinds.len() > 2, "{kinds:?}");
    let call = &editor.updates_of(&session, "tool_call")[0];
    assert_eq!((&call["kind"], &call["toolCallId"]), (&json!("edit"), &asked["toolCall"]["toolCallId"]));
    let updates = editor.updates_of(&session, "tool_call_update");
    let last = updates.last().unwrap();
    assert_eq!(last["status"], "completed");
    assert!(last["content"].as_array().unwrap().contains(&difference), "{last}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_rule_that_is_chosen_spares_the_next_question() {
    let house = House::new(&[writes("one\n"), writes("two\n"), text("Written twice.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    editor.person = Person::Chooses("allow_always");
    assert_eq!(editor.say(&session, "write it twice"), "end_turn");
    assert_eq!((house.read("a.txt").as_str(), editor.asked.len()), ("two\n", 1));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_no_changes_nothing_and_the_model_goes_on() {
    let house = House::new(&[writes("new\n"), text("As you wish.")]);
    house.write("a.txt", "old\n");
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    editor.person = Person::Chooses("reject_once");
    assert_eq!(editor.say(&session, "write it"), "end_turn");
    assert_eq!(house.read("a.txt"), "old\n");
    assert!(editor.text(&session, "agent_message_chunk").contains("As you wish."));
    assert_eq!(editor.updates_of(&session, "tool_call_update").last().unwrap()["status"], "failed");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn what_is_cancelled_ends_at_a_question_and_in_the_middle_of_an_answer() {
    let slow = json!([{"text": "Once upon a time"}, {"wait_ms": 60_000}, {"text": "never shown"}]);
    let house = House::new(&[writes("new\n"), slow, text("Here again.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    editor.person = Person::Cancels;
    assert_eq!(editor.say(&session, "write it"), "cancelled");
    assert!(!house.project().join("a.txt").exists());
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "tell me a tale"}]});
    let tale = editor.send("session/prompt", prompt.clone());
    let name = session.clone();
    editor.until(|editor| editor.text(&name, "agent_message_chunk").contains("Once upon a time"));
    let second = editor.request("session/prompt", prompt);
    assert!(second["error"]["message"].as_str().unwrap().contains("is under way"), "{second}");
    editor.notify("session/cancel", json!({"sessionId": session}));
    assert_eq!(editor.answered(tale)["result"]["stopReason"], "cancelled");
    assert_eq!(editor.say(&session, "are you there?"), "end_turn");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_file_with_unsaved_changes_is_not_written_until_it_is_saved() {
    let edit = call("edit_file", json!({"file_path": "a.txt", "old_string": "one", "new_string": "1"}));
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        edit.clone(),
        text("Save it, please."),
        edit,
        text("Done."),
    ]);
    house.write("a.txt", "one\r\ntwo\r\n");
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let path: PathBuf = house.project().join("a.txt");
    editor.buffers.insert(path.clone(), "one\ntwo\nthree\n".into());
    assert_eq!(editor.say(&session, "one is 1"), "end_turn");
    assert_eq!(house.read("a.txt"), "one\r\ntwo\r\n");
    let updates = editor.updates_of(&session, "tool_call_update");
    let shown = updates.last().unwrap().to_string();
    assert!(shown.contains("a.txt has unsaved changes in the editor: save it first"), "{shown}");
    assert!(told(&house).contains("a.txt has unsaved changes in the editor: save it first"));
    // Line ends that differ are no change.
    editor.buffers.insert(path, "one\ntwo\n".into());
    assert_eq!(editor.say(&session, "it is saved"), "end_turn");
    assert_eq!(house.read("a.txt"), "1\r\ntwo\r\n");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_session_is_listed_loaded_with_its_history_and_goes_on() {
    let house = House::new(&[writes("new\n"), text("The moon is made of rock."), text("Very old."), text("Grey.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    assert_eq!(editor.say(&session, "what is the moon made of?"), "end_turn");
    assert_eq!(editor.leave(), Some(0));
    let mut editor = Editor::start(&house);
    let folder = house.project().display().to_string();
    let listed = editor.request("session/list", json!({"cwd": folder}));
    let card = &listed["result"]["sessions"][0];
    assert_eq!(
        (&card["sessionId"], &card["title"]),
        (&json!(session), &json!("what is the moon made of?")),
        "{listed}"
    );
    let wish = json!({"sessionId": session, "cwd": folder, "mcpServers": []});
    let loaded = editor.request("session/load", wish.clone());
    assert!(loaded["result"]["modes"].is_object(), "{loaded}");
    assert_eq!(editor.text(&session, "user_message_chunk"), "what is the moon made of?");
    assert_eq!(editor.text(&session, "agent_message_chunk"), "The moon is made of rock.");
    assert_eq!(editor.updates_of(&session, "tool_call").len(), 1);
    assert_eq!(editor.updates_of(&session, "tool_call_update").last().unwrap()["status"], "completed");
    assert_eq!(editor.say(&session, "how old is it?"), "end_turn");
    let body = house.server().chats().last().unwrap().body.to_string();
    assert!(body.contains("The moon is made of rock."), "{body}");
    // The same once more where the editor still shows it: nothing is told again.
    editor.updates.clear();
    let resumed = editor.request("session/resume", wish);
    assert!(resumed["result"]["configOptions"].is_array(), "{resumed}");
    assert_eq!(editor.text(&session, "user_message_chunk"), "");
    assert_eq!(editor.say(&session, "what colour?"), "end_turn");
    let nobody = editor.request("session/load", json!({"sessionId": "nobody", "cwd": folder, "mcpServers": []}));
    assert_eq!(nobody["error"]["code"], -32_002, "{nobody}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn two_sessions_work_at_once_in_one_process() {
    let reply = |words: &str, say: Value| json!({"when": {"user_contains": words}, "times": 1, "say": say});
    let house = House::scripted(json!({
        "models": [{"name": "m", "context_length": 32768}],
        "replies": [
            reply("in the first", writes("first\n")),
            reply("in the second", text("Second here.")),
            json!({"say": text("First here.")}),
        ],
    }));
    let second_folder = house.outside().join("second");
    std::fs::create_dir(&second_folder).unwrap();
    let mut editor = Editor::start(&house);
    let (first, second) = (editor.session(&house.project()), editor.session(&second_folder));
    assert_ne!(first, second);
    editor.person = Person::Waits;
    let prompt = json!({"sessionId": first, "prompt": [{"type": "text", "text": "write in the first"}]});
    let writing = editor.send("session/prompt", prompt);
    editor.until(|editor| !editor.asked.is_empty());
    assert_eq!(editor.say(&second, "talk in the second"), "end_turn");
    assert_eq!(editor.text(&second, "agent_message_chunk"), "Second here.");
    let question = editor.asked[0].clone();
    assert_eq!(question["params"]["sessionId"], json!(first));
    editor.decide(&question, Person::Chooses("allow_once"));
    assert_eq!(editor.answered(writing)["result"]["stopReason"], "end_turn");
    assert_eq!(house.read("a.txt"), "first\n");
    assert!(!second_folder.join("a.txt").exists());
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_folder_is_trusted_by_a_question_before_its_words_count() {
    let house = House::new(&[text("Hello.")]);
    house.write("AGENTS.md", "Always answer in French.\n");
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    assert!(editor.asked.is_empty(), "nothing is asked before there is a prompt");
    assert_eq!(editor.say(&session, "hello"), "end_turn");
    let asked = &editor.asked[0]["params"];
    assert_eq!(asked["options"][0]["name"], "Trust it");
    assert!(asked["toolCall"]["content"].to_string().contains("AGENTS.md"), "{asked}");
    let body = house.server().chats()[0].body.to_string();
    assert!(body.contains("Always answer in French."), "{body}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn modes_are_switched_and_what_is_switched_counts() {
    let house = House::new(&[writes("new\n"), text("Written.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let switched = editor.request("session/set_mode", json!({"sessionId": session, "modeId": "accept-edits"}));
    assert_eq!(switched["result"], json!({}), "{switched}");
    assert_eq!(editor.updates_of(&session, "current_mode_update").last().unwrap()["currentModeId"], "accept-edits");
    let unknown = editor.request("session/set_mode", json!({"sessionId": session, "modeId": "yolo"}));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("choose one of plan, safe"), "{unknown}");
    assert_eq!(editor.say(&session, "write it"), "end_turn");
    assert!(editor.asked.is_empty() && house.read("a.txt") == "new\n");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn options_are_chosen_and_slash_commands_answer_without_the_model() {
    let house = House::scripted(json!({
        "models": [{"name": "m", "context_length": 32768}, {"name": "other", "context_length": 32768}],
        "replies": [{"say": [{"text": "From the other."}]}],
    }));
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let choose = |id: &str, value: &str| json!({"sessionId": session, "configId": id, "value": value});
    let chosen = editor.request("session/set_config_option", choose("model", "other"));
    assert_eq!(chosen["result"]["configOptions"][1]["currentValue"], "other", "{chosen}");
    let chosen = editor.request("session/set_config_option", choose("mode", "plan"));
    assert_eq!(chosen["result"]["configOptions"][0]["currentValue"], "plan", "{chosen}");
    let missing = editor.request("session/set_config_option", choose("model", "nobody"));
    assert!(missing["error"]["message"].as_str().unwrap().contains("nobody is not installed"), "{missing}");
    assert_eq!(editor.say(&session, "/context"), "end_turn");
    assert!(editor.text(&session, "agent_message_chunk").contains("tokens used"));
    assert_eq!(editor.say(&session, "/compact"), "end_turn");
    assert!(house.server().chats().is_empty(), "no model was asked");
    assert_eq!(editor.say(&session, "who are you?"), "end_turn");
    assert_eq!(house.server().chats()[0].body["model"], "other");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn changes_are_undone_after_a_yes_made_again_and_left_after_a_no() {
    let house = House::new(&[writes("new\n"), text("Written.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    assert_eq!(editor.say(&session, "/undo"), "end_turn");
    assert!(editor.text(&session, "agent_message_chunk").ends_with("nothing was changed in this session yet"));
    assert_eq!(editor.say(&session, "write it"), "end_turn");
    let path = house.project().join("a.txt").display().to_string();
    editor.person = Person::Chooses("reject_once");
    assert_eq!(editor.say(&session, "/undo"), "end_turn");
    assert!(editor.text(&session, "agent_message_chunk").ends_with("nothing was undone"));
    assert_eq!(house.read("a.txt"), "new\n");
    editor.person = Person::Chooses("allow_once");
    assert_eq!(editor.say(&session, "/undo"), "end_turn");
    assert!(editor.text(&session, "agent_message_chunk").ends_with("undone: 1 file; /redo makes it again"));
    assert!(!house.project().join("a.txt").exists());
    let asked = &editor.asked.last().unwrap()["params"]["toolCall"];
    assert_eq!(asked["title"], "Undo the changes to 1 file");
    assert_eq!(asked["content"][0], json!({"type": "diff", "path": path, "oldText": "new\n", "newText": ""}));
    assert_eq!(editor.say(&session, "/redo"), "end_turn");
    assert!(editor.text(&session, "agent_message_chunk").ends_with("made again: 1 file"));
    assert_eq!(house.read("a.txt"), "new\n");
    assert_eq!(house.server().chats().len(), 2, "no model was asked about any of it");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn what_cannot_be_done_is_an_error_that_says_what_to_do_and_nothing_ends_by_it() {
    let house = House::new(&[text("Still here.")]);
    let mut editor = Editor::start(&house);
    editor.write("this is no JSON");
    let broken = editor.read();
    assert_eq!((&broken["id"], &broken["error"]["code"]), (&Value::Null, &json!(-32_700)), "{broken}");
    let message = |told: &Value| told["error"]["message"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
    let unknown = editor.request("session/juggle", json!({}));
    assert_eq!(unknown["error"]["code"], -32_601);
    let relative = editor.request("session/new", json!({"cwd": "somewhere", "mcpServers": []}));
    assert!(message(&relative).contains("absolute path"), "{relative}");
    let nobody = editor.request("session/prompt", json!({"sessionId": "nobody", "prompt": []}));
    assert!(message(&nobody).contains("session/new"), "{nobody}");
    let servers = json!([{"name": "notes", "command": "/bin/notes", "args": [], "env": []}]);
    let folder = house.project().display().to_string();
    let begun = editor.request("session/new", json!({"cwd": folder, "mcpServers": servers}));
    let session = begun["result"]["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(editor.say(&session, "are you there?"), "end_turn");
    let said = editor.text(&session, "agent_message_chunk");
    assert!(said.contains("are not started here: notes") && said.ends_with("Still here."), "{said}");
    assert_eq!(editor.leave(), Some(0));
}

/// A picture of one pixel.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn shows(session: &str, data: &str) -> Value {
    let picture = json!({"type": "image", "mimeType": "image/png", "data": data});
    json!({"sessionId": session, "prompt": [{"type": "text", "text": "what is this?"}, picture]})
}

#[test]
fn a_picture_in_a_prompt_is_shown_to_a_model_that_sees() {
    let model = json!({"name": "m", "context_length": 32768, "capabilities": ["completion", "tools", "vision"]});
    let house = House::scripted(json!({"models": [model], "replies": [{"times": 1, "say": text("A dot.")}]}));
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let damaged = editor.request("session/prompt", shows(&session, "AAAA"));
    assert!(damaged["error"]["message"].as_str().unwrap().contains("neither PNG"), "{damaged}");
    let ended = editor.request("session/prompt", shows(&session, DOT));
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert_eq!(editor.text(&session, "agent_message_chunk"), "A dot.");
    let message = house.server().chats()[0].body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(message["images"].as_array().map(Vec::len), Some(1), "{message}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_model_that_does_not_see_is_shown_no_picture_and_that_is_said() {
    let house = House::new(&[text("I cannot see it.")]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let ended = editor.request("session/prompt", shows(&session, DOT));
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    let said = editor.text(&session, "agent_message_chunk");
    assert!(said.contains("does not understand pictures") && said.ends_with("I cannot see it."), "{said}");
    let message = house.server().chats()[0].body["messages"].as_array().unwrap().last().unwrap().clone();
    assert!(message["images"].is_null(), "{message}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_server_that_does_not_answer_is_an_error_that_says_how_to_start_it() {
    let house = House::without_server();
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let error = editor.say(&session, "hello");
    assert!(error["message"].as_str().unwrap_or_default().contains("127.0.0.1:1"), "{error}");
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn the_end_of_the_editor_ends_what_runs() {
    let stays = call("run_command", json!({"command": "echo it runs; exec sleep 1000"}));
    let house = House::new(&[stays]);
    let mut editor = Editor::start(&house);
    let session = editor.session(&house.project());
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "run it"}]});
    editor.send("session/prompt", prompt);
    let name = session.clone();
    editor.until(|editor| {
        editor.updates_of(&name, "tool_call_update").iter().any(|update| update.to_string().contains("it runs\\n"))
    });

    assert_eq!(editor.leave(), Some(0));
    assert!(house.journals()[0].contains("turn_ended"), "what was under way came to its end");
}
