//! How long it takes to tell whether a change breaks a file of 1,000 lines. `cargo bench -p agent-syntax`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark looks at the clock and prints what it saw"
)]

use std::time::{Duration, Instant};

/// Lines of a file, and milliseconds that it may take to see that it is whole.
const LINES: usize = 1_000;
const ENOUGH: f64 = 5.0;
/// How often it is measured; the best counts.
const ROUNDS: usize = 100;

/// A name, what stands at the top, what is repeated with another number each time, and what breaks it.
type Sample = (&'static str, &'static str, &'static str, [&'static str; 2]);

const SAMPLES: &[Sample] = &[
    (
        "a.py",
        "import os\n\n\n",
        "def load_#(path, *, limit=10):\n    \"\"\"Reads what is there.\"\"\"\n    found = []\n    with open(path) as file:\n        \
         for line in file:\n            if line.strip() and len(found) < limit:\n                found.append(line.split(\"=\", 1))\n    \
         return {key: value for key, value in found}\n\n\n",
        ["file:\n        for", "file:\n    for"],
    ),
    (
        "a.rs",
        "use std::io;\n\n",
        "/// Reads what is there.\npub fn load_#(path: &Path, limit: usize) -> io::Result<Vec<String>> {\n    let text = \
         std::fs::read_to_string(path)?;\n    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());\n    match \
         limit {\n        0 => Ok(Vec::new()),\n        _ => Ok(lines.take(limit).map(str::to_owned).collect()),\n    }\n}\n\n",
        ["collect()),", "collect(),"],
    ),
    (
        "a.js",
        "import fs from \"fs\";\n\n",
        "/**\n * Reads what is there, and gives it by its names.\n */\nexport async function load#(path, { limit = 10 } = {}) {\n  const text = await fs.promises.readFile(path, \"utf8\");\n  const \
         lines = text.split(/\\r?\\n/).filter((line) => line.trim() !== \"\");\n  if (lines.length > limit) {\n    throw new \
         Error(`${path} has ${lines.length} lines`);\n  }\n  return Object.fromEntries(lines.map((line) => line.split(\"=\")));\n}\n\n",
        ["split(\"=\")));", "split(\"=\"));"],
    ),
    (
        "a.tsx",
        "import React from \"react\";\n\n",
        "/** A row of the list, which can be picked. */\nexport const Row# = ({ item, onPick }: { item: Item; onPick?: (id: string) => void }) => (\n  <li className=\"row\" \
         onClick={() => onPick?.(item.id)}>\n    {item.count > 0 ? <b>{item.count}</b> : null}\n    <span>{`${item.name} \
         #`}</span>\n  </li>\n);\n\n",
        ["</li>", ""],
    ),
    (
        "a.go",
        "package a\n\n",
        "// Load# reads what is there.\nfunc Load#(path string, limit int) (map[string]string, error) {\n\tdata, err := \
         os.ReadFile(path)\n\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"load %s: %w\", path, err)\n\t}\n\tfound := \
         map[string]string{}\n\tfor _, line := range strings.Split(string(data), \"\\n\") {\n\t\tkey, value, ok := \
         strings.Cut(line, \"=\")\n\t\tif ok && len(found) < limit {\n\t\t\tfound[key] = value\n\t\t}\n\t}\n\treturn found, \
         nil\n}\n\n",
        ["err)\n\t}", "err)"],
    ),
    (
        "A.java",
        "package a;\n\n",
        "class Load# {\n    private final Map<String, String> found = new HashMap<>();\n\n    int load(Path path, int limit) throws \
         IOException {\n        for (String line : Files.readAllLines(path)) {\n            if (!line.isBlank() && found.size() < \
         limit) {\n                found.put(line.split(\"=\")[0], line);\n            }\n        }\n        return \
         found.size();\n    }\n}\n\n",
        ["line);\n            }", "line);"],
    ),
    (
        "a.sh",
        "#!/bin/bash\n",
        "load_#() {\n  local path=$1 limit=${2:-10} count=0\n  while IFS== read -r key value; do\n    if [[ -n $key ]]; then\n      \
         count=$((count + 1))\n      echo \"$key: ${value//a/b}\"\n    fi\n  done < \"$path\"\n  return 0\n}\n\n",
        ["    fi\n", ""],
    ),
    (
        "a.json",
        "[\n",
        "  {\"id\": #, \"name\": \"item #\", \"tags\": [\"a\", \"b\"], \"size\": {\"w\": 1, \"h\": 2}},\n",
        ["}},", "},"],
    ),
    (
        "a.yaml",
        "items:\n",
        "  - name: item #\n    run: |\n      make test\n    with: { depth: 0, tags: [a, b] }\n    env:\n      A: \"1\"\n",
        ["      A:", "   A:"],
    ),
    (
        "a.toml",
        "[all]\n",
        "[[item]]\nname = \"item #\"\ntags = [\"a\", \"b\"]\nsize = { w = 1, h = 2 }\n\n",
        ["tags = ", "tags "],
    ),
];

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let mut missed = Vec::new();
    println!("{:10} {:>7} {:>16} {:>16}", "ms", "KB", "whole", "broken");
    for (path, top, repeated, [found, instead]) in SAMPLES {
        let before = text(top, repeated, path.ends_with("json"));
        let whole = before.replacen("item", "thing", 1);
        let middle = before[before.len() / 2..].find(found).map_or(0, |at| before.len() / 2 + at);
        let broken = format!("{}{}", &before[..middle], before[middle..].replacen(found, instead, 1));
        let is_told = agent_syntax::new_fault(path, Some(&before), &broken).is_some();
        let is_silent = agent_syntax::new_fault(path, Some(&before), &whole).is_none();
        let rounds = if quick { 1 } else { ROUNDS };
        let [of_whole, of_broken] = [&whole, &broken].map(|after| best(rounds, path, &before, after));
        println!("{path:10} {:>7} {of_whole:>16.2} {of_broken:>16.2}", before.len() / 1_024);
        if !is_told || !is_silent || of_whole > ENOUGH {
            missed.push(format!("{path}: {of_whole:.2} ms, told {is_told}, silent {is_silent}"));
        }
    }
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

/// 1,000 lines of it.
fn text(top: &str, repeated: &str, is_list: bool) -> String {
    let mut text = top.to_owned();
    let mut lines = top.matches('\n').count();
    for number in 0.. {
        if lines >= LINES {
            break;
        }
        text.push_str(&repeated.replace('#', &number.to_string()));
        lines += repeated.matches('\n').count();
    }
    if is_list { format!("{}\n]\n", text.trim_end_matches(",\n")) } else { text }
}

/// Milliseconds of the fastest round.
fn best(rounds: usize, path: &str, before: &str, after: &str) -> f64 {
    let once = |_| {
        let began = Instant::now();
        std::hint::black_box(agent_syntax::new_fault(path, Some(before), after));
        began.elapsed()
    };
    (0..rounds).map(once).min().unwrap_or(Duration::ZERO).as_secs_f64() * 1_000.0
}
