//! Forms in which tools go by text: how they are described to a model, and how their results go back.
//!
//! Only forms of plain characters: special tokens are deleted by servers before a client sees them. What a model
//! writes in any of them is read by the splitter, like everything else.

/// A form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// JSON in `<tool_call>`, as Hermes, Qwen 2.5 and 3 and many of their kin were taught.
    Hermes,
    /// XML in `<tool_call>`, as Qwen3-Coder was taught.
    QwenCoder,
    /// JSON in `<function=name>`, as Llama 3 was taught for tools of one's own.
    Llama,
    /// Python calls in a fence named `tool_code`, as Gemma was taught.
    Gemma,
    /// JSON in a fence: for models that were taught nothing, and know JSON.
    #[default]
    FencedJson,
}

/// All forms by name.
const FORMS: [(&str, Form); 5] = [
    ("hermes", Form::Hermes),
    ("qwen-coder", Form::QwenCoder),
    ("llama", Form::Llama),
    ("gemma", Form::Gemma),
    ("json", Form::FencedJson),
];

impl Form {
    /// The form of this name.
    pub fn by_name(name: &str) -> Option<Form> {
        FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    /// The names of all forms.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found_by_its_name() {
        let found: Vec<Option<Form>> = Form::names().map(Form::by_name).collect();
        assert_eq!(found, FORMS.map(|(_, form)| Some(form)));
        assert_eq!(Form::by_name("morse"), None);
    }
}
