//! Writes CSV; only fields that need quotes get them.

/// The text of some records, a line each.
pub fn write(records: &[Vec<String>], separator: char) -> String {
    let mut text = String::new();
    for record in records {
        for (index, field) in record.iter().enumerate() {
            if index > 0 {
                text.push(separator);
            }
            text.push_str(&quoted(field, separator));
        }
        text.push('\n');
    }
    text
}

fn quoted(field: &str, separator: char) -> String {
    let special = |c: char| c == separator || matches!(c, '"' | '\n' | '\r');
    if field.contains(special) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::read;

    #[test]
    fn what_is_written_can_be_read() {
        let records = vec![vec!["a;b".to_string(), "say \"hi\"".to_string()], vec!["x\ny".to_string(), String::new()]];
        let text = write(&records, ';');
        assert_eq!(text, "\"a;b\";\"say \"\"hi\"\"\"\n\"x\ny\";\n");
        assert_eq!(read(&text, ';').unwrap(), records);
    }
}
