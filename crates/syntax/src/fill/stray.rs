//! Methods that are sent without their class, in languages whose grammar does not know them so.

use super::Pair;
use super::parts::Parsed;
use crate::Language;

/// The pair with the class of the file around an answer that holds nothing but methods of it.
pub(super) fn at_home(pair: Pair<'_>) -> Pair<'_> {
    let needs = matches!(
        pair.language,
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Java | Language::Cpp)
    );
    let is_strange = pair.answer.by_tree && (pair.answer.fault.is_some() || pair.answer.parts.is_empty());
    if !needs || !is_strange || pair.before.fault.is_some() {
        return pair;
    }
    let classes = pair.before.top().filter(|(_, part)| part.kind.is_type());
    let found = classes.filter_map(|(at, part)| {
        let text = format!("class {} {{\n{}}}\n", part.name, pair.answer.text());
        let answer = Parsed::of(pair.path, pair.language, &text);
        let known: Vec<&str> = pair.before.inside(at).map(|(_, part)| part.name.as_str()).collect();
        let mut inner = answer.parts.iter().filter(|part| part.parent.is_some()).peekable();
        let fits =
            answer.fault.is_none() && inner.peek().is_some() && inner.any(|part| known.contains(&part.name.as_str()));
        fits.then_some(answer)
    });
    let mut found: Vec<Parsed> = found.take(2).collect();
    match (found.pop(), found.is_empty()) {
        (Some(answer), true) => Pair { answer, ..pair },
        (Some(_) | None, _) => pair,
    }
}
