//! Packs the tasks with the projects that they share into one compressed archive, which `src/embedded.rs` reads. An entry is its path, a zero, its length in four bytes, and its content.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let tasks = Path::new("../../assets/bench/tasks");
    println!("cargo::rerun-if-changed={}", tasks.display());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?);
    let mut archive = GzEncoder::new(fs::File::create(out.join("tasks.gz"))?, Compression::best());
    pack(tasks, tasks, &mut archive)?;
    archive.finish()?.flush()
}

fn pack(tasks: &Path, path: &Path, archive: &mut impl Write) -> io::Result<()> {
    if path.is_dir() {
        return sorted(path)?.iter().try_for_each(|path| pack(tasks, path, archive));
    }
    if !path.is_file() {
        return Ok(());
    }
    let name = path.strip_prefix(tasks).map_err(io::Error::other)?;
    let content = fs::read(path)?;
    let length = u32::try_from(content.len()).map_err(io::Error::other)?;
    archive.write_all(name.to_string_lossy().as_bytes())?;
    archive.write_all(&[0])?;
    archive.write_all(&length.to_le_bytes())?;
    archive.write_all(&content)
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
