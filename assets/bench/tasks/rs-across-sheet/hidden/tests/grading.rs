use std::collections::BTreeMap;
use std::io;

use gridtext::cli::{run, Console};
use gridtext::formula::parse;
use gridtext::formula::print::print;
use gridtext::formula::shift::Axis;
use gridtext::{storage, CellRef, Range, Settings, Sheet};

fn at(text: &str) -> CellRef {
    CellRef::parse(text).unwrap()
}

fn sheet(items: &[(&str, &str)]) -> Sheet {
    let mut sheet = Sheet::new(Settings::default());
    for (cell, text) in items {
        sheet.set(at(cell), text).unwrap();
    }
    sheet
}

fn shown(formula: &str) -> String {
    let sheet = sheet(&[("A1", "17"), ("A2", "5"), ("A3", "pear"), ("A4", "=1/0"), ("Z1", formula)]);
    sheet.shown(at("Z1"))
}

fn all(cases: &[(&str, &str)]) {
    for (formula, expected) in cases {
        assert_eq!(shown(formula), *expected, "{formula}");
    }
}

#[test]
fn it_rounds_down() {
    all(&[
        ("=7@@SIGN@@2", "3"),
        ("=-7@@SIGN@@2", "-4"),
        ("=7@@SIGN@@-2", "-4"),
        ("=-7@@SIGN@@-2", "3"),
        ("=A1 @@SIGN@@ A2", "3"),
        ("=7.5@@SIGN@@2.5", "3"),
        ("=\"9\"@@SIGN@@2", "4"),
        ("=A9@@SIGN@@2", "0"),
        ("=TRUE@@SIGN@@0.4", "2"),
    ]);
}

#[test]
fn it_binds_like_a_division() {
    all(&[
        ("=20@@SIGN@@6*2", "6"),
        ("=2*20@@SIGN@@6", "6"),
        ("=100@@SIGN@@7@@SIGN@@2", "7"),
        ("=1+7@@SIGN@@2", "4"),
        ("=20/8@@SIGN@@2", "1"),
        ("=2^3@@SIGN@@3", "2"),
        ("=50%@@SIGN@@0.2", "2"),
        ("=7@@SIGN@@2&\"x\"", "3x"),
        ("=7@@SIGN@@2=3", "TRUE"),
    ]);
}

#[test]
fn zero_and_other_errors() {
    all(&[("=7@@SIGN@@0", "#DIV/0!"), ("=0@@SIGN@@A9", "#DIV/0!"), ("=A3@@SIGN@@2", "#VALUE!"), ("=A4@@SIGN@@2", "#DIV/0!"), ("=#N/A@@SIGN@@2", "#N/A")]);
}

#[test]
fn formulas_keep_it() {
    for (text, printed) in [
        ("A1 @@SIGN@@ B1", "A1@@SIGN@@B1"),
        ("(A1@@SIGN@@B1)*2", "A1@@SIGN@@B1*2"),
        ("2*(A1@@SIGN@@B1)", "2*(A1@@SIGN@@B1)"),
        ("A1@@SIGN@@(B1@@SIGN@@2)", "A1@@SIGN@@(B1@@SIGN@@2)"),
        ("(A1+1)@@SIGN@@2", "(A1+1)@@SIGN@@2"),
        ("1+(A1@@SIGN@@2)", "1+A1@@SIGN@@2"),
        ("(A1@@SIGN@@2)^2", "(A1@@SIGN@@2)^2"),
        ("-(A1@@SIGN@@2)", "-(A1@@SIGN@@2)"),
    ] {
        let tree = parse(text).unwrap();
        assert_eq!(print(&tree), printed);
        assert_eq!(parse(printed).unwrap(), tree);
    }
    let file = "# gridtext 1\nA1 = 9\nB1 = =A1@@SIGN@@2\n";
    assert_eq!(storage::write(&storage::read(file, Settings::default()).unwrap()), file);
}

