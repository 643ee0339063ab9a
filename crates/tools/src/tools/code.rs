//! What stands where in code, and what is wrong with it.

mod analyze_code;
mod each;
mod extract_functions;
mod find_references;
mod intel;
mod lsp;
mod page;
mod reading;
mod search_code;

use super::{Kit, Listed};
use crate::arguments::{Kind, Need, Parameter};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    let workspace = || kit.workspace.clone();
    let mut tools: Vec<Listed> = vec![
        (&extract_functions::FORM, Box::new(extract_functions::ExtractFunctions::new(workspace()))),
        (&find_references::FORM, Box::new(find_references::FindReferences::new(workspace()))),
        (&analyze_code::FORM, Box::new(analyze_code::AnalyzeCode::new(workspace()))),
        (&search_code::FORM, Box::new(search_code::SearchCode::new(workspace()))),
    ];
    tools.extend(intel::tools(kit));
    let lsp = lsp::Lsp::new(kit.workspace.clone(), kit.servers.clone(), kit.planning.clone());
    tools.push((&lsp::FORM, Box::new(lsp)));
    tools
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
