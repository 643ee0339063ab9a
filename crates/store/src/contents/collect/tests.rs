//! What nobody needs goes; what an open session needs stays.

use super::super::{Contents, FOLDER};
use super::*;
use crate::Folder;
use agent_protocol::Digest;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A state folder with two projects.
struct Shop {
    folder: TempDir,
    place: Place,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().join("state"));
        for project in ["one", "other"] {
            fs::create_dir(folder.path().join(project)).unwrap();
        }
        Shop { folder, place }
    }

    fn contents(&self, project: &str) -> Contents {
        Contents::new(&self.place, &Folder::at(&self.folder.path().join(project)).unwrap())
    }

    /// Keeps it in a session that is over since so long.
    fn kept(&self, bytes: &[u8], ago: Duration) -> Digest {
        self.kept_in("one", bytes, ago)
    }

    fn kept_in(&self, project: &str, bytes: &[u8], ago: Duration) -> Digest {
        let before = self.files();
        let digest = self.contents(project).keep(bytes).unwrap();
        self.files().iter().filter(|file| !before.contains(file)).for_each(|file| age(file, ago));
        digest
    }

    fn has(&self, digest: &Digest) -> bool {
        let kept = ["one", "other"].map(|project| self.contents(project).fetch(digest).is_ok());
        kept.contains(&true)
    }

    fn files(&self) -> Vec<PathBuf> {
        let inside = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        folders(&all(&self.place)).into_iter().flat_map(inside).collect()
    }

    fn markers(&self) -> Vec<PathBuf> {
        let folder = all(&self.place).join(live::FOLDER);
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    fn collect(&self, older_than: Duration, at_most: u64) -> Collected {
        let far = Instant::now() + HOUR;
        collect_until(&self.place, older_than, at_most, far)
    }
}

/// Makes it older than it is.
fn age(path: &Path, by: Duration) {
    let file = File::open(path).unwrap();
    file.set_modified(file.metadata().unwrap().modified().unwrap() - by).unwrap();
}

fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(next).collect()
}

#[test]
fn what_is_too_old_goes_in_every_project() {
    let shop = Shop::new();
    let gone = [shop.kept(b"a", DAY * 40), shop.kept_in("other", b"b", DAY * 31)];
    let young = [shop.kept(b"c", DAY * 29), shop.kept_in("other", b"d", HOUR)];
    let collected = shop.collect(DAY * 30, u64::MAX);
    assert_eq!(collected, Collected { removed: 2, freed: 2 * BLOCK, left: 2, bytes: 2 * BLOCK, unfinished: false });
    assert!(gone.iter().all(|digest| !shop.has(digest)) && young.iter().all(|digest| shop.has(digest)));
    assert_eq!(Contents::collect(&shop.place, DAY * 30, u64::MAX).removed, 0);
}

#[test]
fn of_what_is_too_much_the_oldest_goes() {
    let shop = Shop::new();
    let by_age: Vec<Digest> = (1..=5_u8).map(|n| shop.kept(&[n], HOUR * (10 - u32::from(n)))).collect();
    let collected = shop.collect(DAY, 2 * BLOCK);
    assert_eq!((collected.removed, collected.bytes), (3, 2 * BLOCK));
    let kept: Vec<bool> = by_age.iter().map(|digest| shop.has(digest)).collect();
    assert_eq!(kept, [false, false, false, true, true]);
}

#[test]
fn nothing_goes_that_was_kept_or_touched_since_the_session_began() {
    let shop = Shop::new();
    let (small, large) = (b"touched".to_vec(), noise(1, 200_000));
    let touched = [&small, &large].map(|bytes| shop.kept(bytes, DAY * 40));
    let (kept_small, kept_large) = (b"kept again".to_vec(), noise(2, 200_000));
    let again = [&kept_small, &kept_large].map(|bytes| shop.kept(bytes, DAY * 40));
    let gone = [shop.kept(b"forgotten", DAY * 40), shop.kept(&noise(3, 200_000), DAY * 40)];
    let session = shop.contents("one");
    touched.iter().for_each(|digest| session.touch(digest));
    for bytes in [&kept_small, &kept_large] {
        session.keep(bytes).unwrap();
    }
    let new = session.keep(b"new").unwrap();
    shop.collect(Duration::ZERO, 0);
    for digest in touched.iter().chain(&again).chain([&new]) {
        assert!(shop.has(digest), "{digest:?}");
    }
    assert!(gone.iter().all(|digest| !shop.has(digest)));
}

