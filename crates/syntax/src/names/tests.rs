//! Every name that a file defines is known, and only what is new and sure is told.

use super::{Certainty, new_unknown_names};

fn told(path: &str, before: Option<&str>, after: &str) -> Vec<(String, usize)> {
    let sure =
        new_unknown_names(path, before, after).into_iter().filter(|unknown| unknown.certainty == Certainty::Sure);
    sure.map(|unknown| (unknown.name, unknown.line)).collect()
}

fn names(path: &str, after: &str) -> Vec<String> {
    told(path, None, after).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_name_that_nothing_defines_is_found_with_its_line() {
    for (path, text, name, line) in [
        ("a.py", "def f(x):\n    return clean(x)\n", "clean", 2),
        ("a.py", "x = 1\n\ndef f() -> Optional[int]:\n    return x\n", "Optional", 3),
        ("a.py", "@cached\ndef f(): return 1\n", "cached", 1),
        ("a.js", "export function f(x) {\n  return clean(x);\n}\n", "clean", 2),
        ("a.ts", "import { a } from './a';\nexport const f = (x: string): string => clean(a(x));\n", "clean", 2),
        ("a.go", "package a\n\nfunc f(x string) string {\n\treturn clean(x)\n}\n", "clean", 4),
        ("a.go", "package a\n\nimport \"fmt\"\n\nfunc f() { fmt.Println(strings.ToUpper(\"a\")) }\n", "strings", 5),
        ("a.rs", "fn f(x: &str) -> String {\n    clean(x)\n}\n", "clean", 2),
        ("a.rs", "pub struct A {\n    all: HashMap<String, u8>,\n}\n", "HashMap", 2),
        ("a.rs", "pub fn a() -> usize {\n    let all = HashSet::new();\n    all.len()\n}\n", "HashSet", 2),
    ] {
        assert_eq!(told(path, None, text), [(name.to_owned(), line)], "{text}");
    }
}

#[test]
fn only_what_is_new_against_the_file_before_is_told() {
    let old = "def f(x):\n    return clean(x)\n";
    assert_eq!(told("a.py", Some(old), &format!("{old}\ndef g(x):\n    return f(clean(x))\n")), []);
    let lost = told("a.py", Some("import os\nprint(os.name)\n"), "print(os.name)\n");
    assert_eq!(lost, [("os".to_owned(), 1)], "an import that went");
    assert_eq!(told("a.py", Some("from b import *\nx = clean(1)\n"), "x = clean(1)\ny = other(2)\n"), []);
}

/// Every way to bind a name.
const PYTHON: &str = r#"
from __future__ import annotations
import os.path, sys as system
from a import (b, c as d)
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from e import F
T = int
total = count = 0
total += 1
first, *rest = [1, 2]
(one, two), [three] = (1, 2), [3]

@property
def f(self, a, /, b1: F, *args, key=None, other: str = "x", **kwargs) -> T:
    global later
    later = [i for i in a if i]
    pairs = {k: v for k, v in kwargs.items()}
    nested = [x for row in args for x in row]
    with open(key) as handle, open(other) as (left, right):
        print(handle, left, right, pairs, nested, file=system.stderr)
    try:
        pass
    except (OSError, ValueError) as error:
        print(error)
    if (n := len(rest)) > 1:
        print(n, f"{n:>{total}} {first!r}", one, two, three, count)
    for index, (p, q) in enumerate(rest):
        print(index, p, q)
    lam = lambda y, *z, w=1: (y, z, w)
    match a:
        case {"x": got, **more}:
            print(got, more)
        case Point(px=1) | [_, *tail]:
            print(tail)
        case whole:
            print(whole, b1, b, d, lam, os.path)
    return later, __name__, __file__

class Meta(type, metaclass=type):
    field: int = 3
    other = field

def generic[U](x: U) -> U:
    return x

async def g():
    async for item in f():
        yield item
"#;

#[test]
fn every_way_to_bind_a_name_in_python_counts() {
    assert_eq!(names("a.py", PYTHON), Vec::<String>::new());
}

#[test]
fn every_way_to_bind_a_name_in_javascript_counts() {
    let text = r#"
import def, { a as b, c } from "./a.js";
import * as all from "./b.js";
export { x } from "./x.js";
export * as y from "./y.js";
const { d, e: f, ...g } = c();
let [h, , i = 2, ...j] = b();
var k = function inner(n) { return n ? inner(n - 1) : l(n); };
function l({ m, o = 1 }, [p], ...q) { return m(o, p(), q[0]()); }
class C extends Base { #z = 1; run(r) { return r(this.s()); } static t() {} }
function* u() { yield d(f(g(h(i(j()))))); }
const v = w => w();
for (const fn of all) fn();
for (let [key, cb] of def) cb(key);
try { k(); } catch ({ message }) { message(); }
if (typeof maybe === "function") maybe();
window.added = 1; added();
label: for (;;) { break label; }
export default async (aa, bb = () => aa()) => { await bb(); setTimeout(u, 1); new C(v); };
describe("x", () => { it("y", () => expect(1).toBe(1)); });
"#;
    assert_eq!(names("a.js", text), Vec::<String>::new());
    let typed = r#"
import type { A } from "./a";
export enum Color { Red }
export abstract class B<T> { constructor(private readonly make: () => T) { make(); } }
declare function ambient(x: number): void;
export function over(x: string): void;
export function over(x: unknown) { ambient(1); is(x); }
function is(x: unknown): x is string { return typeof x === "string"; }
namespace N { export const q = 1; }
type Fn = (cb: (err: Error) => void) => A;
export const run = <T,>(f: Fn, @inject() g?: () => T) => f(() => g());
let late: typeof run;
late(run as never);
"#;
    assert_eq!(names("a.ts", typed.replace("@inject() ", "").as_str()), Vec::<String>::new());
    assert_eq!(
        names("a.tsx", "import { A } from './a';\nexport const X = () => <A><div onClick={() => 1} /></A>;\n"),
        Vec::<String>::new()
    );
}

#[test]
fn scripts_of_a_page_and_files_whose_names_come_from_elsewhere_are_not_judged() {
    for (path, text) in [
        ("a.js", "clean(1);\n"),
        ("a.js", "/* global clean */\nexport const a = clean(1);\n"),
        ("a.py", "from b import *\nclean(1)\n"),
        ("a.py", "try:\n    unicode\nexcept NameError:\n    unicode = str\nclean(1)\n"),
        ("a.go", "package a\n\nimport . \"b\"\n\nfunc f() { clean(1) }\n"),
        ("a.rs", "use b::*;\nfn f() { clean(1); }\n"),
        ("a.rs", "make! { clean }\nfn f() { clean(1); }\n"),
        ("a.rs", "fn f(clean: impl Fn(u8)) { clean(1); }\n"),
        ("a.rs", "fn f() { let x: Vec<u8> = vec![clean(1)]; g!(Other::new()); }\n"),
        ("a.c", "int f(void) { return clean(1); }\n"),
    ] {
        assert_eq!(names(path, text), Vec::<String>::new(), "{text}");
    }
}
