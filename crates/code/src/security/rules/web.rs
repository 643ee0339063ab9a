//! JavaScript and TypeScript where they run in a page.

use crate::security::Severity::{Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "js-inner-html",
        Medium,
        r"\.(?:inner|outer)HTML\s*\+?=[^=]",
        "text becomes part of the page as it is: script injection",
        "use textContent, or sanitise it",
    )
    .unless(r#"HTML\s*\+?=\s*(?:"[^"\n]*"|'[^'\n]*'|`[^`$]*`)\s*(?:;|$)|(?i:sanitize|DOMPurify|escapeHtml|trustedTypes)"#),
    rule(
        "js-adjacent-html",
        Medium,
        r"\.insertAdjacentHTML\s*\(",
        "text becomes part of the page as it is: script injection",
        "use insertAdjacentText, or sanitise it",
    )
    .unless(r#"(?i)sanitize|DOMPurify|escapeHtml|insertAdjacentHTML\s*\([^,]*,\s*(?:"[^"\n]*"|'[^'\n]*'|`[^`$]*`)\s*\)"#),
    rule(
        "js-react-html",
        Medium,
        r"\bdangerouslySetInnerHTML\s*[=:]",
        "text becomes part of the page as it is: script injection",
        "render it as text, or sanitise it",
    )
    .unless(r"(?i)sanitize|DOMPurify"),
    rule(
        "js-vue-html",
        Medium,
        r#"\bv-html\s*=|\{@html\s"#,
        "text becomes part of the page as it is: script injection",
        "render it as text, or sanitise it",
    )
    .in_strings()
    .unless(r"(?i)sanitize|DOMPurify"),
    rule(
        "js-document-write",
        Medium,
        r"\bdocument\.write(?:ln)?\s*\(",
        "text becomes part of the page as it is: script injection",
        "build elements and set textContent",
    ),
    rule(
        "js-bypass",
        Medium,
        r"\bbypassSecurityTrust(?:Html|Script|Style|Url|ResourceUrl)\s*\(",
        "the framework's own protection is left out",
        "let it sanitise, or check the value first",
    ),
    rule(
        "js-post-message",
        Low,
        r#"\bpostMessage\s*\([^;\n]*,\s*["']\*["']"#,
        "any page that is open there can read it",
        "name the origin",
    ),
    rule(
        "js-cors",
        Low,
        r#"["']Access-Control-Allow-Origin["']\s*[,:]\s*["']\*["']|\bcors\s*\(\s*\{[^}]*\borigin\s*:\s*(?:["']\*["']|true)"#,
        "any site may read the answers",
        "name the sites that may",
    )
    .in_strings()
    .maybe(),
    rule(
        "js-token-storage",
        Low,
        r#"(?i)\blocalStorage\.setItem\s*\(\s*["'][^"'\n]*(?:token|jwt|secret|passw)"#,
        "any script in the page can read it",
        "keep it in a cookie with HttpOnly",
    ),
];