#[test]
fn another_session_that_is_open_is_spared_as_long_as_it_is() {
    let shop = Shop::new();
    let first = shop.contents("one");
    let digest = first.keep(b"x").unwrap();
    age(&shop.markers()[0], HOUR * 2);
    shop.files().iter().for_each(|file| age(file, HOUR));
    let before = shop.kept(b"before the first began", HOUR * 3);
    let second = shop.contents("other");
    shop.collect(Duration::ZERO, 0);
    assert!(shop.has(&digest) && !shop.has(&before));
    drop(first);
    shop.collect(Duration::ZERO, 0);
    assert!(!shop.has(&digest));
    drop(second);
    assert_eq!(shop.markers(), Vec::<PathBuf>::new());
}

#[test]
fn a_session_that_was_killed_spares_nothing() {
    let shop = Shop::new();
    let digest = shop.kept(b"x", HOUR);
    let left_over = all(&shop.place).join(live::FOLDER).join("killed");
    File::create(&left_over).unwrap();
    age(&left_over, DAY);
    shop.collect(Duration::ZERO, 0);
    assert!(!shop.has(&digest) && !left_over.exists());
}

#[test]
fn a_large_content_goes_before_its_pieces_and_shared_pieces_stay() {
    let shop = Shop::new();
    let first = noise(1, 300_000);
    let mut second = first.clone();
    second.splice(150_000..150_001, *b"changed");
    let older = shop.kept(&first, HOUR * 9);
    // Kept later, with most of its pieces there already.
    let newer = shop.contents("one").keep(&second).unwrap();
    shop.files().iter().for_each(|file| age(file, HOUR));
    let objects = shop.files().len() as u64;
    let total: u64 = shop.collect(DAY, u64::MAX).bytes;
    for at_most in (0..total).step_by(BLOCK as usize).collect::<Vec<u64>>().into_iter().rev() {
        shop.collect(DAY, at_most);
        for digest in [&older, &newer] {
            let contents = shop.contents("one");
            assert_eq!(contents.has(digest), contents.fetch(digest).is_ok());
            let list = contents.shelf.read(super::super::Name::read(digest).unwrap()).unwrap();
            assert_eq!(list.is_some(), contents.has(digest), "a list is there only with its pieces");
        }
        assert!(shop.has(&newer) || !shop.has(&older), "the older one goes first");
    }
    assert!(objects > 10 && shop.files().is_empty());
}

#[test]
fn what_is_touched_while_it_is_collected_is_put_back() {
    let shop = Shop::new();
    let digest = shop.kept(b"x", HOUR);
    let folder = folders(&all(&shop.place)).remove(0);
    let entry = fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
    let seen = found(0, &entry).unwrap();
    shop.contents("one").touch(&digest);
    assert!(!seen.is_removed_from(&folder));
    assert!(shop.has(&digest));
    let seen = found(0, &entry).unwrap();
    assert!(seen.is_removed_from(&folder));
    assert!(!shop.has(&digest) && shop.files().is_empty());
}

#[test]
fn what_killed_sessions_left_behind_goes() {
    let shop = Shop::new();
    shop.kept(b"x", HOUR);
    let folder = folders(&all(&shop.place)).remove(0);
    for name in [".new-abc", ".gone-abc"] {
        File::create(folder.join(name)).unwrap();
        age(&folder.join(name), HOUR);
    }
    File::create(folder.join(".new-of-right-now")).unwrap();
    assert_eq!(shop.collect(DAY, u64::MAX).removed, 2);
    assert_eq!(shop.files().len(), 2);
}

#[test]
fn folders_that_are_empty_go_and_are_made_anew() {
    let shop = Shop::new();
    shop.kept(b"x", HOUR);
    let session = shop.contents("one");
    shop.collect(Duration::ZERO, 0);
    assert_eq!(fs::read_dir(all(&shop.place)).unwrap().count(), 1, "only what tells open sessions");
    let digest = session.keep(b"x").unwrap();
    assert_eq!(session.fetch(&digest).unwrap(), b"x");
}

#[test]
fn it_ends_in_time_and_says_that_there_is_more() {
    let shop = Shop::new();
    let digest = shop.kept(b"x", HOUR);
    let late = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let collected = collect_until(&shop.place, Duration::ZERO, 0, late);
    assert_eq!((collected.removed, collected.unfinished), (0, true));
    assert!(shop.has(&digest));
}

#[test]
fn only_one_collects_at_a_time_and_only_where_nobody_else_can_write() {
    let shop = Shop::new();
    let digest = shop.kept(b"x", HOUR);
    let lock = File::open(shop.place.folder().join(FOLDER)).unwrap();
    lock.lock().unwrap();
    assert_eq!(shop.collect(Duration::ZERO, 0), Collected::default());
    drop(lock);
    fs::set_permissions(shop.place.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(shop.collect(Duration::ZERO, 0), Collected::default());
    fs::set_permissions(shop.place.folder(), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(shop.has(&digest));
    assert_eq!(shop.collect(Duration::ZERO, 0).removed, 1);
    assert_eq!(collect(&Place::new(shop.folder.path().join("nowhere")), HOUR, 0), Collected::default());
}
