//! Which row is played how: one function a row, and the rows that cannot be played yet, with the reason.

mod command;
mod disk;
mod http;
mod session;
mod stream;
mod time;
mod toolcall;
mod tty;

use crate::room::Room;

/// How a row is played and what is looked at.
pub(crate) type Play = fn(Room);

/// Every row that is played.
pub(crate) const PLAYED: &[(&str, Play)] = &[
    ("FD43", tty::a_storm_of_sizes),
    ("FD04", stream::one_byte_a_second),
    ("FD05", stream::silence_after_the_first_token),
    ("FD40", time::a_machine_that_sleeps),
    ("FD10", stream::a_compressed_bomb),
    ("FD16", http::a_hostile_list_of_models),
    ("FD22", command::a_gigabyte_of_output),
    ("FD01", stream::nobody_listens),
    ("FD02", stream::reset_after_three_tokens),
    ("FD03", stream::reset_inside_a_call),
    ("FD06", stream::garbage_between_good_lines),
    ("FD07", stream::a_line_of_64_mb),
    ("FD08", stream::bytes_that_are_no_text),
    ("FD09", stream::escape_sequences),
    ("FD11", http::a_page_with_status_500),
    ("FD12", http::a_model_without_tools),
    ("FD13", http::a_redirect),
    ("FD14", http::a_locked_door),
    ("FD15", http::something_else_than_ollama),
    ("FD17", toolcall::arguments_of_the_wrong_type),
    ("FD18", toolcall::a_tool_that_does_not_exist),
    ("FD19", toolcall::the_same_call_for_ever),
    ("FD20", toolcall::a_made_up_result),
    ("FD21", toolcall::a_call_inside_a_quotation),
    ("FD23", command::a_command_that_ignores_being_asked_to_end),
    ("FD24", command::a_daemon_that_holds_the_output),
    ("FD25", command::a_command_that_opens_the_terminal),
    ("FD26", command::a_command_that_eats_memory),
    ("FD27", command::esc_during_a_command),
    ("FD28", command::secrets_in_the_environment),
    ("FD29", disk::a_full_disk),
    ("FD30", disk::a_state_folder_that_may_not_be_written),
    ("FD32", session::a_torn_end),
    ("FD33", session::a_journal_from_the_future),
    ("FD34", disk::a_config_that_is_none),
    ("FD35", disk::a_config_that_others_may_write),
    ("FD36", disk::a_project_that_names_another_host),
    ("FD37", session::two_agents_and_one_session),
    ("FD38", session::a_lock_of_one_that_was_killed),
    ("FD39", time::a_clock_that_jumps_back),
    ("FD41", tty::a_terminal_that_is_closed),
    ("FD42", tty::signals_from_outside),
    ("FD44", tty::no_terminal_at_all),
    ("FD45", tty::an_output_that_is_closed),
    ("FD46", tty::keys_before_the_question),
];

/// Rows that are played elsewhere.
pub(crate) const ELSEWHERE: &[(&str, &str)] = &[
    ("FD31", "the kill loop is played in tests/paths"),
    ("FD47", "played in crates/tools/tests/net"),
    ("FD48", "played in crates/tools/tests/net"),
    ("FD49", "played in crates/tools/tests/net"),
    ("FD50", "played in crates/tools/tests/net"),
];

/// Rows that are played and do not hold yet, with what is missing. One that holds has to leave this list.
pub(crate) const WAITING: &[(&str, &str)] = &[];
