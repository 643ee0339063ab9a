//! Which server is for which file, what it is started with, and how one gets it.

/// A language with the servers that we know for it.
pub(super) struct Known {
    pub(super) language: &'static str,
    pub(super) extensions: &'static str,
    /// Command lines, the best first.
    pub(super) servers: &'static [&'static str],
    /// How to get one of them.
    pub(super) install: &'static str,
}

pub(super) static KNOWN: &[Known] = &[
    Known {
        language: "Rust",
        extensions: "rs",
        servers: &["rust-analyzer"],
        install: "rustup component add rust-analyzer",
    },
    Known {
        language: "Python",
        extensions: "py pyi",
        servers: &["basedpyright-langserver --stdio", "pyright-langserver --stdio", "pylsp"],
        install: "pip install python-lsp-server",
    },
    Known {
        language: "JavaScript and TypeScript",
        extensions: "ts tsx mts cts js jsx mjs cjs",
        servers: &["typescript-language-server --stdio"],
        install: "npm install -g typescript typescript-language-server",
    },
    Known {
        language: "Go",
        extensions: "go",
        servers: &["gopls"],
        install: "go install golang.org/x/tools/gopls@latest",
    },
    Known {
        language: "C and C++",
        extensions: "c h cc cpp cxx hh hpp hxx",
        servers: &["clangd"],
        install: "apt install clangd, or brew install llvm",
    },
    Known {
        language: "Java",
        extensions: "java",
        servers: &["jdtls"],
        install: "brew install jdtls, or from https://download.eclipse.org/jdtls",
    },
    Known {
        language: "shell scripts",
        extensions: "sh bash",
        servers: &["bash-language-server start"],
        install: "npm install -g bash-language-server",
    },
];

/// Those that say when they have seen all there is.
pub(super) const ANNOUNCE: &[&str] = &["rust-analyzer"];

/// What servers call the language of a file with this ending.
pub(super) fn language_id(extension: &str) -> &str {
    match extension {
        "rs" => "rust",
        "py" | "pyi" => "python",
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "typescriptreact",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "javascriptreact",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => "cpp",
        "h" => "c",
        "sh" | "bash" => "shellscript",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_ending_belongs_to_two_languages() {
        let mut seen = HashSet::new();
        for extension in KNOWN.iter().flat_map(|known| known.extensions.split(' ')) {
            assert!(seen.insert(extension), "{extension}");
            assert!(!language_id(extension).is_empty());
        }
    }
}
