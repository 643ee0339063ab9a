//! JSON between marks that nothing else uses: there is no more to these than the marks.

use crate::table::Dialect;
use crate::tagged::block;

/// Granite 3: an array.
pub(super) static GRANITE: Dialect =
    Dialect::marked("granite", &["<|tool_call|>"], |page| block(page, page.opener, &[]));

/// Granite 20B: an object.
pub(super) static GRANITE_20B: Dialect =
    Dialect::marked("granite-20b", &["<function_call>", "<functioncall>"], |page| {
        block(page, page.opener, GRANITE_20B.tails)
    })
    .tails(&["</function_call>", "</functioncall>"]);

/// Phi-4-mini, Firefunction: the mark ends with the bracket of the array.
pub(super) static PHI4: Dialect = Dialect::marked("phi4", &["functools["], |page| block(page, page.opener - 1, &[]));

/// Nemotron Nano v2, Deci: an array.
pub(super) static NEMOTRON: Dialect =
    Dialect::marked("nemotron", &["<TOOLCALL>"], |page| block(page, page.opener, NEMOTRON.tails))
        .tails(&["</TOOLCALL>"]);

/// Jamba, Hunyuan A13B, Apriel: an array.
pub(super) static JAMBA: Dialect =
    Dialect::marked("jamba", &["<tool_calls>"], |page| block(page, page.opener, JAMBA.tails)).tails(&["</tool_calls>"]);

/// Apertus: an array of `{"name": {arguments}}`.
pub(super) static APERTUS: Dialect =
    Dialect::marked("apertus", &["<|tools_prefix|>"], |page| block(page, page.opener, APERTUS.tails))
        .tails(&["<|tools_suffix|>"]);

/// Inkling: an object, closed by what ends the message.
pub(super) static INKLING: Dialect = Dialect::marked("inkling", &["<|content_invoke_tool_json|>"], |page| {
    block(page, page.opener, &["<|end_message|>", "<|content_model_end_sampling|>"])
});
