//! The table of all dialects, one file each, in the order in which they are tried where two could match.
//!
//! To add one: its cases, its file, its line here.

pub(crate) use think_end::ENDS as REASONING_ENDS;

use crate::table::Dialect;

macro_rules! table {
    ($($dialect:ident,)*) => {
        $(mod $dialect;)*
        pub(crate) static TABLE: &[&Dialect] = &[$(&$dialect::DIALECT),*];
    };
}

table! {
    // Reasoning, made-up results, and marks without meaning.
    think,
    think_end,
    invented,
    invented_words,
    sections,
    end_tokens,
    // The seed dialects, in the order of the seed.
    deepseek,
    invoke,
    json_array,
    function_json,
    markdown_heading,
    tool_use,
    mistral,
    // Native formats.
    qwen3_coder,
    glm,
    hermes,
    deepseek_dsml,
    kimi_k2,
    step3,
    harmony,
    harmony_stripped,
    command_r,
    granite,
    granite_20b,
    phi4,
    nemotron,
    jamba,
    internlm,
    apertus,
    python_tag,
    lfm2,
    pythonic,
    tool_code,
    gemma4,
    functiongemma,
    gemma_stripped,
    functionary,
    kimi_k3,
    minimax_m3,
    // Forms of other clients.
    react,
    gptme,
    continue_block,
    tool_element,
    // Rarer native formats.
    longcat,
    gigachat,
    dots,
    ifm,
    minicpm5,
    muse,
    inkling,
    plamo3,
    // Last, for it begins with no mark at all.
    named,
}
