//! The forms of work, as they are typed, chosen and shown.

use agent_protocol::ToolsBy;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WorkForm {
    /// `None`: the one that suits the model.
    pub(crate) form: Option<ToolsBy>,
    pub(crate) name: &'static str,
    pub(crate) words: &'static str,
}

/// Every form, as they are offered.
pub(crate) const FORMS: [WorkForm; 4] = [
    WorkForm { form: None, name: "auto", words: "what suits the model: by its size, its examination, and how it goes" },
    WorkForm { form: Some(ToolsBy::Server), name: "calls", words: "it calls tools, in its own form" },
    WorkForm {
        form: Some(ToolsBy::Text),
        name: "text",
        words: "tools are described in the prompt, and called in text",
    },
    WorkForm { form: Some(ToolsBy::Files), name: "files", words: "no calls: it is shown files and answers with files" },
];

/// The form that a person names.
pub(crate) fn named(name: &str) -> Option<&'static WorkForm> {
    FORMS.iter().find(|form| form.name.eq_ignore_ascii_case(name))
}
