//! What was kept comes back, whole or not at all.

use super::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// A state folder, and contents in it.
struct Shop {
    folder: TempDir,
}

impl Shop {
    fn new() -> Self {
        Shop { folder: tempfile::tempdir().unwrap() }
    }

    fn place(&self) -> Place {
        Place::new(self.folder.path().join("state"))
    }

    fn contents(&self) -> Contents {
        Contents::new(&self.place(), &Folder::at(self.folder.path()).unwrap())
    }

    /// The files of all objects.
    fn objects(&self) -> Vec<PathBuf> {
        let undo = self.folder.path().join("state/undo");
        files(&undo).into_iter().filter(|file| !file.starts_with(undo.join("in-use"))).collect()
    }

    fn bytes(&self) -> u64 {
        self.objects().iter().map(|file| file.metadata().unwrap().len()).sum()
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Bytes without a pattern, always the same ones.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(next).collect()
}

/// Lines of a program, about so many bytes.
fn program(length: usize) -> String {
    let line = |n: usize| format!("    let part_{} = gather(&input[{}..], {n})?;\n", n * 7_919 % 1_009, n % 64);
    (0..length / 40).map(line).collect()
}

fn sha256(bytes: &[u8]) -> Digest {
    Name::of(bytes).digest()
}

#[test]
fn every_size_comes_back_as_it_was() {
    let shop = Shop::new();
    let contents = shop.contents();
    let noise = noise(300_000);
    let pattern = vec![0_u8; 300_000];
    for size in [0, 1, 2, 4_095, 4_096, SMALL - 1, SMALL, SMALL + 1, 65_535, 65_536, 65_537, 100_000, 300_000] {
        for bytes in [&noise[..size], &pattern[..size]] {
            let digest = contents.keep(bytes).unwrap();
            assert_eq!(digest, sha256(bytes));
            assert!(contents.has(&digest), "{size}");
            assert!(contents.fetch(&digest).unwrap() == bytes, "{size}");
            assert!(shop.contents().fetch(&digest).unwrap() == bytes, "{size} in another session");
        }
    }
}

#[test]
fn a_digest_is_that_of_the_rest_of_the_house() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(Shop::new().contents().keep(b"").unwrap(), Digest(empty.into()));
}

#[test]
fn the_same_content_is_kept_once() {
    let shop = Shop::new();
    for _ in 0..3 {
        let contents = shop.contents();
        contents.keep(b"small").unwrap();
        contents.keep(b"small").unwrap();
    }
    assert_eq!(shop.objects().len(), 1);
}

#[test]
fn a_large_content_that_changed_a_little_costs_a_little() {
    let shop = Shop::new();
    let contents = shop.contents();
    let mut text = noise(1_000_000);
    contents.keep(&text).unwrap();
    let before = shop.bytes();
    text.splice(500_000..500_010, *b"something longer");
    contents.keep(&text).unwrap();
    let grown = shop.bytes() - before;
    assert!(grown < 140_000, "two pieces at most and a list: {grown}");
}

#[test]
fn a_thousand_edits_of_a_large_file_grow_by_less_than_40_mb_at_this_rate() {
    let shop = Shop::new();
    let contents = shop.contents();
    let mut lines: Vec<String> = program(1_000_000).lines().map(str::to_owned).collect();
    contents.keep(lines.join("\n").as_bytes()).unwrap();
    let before = shop.bytes();
    let edits = 100;
    for edit in 0..edits {
        let line = edit * 7_919 % lines.len();
        lines[line] = format!("    // edit {edit}");
        contents.keep(lines.join("\n").as_bytes()).unwrap();
    }
    let grown = shop.bytes() - before;
    assert!(grown / edits as u64 * 1_000 < 40_000_000, "{grown} bytes for {edits} edits");
}

/// That it really lasts only a power cut can show.
#[test]
fn what_is_made_to_last_is_whole_and_what_is_not_there_cannot_be() {
    let shop = Shop::new();
    let contents = shop.contents();
    for bytes in [&b"small"[..], &noise(200_000)] {
        let digest = contents.keep(bytes).unwrap();
        for contents in [&contents, &shop.contents(), &contents] {
            contents.settle(&digest).unwrap();
            assert!(contents.fetch(&digest).unwrap() == bytes);
        }
        let list = contents.shelf.path(Name::of(bytes));
        let mut objects = shop.objects();
        objects.sort_by_key(|file| *file == list);
        fs::remove_file(&objects[0]).unwrap();
        assert_eq!(shop.contents().settle(&digest).unwrap_err().kind(), io::ErrorKind::NotFound);
        contents.keep(bytes).unwrap();
        contents.settle(&digest).unwrap();
        objects.iter().filter(|file| file.exists()).for_each(|file| fs::remove_file(file).unwrap());
    }
    for name in [sha256(b"never").0, String::new()] {
        assert_eq!(contents.settle(&Digest(name)).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn what_was_never_kept_is_said_to_be_gone() {
    let contents = Shop::new().contents();
    for name in [sha256(b"never").0, String::new(), "../../etc/passwd".into(), "E".repeat(64), "é".repeat(32)] {
        let digest = Digest(name);
        let error = contents.fetch(&digest).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::NotFound, "its bytes are not kept any more")
        );
        assert!(!contents.has(&digest));
        contents.touch(&digest);
    }
}

#[test]
fn a_damaged_object_is_noticed_and_made_good_by_keeping_it_again() {
    let text = program(30_000).into_bytes();
    for spoilt in
        [vec![], vec![0; 4_096], b"p".to_vec(), b"z\xff\xff\xff\xffabc".to_vec(), b"l".repeat(33), b"pother".to_vec()]
    {
        let shop = Shop::new();
        let digest = shop.contents().keep(&text).unwrap();
        fs::write(&shop.objects()[0], &spoilt).unwrap();
        let error = shop.contents().fetch(&digest).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::InvalidData, "its kept bytes are damaged")
        );
        shop.contents().keep(&text).unwrap();
        assert!(shop.contents().fetch(&digest).unwrap() == text, "{spoilt:?}");
    }
}

