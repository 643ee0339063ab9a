//! Functions and operators, as they are written in cells.

use gridtext::{CellRef, Settings, Sheet};

/// What a formula shows in a sheet with a few values.
fn shown(formula: &str) -> String {
    let settings = Settings { today: gridtext::calendar::Date::new(2024, 2, 29), ..Settings::default() };
    let mut sheet = Sheet::new(settings);
    let values = [
        ("A1", "3"),
        ("A2", "1"),
        ("A3", "2"),
        ("A4", "two"),
        ("A5", "TRUE"),
        ("B1", "pear"),
        ("B2", "Plum"),
        ("B3", "fig"),
        ("C1", "=1/0"),
        ("D1", "2024-01-31"),
        ("E1", "10"),
        ("E2", "20"),
        ("E3", "30"),
    ];
    for (cell, text) in values {
        sheet.set(CellRef::parse(cell).unwrap(), text).unwrap();
    }
    let place = CellRef::parse("Z1").unwrap();
    sheet.set(place, &format!("={formula}")).unwrap();
    sheet.shown(place)
}

fn all(cases: &[(&str, &str)]) {
    for (formula, expected) in cases {
        assert_eq!(shown(formula), *expected, "{formula}");
    }
}

#[test]
fn operators() {
    all(&[
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("-7@@SIGN@@2", "-4"),
        ("@@FUNC@@(7,2)", "3"),
        ("8-3-2", "3"),
        ("2^3^2", "64"),
        ("-2^2", "4"),
        ("50%*A1", "1.5"),
        ("A1&B1", "3pear"),
        ("1+2&3", "33"),
        ("\"a\"<\"B\"", "TRUE"),
        ("A1<>A2", "TRUE"),
        ("1/A9", "#DIV/0!"),
        ("1+B1", "#VALUE!"),
        ("0^-1", "#DIV/0!"),
        ("A9=0", "TRUE"),
        ("A9=\"\"", "TRUE"),
        ("A1:A3+1", "#VALUE!"),
    ]);
}

#[test]
fn maths() {
    all(&[
        ("SUM(A1:A5)", "6"),
        ("SUM(A1:A5,\"4\",TRUE)", "11"),
        ("SUM(A1,C1)", "#DIV/0!"),
        ("PRODUCT(A1:A3)", "6"),
        ("ROUND(2.5)", "3"),
        ("ROUND(-1.005,2)", "-1.01"),
        ("ROUND(1234,-2)", "1200"),
        ("ROUNDUP(2.001,1)", "2.1"),
        ("TRUNC(-2.7)", "-2"),
        ("INT(-2.1)", "-3"),
        ("MOD(-7,3)", "2"),
        ("CEILING(7,5)", "10"),
        ("FLOOR(7,0)", "#DIV/0!"),
        ("GCD(12,18)", "6"),
        ("LCM(4,6)", "12"),
        ("LOG(1000)", "3"),
        ("SQRT(-1)", "#NUM!"),
        ("SUMPRODUCT(A1:A3,E1:E3)", "110"),
    ]);
}

#[test]
fn stats() {
    all(&[
        ("COUNT(A1:A6)", "3"),
        ("COUNTA(A1:A6)", "5"),
        ("COUNTBLANK(A1:A6)", "1"),
        ("AVERAGE(A1:A3)", "2"),
        ("AVERAGE(B1:B3)", "#DIV/0!"),
        ("MEDIAN(A1:A3,9)", "2.5"),
        ("MAX(B1:B3)", "0"),
        ("LARGE(A1:A3,2)", "2"),
        ("SMALL(A1:A3,4)", "#NUM!"),
        ("RANK(3,A1:A3)", "1"),
        ("COUNTIF(B1:B3,\"p*\")", "2"),
        ("SUMIF(A1:A3,\">1\",E1:E3)", "40"),
        ("SUMIF(A1:A3,\">=2\")", "5"),
        ("VAR(A1:A3)", "1"),
    ]);
}

#[test]
fn texts() {
    all(&[
        ("LEFT(B1,2)&RIGHT(B1)&MID(B1,2,2)", "perea"),
        ("LEN(\"größe\")", "5"),
        ("FIND(\"P\",B2)", "1"),
        ("FIND(\"P\",B1)", "#VALUE!"),
        ("SEARCH(\"M\",B2)", "4"),
        ("SUBSTITUTE(\"a-b-c\",\"-\",\"+\",2)", "a-b+c"),
        ("REPLACE(\"abcd\",2,2,\"x\")", "axd"),
        ("PROPER(\"o'neil and son\")", "O'Neil And Son"),
        ("TRIM(\"  a   b \")", "a b"),
        ("TEXTJOIN(\", \",TRUE,B1:B4)", "pear, Plum, fig"),
        ("TEXT(1234.5,\"#,##0.00\")", "1,234.50"),
        ("TEXT(D1,\"d mmm yyyy\")", "31 Jan 2024"),
        ("VALUE(\"12%\")", "0.12"),
        ("REPT(\"ab\",3)", "ababab"),
    ]);
}

#[test]
fn dates() {
    all(&[
        ("TEXT(EDATE(D1,1),\"yyyy-mm-dd\")", "2024-02-29"),
        ("TEXT(EOMONTH(D1,1),\"dd\")", "29"),
        ("DATE(2023,14,1)-DATE(2024,2,1)", "0"),
        ("YEAR(TODAY())", "2024"),
        ("WEEKDAY(D1)&WEEKDAY(D1,2)", "43"),
        ("DAYS(\"2024-03-01\",D1)", "30"),
        ("NETWORKDAYS(\"2024-02-26\",\"2024-03-03\")", "5"),
        ("NETWORKDAYS(\"2024-02-26\",\"2024-03-03\",TODAY())", "4"),
        ("ISOWEEKNUM(D1)", "5"),
        ("DATEVALUE(\"2024-02-30\")", "#VALUE!"),
    ]);
}

#[test]
fn lookups_and_logic() {
    all(&[
        ("VLOOKUP(\"fig\",B1:E3,4,FALSE)", "30"),
        ("VLOOKUP(\"kiwi\",B1:E3,4,FALSE)", "#N/A"),
        ("VLOOKUP(25,E1:E3,1)", "20"),
        ("INDEX(E1:E3,2)", "20"),
        ("INDEX(A1:B3,3,2)", "fig"),
        ("INDEX(A1:B3,4,1)", "#REF!"),
        ("MATCH(\"pl*\",B1:B3,0)", "2"),
        ("IF(A1>2,\"yes\",C1)", "yes"),
        ("IFERROR(C1,\"none\")", "none"),
        ("IFNA(C1,0)", "#DIV/0!"),
        ("CHOOSE(2,C1,\"b\")", "b"),
        ("AND(A1:A3,TRUE)", "TRUE"),
        ("XOR(TRUE,TRUE)", "FALSE"),
        ("ISERROR(C1)", "TRUE"),
        ("ISBLANK(A9)", "TRUE"),
        ("NOSUCH(1)", "#NAME?"),
        ("SQRT(1,2)", "#VALUE!"),
    ]);
}
