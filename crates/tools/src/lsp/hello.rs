//! How we introduce ourselves to a server: what we understand, and where the project is.

use super::address;
use serde_json::{Value, json};
use std::path::Path;

/// The first thing it is told. No id of ours: behind its fence it would look for us in vain, and end.
pub(super) fn hello(root: &Path) -> Value {
    let name = root.file_name().map_or_else(|| "project".into(), |name| name.to_string_lossy());
    let uri = address::of(root);
    json!({
        "processId": null,
        "clientInfo": { "name": "agent", "version": env!("CARGO_PKG_VERSION") },
        "rootPath": root.to_string_lossy(),
        "rootUri": uri,
        "workspaceFolders": [{ "uri": uri, "name": name }],
        "capabilities": {
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "window": { "workDoneProgress": true },
            "workspace": {
                "configuration": true,
                "workspaceFolders": true,
                "applyEdit": false,
                "workspaceEdit": { "documentChanges": true, "failureHandling": "abort" },
                "symbol": {},
            },
            "textDocument": text_document(),
            "experimental": { "serverStatusNotification": true },
        },
    })
}

fn text_document() -> Value {
    json!({
        "synchronization": {},
        "definition": { "linkSupport": true },
        "references": {},
        "hover": { "contentFormat": ["plaintext", "markdown"] },
        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        "completion": { "completionItem": { "snippetSupport": false } },
        "rename": { "prepareSupport": false },
        "publishDiagnostics": { "versionSupport": true },
        "diagnostic": {},
    })
}
