//! The arrows between the crates of the house.

/// Who may use whom inside the house; see `docs/ARCHITECTURE.md`.
pub(crate) const MAY_USE: &[(&str, &[&str])] = &[
    ("agent-protocol", &[]),
    ("agent-syntax", &[]),
    ("agent-policy", &["agent-protocol"]),
    ("agent-dialects", &["agent-protocol"]),
    ("agent-store", &["agent-policy", "agent-protocol"]),
    ("agent-backend", &["agent-protocol"]),
    ("agent-mock-server", &[]),
    ("agent-sandbox", &["agent-policy", "agent-protocol"]),
    ("agent-tools", &["agent-syntax", "agent-policy", "agent-protocol", "agent-sandbox"]),
    ("agent-session", &["agent-dialects", "agent-policy", "agent-protocol"]),
    ("agent-loop", &["agent-backend", "agent-policy", "agent-protocol", "agent-store", "agent-tools", "agent-session"]),
    ("agent-bench", &["agent-policy", "agent-protocol", "agent-sandbox"]),
    ("agent-tui", &["agent-protocol"]),
    ("agent-headless", &["agent-protocol"]),
    ("agent-acp", &["agent-protocol"]),
    (
        "agent",
        &[
            "agent-acp",
            "agent-backend",
            "agent-bench",
            "agent-dialects",
            "agent-headless",
            "agent-loop",
            "agent-policy",
            "agent-protocol",
            "agent-mock-server",
            "agent-sandbox",
            "agent-store",
            "agent-tools",
            "agent-tui",
            "agent-session",
        ],
    ),
];
