//! Reads HTML into a tree that is neither deep nor heavy. Checked while it grows: what nests deep takes forever to parse, and
//! formatting that is never closed is repeated by the rules of HTML in every paragraph after it.

use super::sink::Sink;
use super::tags;
use super::tree::{Content, Tree};
use html5ever::driver::{ParseOpts, Parser};
use html5ever::parse_document;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;

/// Levels; pages made by people have dozens.
pub(super) const DEEPEST: usize = 500;
/// Nodes, lines and attributes, each counted once for every level it stands under, as it may be written once for each.
const HEAVIEST: usize = 20_000_000;
/// Elements, attributes and texts; the longest page that is read has half of them.
const MOST: usize = 1_000_000;
/// Bytes between two looks at how much was made.
const PIECE: usize = 4_096;
/// A look at how deep it is comes when it has grown by this part of itself.
const GROWN: usize = 16;
/// Places that might be tags with too many attributes, for each of which the page is read up to there.
const SUSPECTS: usize = 8;

/// Why a page is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    TooDeep,
    TooHeavy,
}

/// The tree of `html`.
pub(super) fn parse(html: &str) -> Result<Tree, Unfit> {
    let suspects = tags::suspects(html).filter(|suspects| suspects.len() <= SUSPECTS).ok_or(Unfit::TooHeavy)?;
    for place in suspects {
        if is_tag(html, place)? {
            return Err(Unfit::TooHeavy);
        }
    }
    let tree = grown(html)?.finish();
    fits(&tree)?;
    Ok(tree)
}

/// Does a tag begin at `place`, which looks like it, or is it text, a comment, a value? Of an attribute that comes twice
/// the parser complains in tags alone.
fn is_tag(html: &str, place: usize) -> Result<bool, Unfit> {
    let (before, tag) = html.split_at(place);
    let parser = &mut grown(before)?;
    let twice = |parser: &Parser<Sink>| parser.tokenizer.sink.sink.twice.get();
    let complained = twice(parser);
    parser.process(StrTendril::from_slice(&format!("{} a a>", tags::name(tag))));
    Ok(twice(parser) > complained)
}

/// The parser behind `html`.
fn grown(html: &str) -> Result<Parser<Sink>, Unfit> {
    // Scripts never run here, so what stands in for them is read.
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let mut parser = parse_document(Sink::default(), options);
    let (mut rest, mut looked) = (html, 0);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        parser.process(StrTendril::from_slice(piece));
        rest = after;
        let sink = &parser.tokenizer.sink.sink;
        let read = html.len() - rest.len();
        if sink.made.get() > MOST {
            return Err(Unfit::TooHeavy);
        }
        if read - looked > read / GROWN {
            fits(&sink.tree.borrow())?;
            looked = read;
        }
    }
    Ok(parser)
}

/// Walks it without recursion, for it may be deep.
fn fits(tree: &Tree) -> Result<(), Unfit> {
    let mut weight = 0;
    let mut open = vec![(Tree::ROOT, 1)];
    while let Some((id, depth)) = open.pop() {
        let node = tree.node(id);
        weight += depth * weight_of(&node.content);
        if depth > DEEPEST {
            return Err(Unfit::TooDeep);
        }
        if weight > HEAVIEST {
            return Err(Unfit::TooHeavy);
        }
        open.extend(node.children.iter().map(|child| (*child, depth + 1)));
    }
    Ok(())
}

fn weight_of(content: &Content) -> usize {
    match content {
        Content::Text(text) => 1 + text.len() / 32 + text.bytes().filter(|byte| *byte == b'\n').count(),
        Content::Element(element) => 1 + element.attributes.len(),
        Content::Other => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfit(html: &str) -> Option<Unfit> {
        parse(html).err()
    }

    #[test]
    fn what_nests_deep_is_noticed_before_it_takes_long() {
        assert_eq!(unfit(&"<div>".repeat(100_000)), Some(Unfit::TooDeep));
        assert_eq!(unfit(&"<b>".repeat(300_000)), Some(Unfit::TooDeep));
        assert_eq!(unfit(&format!("<table>{}", "<b><i>".repeat(100_000))), Some(Unfit::TooDeep));
        assert_eq!(unfit(&format!("<!--{}--><svg>{}", "<g>".repeat(9_000), "<g>".repeat(9_000))), Some(Unfit::TooDeep));
        assert_eq!(unfit(&"<template>".repeat(100_000)), Some(Unfit::TooDeep));
        assert_eq!(unfit(&"<blockquote><ul><li>".repeat(100)), None);
    }

    #[test]
    fn formatting_that_is_never_closed_does_not_fill_the_memory() {
        let open: String = (0..400).map(|number| format!("<b id={number}>")).collect();
        assert_eq!(unfit(&format!("<p>{open}{}", "<p>x".repeat(400_000))), Some(Unfit::TooHeavy));
        let attributes: String = (0..2_000).map(|number| format!(" a{number}")).collect();
        assert_eq!(unfit(&format!("<p><b{attributes}>{}", "<p>x".repeat(400_000))), Some(Unfit::TooHeavy));
    }

    #[test]
    fn a_tag_has_only_so_many_attributes_wherever_it_stands() {
        let many: String = (0..1_100).map(|number| format!(" a{number}")).collect();
        for before in [
            "",
            "<svg><script>",
            "<svg><style>",
            "<frameset><script>",
            "<textarea><script></textarea>",
            "<!-- <script> -->",
        ] {
            assert_eq!(unfit(&format!("{before}<p{many}>")), Some(Unfit::TooHeavy), "{before}");
            assert_eq!(unfit(&format!("{before}</p{many}>")), Some(Unfit::TooHeavy), "{before}");
        }
        assert_eq!(unfit(&format!("<script>a<b</script{many}>")), Some(Unfit::TooHeavy));
        for (before, after) in
            [("<script>", "</script>"), ("<!--", "-->"), ("<p title='", "'>"), ("<title>", "</title>")]
        {
            assert_eq!(unfit(&format!("{before}a <b{many} {after}")), None, "{before}");
        }
        let bodies: String = (0..5_000).map(|number| format!("<body a{number}>")).collect();
        assert_eq!(unfit(&bodies), Some(Unfit::TooHeavy));
    }

    #[test]
    fn lines_deep_inside_weigh_as_often_as_they_would_be_indented() {
        let quoted = "<blockquote>".repeat(400);
        assert_eq!(unfit(&format!("{quoted}<pre>{}", "x\n".repeat(200_000))), Some(Unfit::TooHeavy));
        assert_eq!(unfit(&format!("<pre>{}", "x\n".repeat(200_000))), None);
    }

    #[test]
    fn a_long_page_of_the_usual_kind_fits() {
        let row = "<div><section><ul><li><p>some <a href=x>words</a> and <code>code</code></p></ul></section></div>\n";
        assert_eq!(unfit(&row.repeat(5_000)), None);
    }
}
