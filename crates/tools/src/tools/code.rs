//! What stands where in code, and what is wrong with it.

mod analyze_code;
mod each;
mod extract_functions;
mod find_references;
mod intel;
mod looking;
mod lsp;
mod page;
mod reading;
mod search_code;

use super::{Listed, ToolContext};
use crate::arguments::{Form, Kind, Need, Parameter};
use looking::{Looking, Plan};

/// The tools that look, in the order in which the model is told of them.
const LOOKS: [(&Form, Plan); 6] = [
    (&extract_functions::FORM, extract_functions::plan),
    (&find_references::FORM, find_references::plan),
    (&analyze_code::FORM, analyze_code::plan),
    (&search_code::FORM, search_code::plan),
    (&intel::context::FORM, intel::context::plan),
    (&intel::scan::FORM, intel::scan::plan),
];

/// The tools of this group.
pub(super) fn tools(kit: &ToolContext) -> Vec<Listed> {
    let looking = LOOKS.into_iter().map(|(form, plan)| -> Listed { (form, Box::new(Looking { form, plan })) });
    let lsp = lsp::Lsp::new(kit.workspace.clone(), kit.servers.clone(), kit.planning.clone());
    let lsp: Listed = (&lsp::FORM, Box::new(lsp));
    looking.chain([lsp]).collect()
}

/// The file or folder that is looked at. That it is the project where nothing is said needs no word.
const PLACE: Parameter = Parameter {
    name: "path",
    aliases: "dir directory folder file filename filepath dirpath directorypath folderpath root paths dirname files \
        target targetfile targetdirectory absolutepath relativepath relativeworkspacepath searchpath searchdirectory cwd \
        workingdirectory basepath scope uri",
    kind: Kind::Text,
    need: Need::Optional,
    says: "",
    example: "\"src\"",
};
