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

use super::{Kit, Listed, spec};
use crate::arguments::{Form, Kind, Need, Parameter};
use looking::{Looking, Plan};

/// A tool that looks: its form, what the model is told of it, and what it does.
type Row = (&'static Form, &'static str, Plan);

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    let looking = looks().into_iter().chain(intel::tools(&kit.runner)).map(|(form, says, plan)| -> Listed {
        (form, Box::new(Looking { form, says, workspace: kit.workspace.clone(), plan }))
    });
    let lsp = lsp::Lsp::new(kit.workspace.clone(), kit.servers.clone(), kit.planning.clone());
    let lsp: Listed = (&lsp::FORM, Box::new(lsp));
    looking.chain([lsp]).collect()
}

fn looks() -> Vec<Row> {
    vec![
        (&extract_functions::FORM, include_str!("code/extract_functions.md"), Box::new(extract_functions::plan)),
        (&find_references::FORM, include_str!("code/find_references.md"), Box::new(find_references::plan)),
        (&analyze_code::FORM, include_str!("code/analyze_code.md"), Box::new(analyze_code::plan)),
        (&search_code::FORM, include_str!("code/search_code.md"), Box::new(search_code::plan)),
    ]
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