#[test]
fn a_large_content_without_one_of_its_pieces_is_not_there_until_it_is_kept_again() {
    let bytes = noise(200_000);
    let shop = Shop::new();
    let digest = shop.contents().keep(&bytes).unwrap();
    let list = shop.folder.path().join("state/undo").join(workspace(shop.folder.path()));
    let list = list.join(&digest.0[..2]).join(&digest.0[2..]);
    for piece in shop.objects().into_iter().filter(|file| *file != list) {
        for spoilt in [None, Some(vec![]), Some(b"pother".to_vec())] {
            match spoilt {
                None => fs::remove_file(&piece).unwrap(),
                Some(file) => fs::write(&piece, file).unwrap(),
            }
            assert_eq!(shop.contents().fetch(&digest).unwrap_err().kind(), io::ErrorKind::InvalidData);
            shop.contents().keep(&bytes).unwrap();
            assert!(shop.contents().fetch(&digest).unwrap() == bytes);
        }
        fs::remove_file(&piece).unwrap();
        assert!(!shop.contents().has(&digest));
        shop.contents().keep(&bytes).unwrap();
    }
}

#[test]
fn an_object_that_was_taken_away_in_the_session_is_written_anew() {
    let shop = Shop::new();
    let contents = shop.contents();
    let (small, large) = (b"small".to_vec(), noise(200_000));
    for bytes in [small, large] {
        let digest = contents.keep(&bytes).unwrap();
        shop.objects().iter().for_each(|file| fs::remove_file(file).unwrap());
        contents.keep(&bytes).unwrap();
        assert!(contents.fetch(&digest).unwrap() == bytes);
    }
}

#[test]
fn many_may_keep_the_same_at_once() {
    let shop = Shop::new();
    let noise = noise(400_000);
    let all: Vec<&[u8]> = noise.chunks(1_000).chain([&noise[..], &noise[..100_000]]).collect();
    let shared = shop.contents();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            // Others of the same session, and other sessions.
            let (own, all, shared) = (shop.contents(), &all, &shared);
            scope.spawn(move || all.iter().for_each(|bytes| assert_eq!(own.keep(bytes).unwrap(), sha256(bytes))));
            scope.spawn(move || all.iter().for_each(|bytes| assert_eq!(shared.keep(bytes).unwrap(), sha256(bytes))));
        }
    });
    for bytes in &all {
        assert!(shop.contents().fetch(&sha256(bytes)).unwrap() == *bytes);
    }
    let unfinished =
        shop.objects().iter().filter(|file| file.file_name().unwrap().to_string_lossy().starts_with('.')).count();
    assert_eq!(unfinished, 0, "nothing is left beside the objects");
}

#[test]
fn what_is_kept_is_for_the_person_alone() {
    let shop = Shop::new();
    let contents = shop.contents();
    contents.keep(&noise(100_000)).unwrap();
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777;
    let state = shop.folder.path().join("state");
    for file in files(&state) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(&state)) {
            assert_eq!(mode(folder), 0o700, "{}", folder.display());
        }
    }
}

#[test]
fn nothing_is_kept_where_others_can_write() {
    let shop = Shop::new();
    fs::create_dir(shop.folder.path().join("state")).unwrap();
    fs::set_permissions(shop.folder.path().join("state"), Permissions::from_mode(0o777)).unwrap();
    let error = shop.contents().keep(b"x").unwrap_err();
    assert!(error.to_string().contains("can be written by others"), "{error}");
    assert_eq!(fs::read_dir(shop.folder.path().join("state")).unwrap().count(), 0);
}

#[test]
fn where_nothing_can_be_kept_the_folder_is_named() {
    let shop = Shop::new();
    fs::create_dir(shop.folder.path().join("state")).unwrap();
    fs::write(shop.folder.path().join("state/undo"), "a file").unwrap();
    let said = shop.contents().keep(b"").unwrap_err().to_string();
    let folder = shop.folder.path().join("state/undo");
    assert!(said.starts_with(&format!("cannot write in {}: ", folder.display())), "{said}");
    assert!(said.ends_with("; see that the folder is writable"), "{said}");
}

#[test]
fn the_folder_of_a_project_can_be_read_and_is_its_own() {
    let name = |path: &str| workspace(Path::new(path));
    assert!(name("/home/a/my project").starts_with("my_project-"), "{}", name("/home/a/my project"));
    assert_eq!(name("/home/a/web").len(), "web-".len() + 12);
    assert_ne!(name("/home/a/web"), name("/home/b/web"));
    assert!(name("/").starts_with('-') && name(&format!("/{}", "é".repeat(200))).len() < 60);
}
