//! The table of all dialects, one file for each or for a family of them, in the order in which they are tried where two
//! could match.
//!
//! To add one: its cases, its file, its line here.

pub(crate) use think_end::{ENDS as REASONING_ENDS, end_of_reasoning, mark_here};

use crate::table::Dialect;

macro_rules! table {
    ($($file:ident: $($dialect:ident)+,)*) => {
        $(mod $file;)*
        pub(crate) static TABLE: &[&Dialect] = &[$($(&$file::$dialect),+),*];
    };
}

table! {
    // Reasoning, made-up results, and marks without meaning.
    think: DIALECT,
    think_end: DIALECT,
    invented: MARKED ANNOUNCED,
    sections: CALLS DIALECT,
    end_tokens: DIALECT,
    // The seed dialects, in the order of the seed.
    deepseek: DIALECT,
    invoke: PLAIN STEP3 MUSE,
    json_array: DIALECT,
    function_json: DIALECT,
    markdown_heading: DIALECT,
    tool_use: DIALECT,
    mistral: DIALECT,
    // Native formats.
    qwen3_coder: DIALECT,
    arg_pairs: GLM LONGCAT K2_HORIZON,
    hermes: DIALECT,
    deepseek_dsml: DIALECT,
    kimi_k2: DIALECT,
    harmony: DIALECT,
    harmony_stripped: DIALECT,
    command_r: DIALECT,
    between_marks: GRANITE GRANITE_20B PHI4 NEMOTRON JAMBA APERTUS INKLING,
    internlm: DIALECT,
    python_tag: DIALECT,
    lfm2: DIALECT,
    pythonic: DIALECT,
    tool_code: DIALECT,
    gemma: GEMMA4 FUNCTIONGEMMA STRIPPED,
    functionary: DIALECT,
    kimi_k3: DIALECT,
    minimax_m3: DIALECT,
    // Forms of other clients.
    react: DIALECT,
    gptme: DIALECT,
    continue_block: DIALECT,
    tool_element: DIALECT,
    // Rarer native formats.
    gigachat: DIALECT,
    dots: DIALECT,
    function_element: DIALECT,
    minicpm5: DIALECT,
    plamo3: DIALECT,
    // Last, for it begins with no mark at all.
    named: DIALECT,
}