#[test]
fn copies_and_moves_keep_it() {
    let mut sheet = sheet(&[("A1", "9"), ("A2", "13"), ("B1", "=A1@@SIGN@@$A$1"), ("C1", "=2*(A1@@SIGN@@4)")]);
    sheet.copy(Range::parse("B1:C1").unwrap(), at("B2")).unwrap();
    assert_eq!(sheet.input(at("B2")), "=A2@@SIGN@@$A$1");
    assert_eq!(sheet.input(at("C2")), "=2*(A2@@SIGN@@4)");
    sheet.insert(Axis::Rows, 0, 1).unwrap();
    assert_eq!(sheet.input(at("B3")), "=A3@@SIGN@@$A$2");
    sheet.move_block(Range::parse("A3").unwrap(), at("F9")).unwrap();
    assert_eq!(sheet.input(at("C3")), "=2*(F9@@SIGN@@4)");
    assert_eq!(sheet.shown(at("C3")), "6");
    sheet.set(at("F9"), "16").unwrap();
    assert_eq!(sheet.shown(at("C3")), "8");
}

#[test]
fn the_function_does_the_same() {
    all(&[
        ("=@@FUNC@@(7,2)", "3"),
        ("=@@FUNC@@(-7,2)", "-4"),
        ("=@@FUNC@@(7,0)", "#DIV/0!"),
        ("=@@FUNC@@(A3,2)", "#VALUE!"),
        ("=@@FUNC@@(A1,A2)+1", "4"),
        ("=@@FUNC@@(7)", "#VALUE!"),
    ]);
    let mut memory = Memory::default();
    memory.run(&["functions"]);
    let maths = memory.printed.split("\nmaths\n").nth(1).unwrap().split("\nstats\n").next().unwrap();
    assert!(maths.contains("  @@FUNC@@ "), "{maths}");
}

#[derive(Default)]
struct Memory {
    files: BTreeMap<String, String>,
    printed: String,
}

impl Console for Memory {
    fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }

    fn read_input(&mut self) -> io::Result<String> {
        Ok(String::new())
    }

    fn read_file(&mut self, path: &str) -> io::Result<String> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "not there"))
    }

    fn write_file(&mut self, path: &str, text: &str) -> io::Result<()> {
        self.files.insert(path.to_string(), text.to_string());
        Ok(())
    }
}

impl Memory {
    fn run(&mut self, words: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        assert_eq!(run(&words, self), Ok(0));
    }
}

#[test]
fn it_is_explained() {
    let mut memory = Memory::default();
    let book = "# gridtext 1\nA1 = 17\nA2 = 5\nA3 = =A1@@SIGN@@A2\nA4 = =(A1+1)@@SIGN@@2\n";
    memory.files.insert("book".to_string(), book.to_string());
    memory.run(&["explain", "book", "A3"]);
    assert_eq!(memory.printed, "A3 is A1 @@WORDS@@ A2\n");
    memory.printed.clear();
    memory.run(&["explain", "book", "A4"]);
    assert_eq!(memory.printed, "A4 is (A1 plus 1) @@WORDS@@ 2\n");
}

#[test]
fn mistakes_name_it() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(message("@@SIGN@@2"), "formula, character 1: '@@SIGN@@' is not expected here");
    assert_eq!(message("2*@@SIGN@@3"), "formula, character 3: '@@SIGN@@' is not expected here");
    assert_eq!(message("7@@SIGN@@"), "formula, character 3: something is missing at the end");
}

#[test]
fn other_operators_are_as_before() {
    all(&[
        ("=7/2", "3.5"),
        ("=8-3-2", "3"),
        ("=2^3^2", "64"),
        ("=-2^2", "4"),
        ("=2*3%", "0.06"),
        ("=A1/A9", "#DIV/0!"),
        ("=A1&A2", "175"),
        ("=INT(-7/2)", "-4"),
        ("=MOD(-7,2)", "1"),
        ("=A1<>A2", "TRUE"),
    ]);
    assert_eq!(print(&parse("2*(A1/B1)-(3-1)").unwrap()), "2*(A1/B1)-(3-1)");
    assert_eq!(parse("1 + ;").unwrap_err().to_string(), "formula, character 5: ';' is not expected here");
}
