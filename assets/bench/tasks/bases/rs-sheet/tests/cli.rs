//! The program, with files in memory.

use std::collections::BTreeMap;
use std::io;

use gridtext::cli::{run, Console};
use gridtext::SheetError;

#[derive(Default)]
struct Memory {
    files: BTreeMap<String, String>,
    input: String,
    printed: String,
}

impl Console for Memory {
    fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }

    fn read_input(&mut self) -> io::Result<String> {
        Ok(std::mem::take(&mut self.input))
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
    fn with(file: &str, text: &str) -> Memory {
        Memory { files: BTreeMap::from([(file.to_string(), text.to_string())]), ..Memory::default() }
    }

    fn run(&mut self, words: &[&str]) -> Result<u8, SheetError> {
        self.printed.clear();
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        run(&words, self)
    }
}

const BOOK: &str = "# gridtext 1\nA1 = eggs\nB1 = 12\nA2 = milk\nB2 [0.00] = 1.5\nB3 = =B1*B2\n";

#[test]
fn sheets_are_shown_as_tables() {
    let mut memory = Memory::with("book", BOOK);
    memory.run(&["show", "book"]).unwrap();
    assert_eq!(memory.printed, "  |  A   |  B\n--+------+------\n1 | eggs |   12\n2 | milk | 1.50\n3 |      |   18\n");
    memory.run(&["show", "book", "B2:B3"]).unwrap();
    assert_eq!(memory.printed, "  |  B\n--+------\n2 | 1.50\n3 |   18\n");
}

#[test]
fn cells_are_set_and_explained() {
    let mut memory = Memory::with("book", BOOK);
    memory.run(&["set", "book", "B4", "=SUM(B1:B3)-B1*2"]).unwrap();
    memory.run(&["get", "book", "B4"]).unwrap();
    assert_eq!(memory.printed, "7.5\n");
    memory.run(&["explain", "book", "B4"]).unwrap();
    assert_eq!(memory.printed, "B4 is (SUM of B1:B3) minus (B1 times 2)\n");
    memory.run(&["explain", "book", "B2"]).unwrap();
    assert_eq!(memory.printed, "B2 holds 1.50\nused by B3, B4\n");
}

#[test]
fn errors_are_listed() {
    let mut memory = Memory::with("book", "# gridtext 1\nA1 = =1/0\nA2 = =A1\n");
    assert_eq!(memory.run(&["check", "book"]), Ok(1));
    assert_eq!(memory.printed.lines().count(), 2);
    let mut memory = Memory::with("book", BOOK);
    assert_eq!(memory.run(&["check", "book"]), Ok(0));
}

#[test]
fn tables_come_and_go_as_csv() {
    let mut memory = Memory::with("in.csv", "a;1,5\n\"=x\";2\n");
    memory.files.insert("conf".to_string(), "decimal = ,\ngroup = .\nseparator = ;\n".to_string());
    memory.run(&["--config", "conf", "import", "in.csv", "new"]).unwrap();
    assert_eq!(memory.files["new"], "# gridtext 1\nA1 = a\nB1 = 1,5\nA2 = '=x\nB2 = 2\n");
    memory.run(&["--config", "conf", "set", "new", "B3", "=B1+B2"]).unwrap();
    memory.run(&["--config", "conf", "export", "new"]).unwrap();
    assert_eq!(memory.printed, "a;1,5\n=x;2\n;3,5\n");
    memory.run(&["--config", "conf", "export", "new", "--formulas"]).unwrap();
    assert_eq!(memory.printed, "a;1,5\n'=x;2\n;=B1+B2\n");
}

#[test]
fn scripts_change_sheets() {
    let mut memory = Memory::with("book", BOOK);
    memory.input =
        "# a comment\nsort A1:B2 A desc\nget A1\nundo\nget A1\nlog\nreplace A1:A9 eggs bread\nsave\n".to_string();
    memory.run(&["run", "book"]).unwrap();
    assert_eq!(memory.printed, "milk\nundone: sort A1:B2\neggs\n1 cells changed\n");
    assert!(memory.files["book"].contains("A1 = bread\n"));
}

#[test]
fn scripts_end_at_the_first_mistake() {
    let mut memory = Memory::with("book", BOOK);
    memory.input = "set A1 x\n\nfly A1\nsave\n".to_string();
    assert_eq!(memory.run(&["run", "book"]).unwrap_err().to_string(), "line 3: 'fly' is not understood here");
    assert_eq!(memory.files["book"], BOOK);
}

#[test]
fn files_that_are_not_there_are_named() {
    let mut memory = Memory::default();
    assert_eq!(memory.run(&["show", "none"]).unwrap_err().to_string(), "none: not there");
    assert!(memory.run(&["shout", "none"]).is_err());
    assert_eq!(memory.run(&["functions"]), Ok(0));
    assert!(memory.printed.contains("  VLOOKUP "));
}
