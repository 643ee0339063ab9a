//! Places that a change of all places would change a second time: the new text holds the old one, and stands there already.

use std::ops::Range;

/// Of these places of `old` in `text`, the ones that are no part of `new`, and how many are. White space and marks may well be
/// doubled on purpose.
pub(super) fn not_yet(text: &str, old: &str, new: &str, places: Vec<Range<usize>>) -> (Vec<Range<usize>>, usize) {
    if !old.contains(char::is_alphanumeric) {
        return (places, 0);
    }
    // Where in the new text the old one stands.
    let inside: Vec<usize> = new.match_indices(old).map(|(at, _)| at).collect();
    let is_part = |place: &Range<usize>| {
        inside.iter().any(|at| {
            place.start.checked_sub(*at).and_then(|start| text.get(start..)).is_some_and(|text| text.starts_with(new))
        })
    };
    let all = places.len();
    let left: Vec<Range<usize>> = places.into_iter().filter(|place| !is_part(place)).collect();
    let already = all - left.len();
    (left, already)
}
