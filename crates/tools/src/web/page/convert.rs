//! HTML to Markdown: the title on top, links whole, no scripts, no styles.

use super::parse::{self, Unfit};
use super::tree::{NodeId, Tree};
use super::{markdown, twins};
use agent_protocol::{Failure, FailureKind};
use html5ever::Attribute;
use url::Url;

/// Bytes that links may take when they are made whole; further ones stay as they are.
const LINKS: usize = 1 << 20;
/// Characters of a title.
const TITLE: usize = 200;

/// `html`, found at `address`, as Markdown. Blocking.
pub(super) fn markdown(html: &str, address: &Url) -> Result<String, Failure> {
    let mut tree = parse::parse(html).map_err(too_much)?;
    let line = whole_links(&mut tree, address);
    twins::join(&mut tree);
    let text = markdown::write(&tree);
    let text = text.trim();
    let stands_there = line.is_empty() || text.starts_with(&format!("# {line}\n"));
    Ok(if stands_there { format!("{text}\n") } else { format!("# {line}\n\n{text}\n") })
}

fn too_much(unfit: Unfit) -> Failure {
    let message = match unfit {
        Unfit::TooDeep => {
            format!("the page nests more than {} levels deep, which no page to be read does", parse::DEEPEST)
        }
        Unfit::TooHeavy => "the page has more parts than a page to be read has".to_owned(),
    };
    Failure::new(FailureKind::TooLarge, format!("{message}; fetch another page"))
}

/// Makes the links of a page whole and returns its title. What leads nowhere by itself (`javascript:`, `data:`) goes.
fn whole_links(tree: &mut Tree, address: &Url) -> String {
    let mut base = address.clone();
    let (mut title, mut room) = (String::new(), LINKS);
    let mut open = vec![Tree::ROOT];
    while let Some(id) = open.pop() {
        match tree.tag(id) {
            "title" if title.is_empty() => title = words(tree, id),
            "base" => base = based(tree, id, &base, address),
            "a" | "img" => {
                if let Some(element) = tree.element_mut(id) {
                    element.attributes.retain_mut(|attribute| keep(attribute, &base, &mut room));
                }
            }
            "template" => continue,
            _ => {}
        }
        open.extend(tree.children(id).iter().rev());
    }
    title
}

/// The text right inside an element, in one line.
fn words(tree: &Tree, id: NodeId) -> String {
    tree.text(id)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(TITLE)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// What the page says its links are based on; only the first word counts.
fn based(tree: &Tree, id: NodeId, base: &Url, address: &Url) -> Url {
    let said = tree.attribute(id, "href").and_then(|href| address.join(href).ok()).filter(is_page);
    said.filter(|_| base == address).unwrap_or_else(|| base.clone())
}

/// Whether an attribute of a link or a picture stays; an address in it becomes whole.
fn keep(attribute: &mut Attribute, base: &Url, room: &mut usize) -> bool {
    match &*attribute.name.local {
        "href" | "src" => {
            let Ok(whole) = base.join(attribute.value.trim()) else { return false };
            if !is_page(&whole) {
                return false;
            }
            if whole.as_str().len() <= *room {
                *room -= whole.as_str().len();
                attribute.value = whole.as_str().into();
            }
            true
        }
        "alt" => true,
        _ => false,
    }
}

fn is_page(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https" | "mailto") && url.as_str().len() <= 2_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> String {
        markdown(html, &Url::parse("https://docs.rs/url/latest/").unwrap()).unwrap()
    }

    #[test]
    fn a_page_becomes_markdown_with_its_title_on_top_and_whole_links() {
        let page = "<!doctype html><html><head><title>The\n url crate</title><style>p{}</style>
            <script>alert('<p>no')</script></head><body><h2>Use</h2><p>See <a href='../x?y#z'>this</a>,
            <a href='javascript:alert(1)'>that</a> and <img src='/logo.png' alt='a logo' title=t>.</p>
            <ul><li>one<li>two<ul><li>three</ul></ul>
            <pre><code class=\"language-rust\">let x = 1;\n\nlet y = 2;</code></pre>
            <noscript><p>no script</p></noscript><script>more()</script></body></html>";
        assert_eq!(
            read(page),
            "# The url crate\n\n## Use\n\nSee [this](https://docs.rs/url/x?y#z), that and \
             ![a logo](https://docs.rs/logo.png).\n\n- one\n- two\n  - three\n\n\
             ```rust\nlet x = 1;\n\nlet y = 2;\n```\n\nno script\n"
        );
    }

    #[test]
    fn a_title_that_stands_on_the_page_is_told_once() {
        assert_eq!(read("<title>Url</title><h1>Url</h1><p>x"), "# Url\n\nx\n");
        assert_eq!(read("<title>Url</title>"), "# Url\n\n\n");
        assert_eq!(read(""), "\n");
    }

    #[test]
    fn links_are_based_where_the_page_says_but_not_on_what_is_no_page() {
        let page = "<base href='/other/'><base href='/third/'><a href=x>y</a>";
        assert_eq!(read(page), "[y](https://docs.rs/other/x)\n");
        assert_eq!(read("<base href='data:x,'><a href=x>y</a>"), "[y](https://docs.rs/url/latest/x)\n");
    }

    #[test]
    fn what_nests_too_deep_is_a_failure_and_what_nests_nearly_so_deep_is_read() {
        let url = Url::parse("https://docs.rs/").unwrap();
        let failure = markdown(&"<div>".repeat(100_000), &url).unwrap_err();
        assert_eq!(failure.kind, FailureKind::TooLarge);
        assert!(failure.message.starts_with("the page nests more than 500 levels deep"), "{}", failure.message);
        for deep in
            ["<div>", "<blockquote>", "<ul><li>", "<table><tr><th>", "<span><b>", "<ol><li>", "<section><a href=x>"]
        {
            let tags = deep.matches('<').count() + usize::from(deep.starts_with("<table"));
            let text = markdown(&format!("{}x", deep.repeat(480 / tags)), &url);
            assert!(text.unwrap().contains('x'), "{deep}");
        }
    }

    #[test]
    fn many_links_do_not_blow_a_page_up() {
        let base = format!("https://docs.rs/{}/", "b".repeat(1_900));
        let page = format!("<base href='{base}'>{}", "<a href=x>y</a> ".repeat(20_000));
        assert!(read(&page).len() < 2 * LINKS);
    }
}
