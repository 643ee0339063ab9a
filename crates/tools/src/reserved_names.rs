//! What tools that are not ours have in common: a name that shadows nobody's, and a form that hands arguments on unread.

use crate::arguments::{BLANK, Form, Group, plain};
use std::collections::BTreeSet;

/// Characters that a name may have: model servers take no more.
pub(crate) const LONGEST_NAME: usize = 64;

/// The names that are taken, in plain spelling: two that differ by a `_` alone would be read for each other.
#[derive(Debug, Default)]
pub(crate) struct Reserved(BTreeSet<String>);

impl Reserved {
    /// Those of `forms`, and the names that other agents give them.
    pub(crate) fn by<'a>(forms: impl IntoIterator<Item = &'a Form>) -> Self {
        let names = |form: &'a Form| std::iter::once(form.tool).chain(form.aliases.split_whitespace());
        Reserved(forms.into_iter().flat_map(names).map(plain).collect())
    }

    /// Takes `name`, if nobody has it.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.0.insert(plain(name))
    }

    /// Takes `name`, with a number behind it where somebody has it, no longer than a name may be.
    pub(crate) fn take_numbered(&mut self, name: &str) -> String {
        let numbered = |number: usize| {
            let end = if number == 1 { String::new() } else { format!("_{number}") };
            let begin: String = name.chars().take(LONGEST_NAME - end.len()).collect();
            begin + &end
        };
        (1..).map(numbered).find(|name| self.take(name)).expect("there are more numbers than names")
    }
}

/// The form of a tool that is not ours. Forms live as long as the program; a session has few of these.
pub(crate) fn form(name: &str, group: Group) -> &'static Form {
    Box::leak(Box::new(Form { tool: Box::leak(name.into()), group, open: true, ..BLANK }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_shadows_another_or_is_read_for_it() {
        let ours = Form { tool: "web_fetch", aliases: "fetch_url", ..BLANK };
        let mut reserved = Reserved::by([&ours]);
        assert!(!reserved.take("WebFetch") && !reserved.take("fetchurl"));
        assert!(reserved.take("notes__add"));
        assert_eq!(reserved.take_numbered("web__fetch"), "web__fetch_2");
        assert_eq!(reserved.take_numbered("web__fetch"), "web__fetch_3");
        let long = "x".repeat(80);
        assert_eq!(reserved.take_numbered(&long), "x".repeat(64));
        assert_eq!(reserved.take_numbered(&long), format!("{}_2", "x".repeat(62)));
    }

    #[test]
    fn a_form_that_is_not_ours_hands_arguments_on() {
        let form = form("notes__add", Group::Mcp);
        let given = serde_json::json!({ "Any Key": [1, { "path": null }] });
        assert_eq!(form.read(&given).unwrap().into_parts().0, given);
        assert!(form.read(&serde_json::json!([1])).is_err());
    }
}
