//! What the system says of a thing without opening it: enough to tell that it is still the same.

use rustix::fs::{FileType, Stat as Found};
use std::fmt::{self, Formatter, LowerHex};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// Two changes within this time may carry the same stamp; file systems do not count every moment.
const TICK: Duration = Duration::from_millis(50);
/// The same for file systems that count seconds, or two of them at a time.
const COARSE: Duration = Duration::from_secs(2);
const SECOND: i64 = 1_000_000_000;

/// Nanoseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Moment {
    pub(super) fn now() -> Self {
        Moment::at(SystemTime::now())
    }

    pub(super) fn at(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
    }

    /// Is this stamp so shortly before `moment`, or after it, that what comes then might carry the same one?
    fn may_come_again_at(self, moment: Moment) -> bool {
        let tick = if self.0 % SECOND == 0 { COARSE } else { TICK };
        self.is_within(tick, moment)
    }

    /// Does it come no longer than `time` before `moment`?
    pub(super) fn is_within(self, time: Duration, moment: Moment) -> bool {
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        self.0 > moment.0.saturating_sub(time)
    }

    /// As `{:x}` writes it.
    pub(super) fn read(word: &str) -> Option<Self> {
        Some(Moment(number(word)?.cast_signed()))
    }
}

impl LowerHex for Moment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn moment(seconds: i64, nanos: i64) -> Moment {
    Moment(seconds.saturating_mul(SECOND).saturating_add(nanos))
}

/// Of one file, link or other thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) size: u64,
    modified: Moment,
    changed: Moment,
    pub(super) inode: u64,
    mode: u32,
}

impl Stat {
    pub(super) fn of(found: &Metadata) -> Self {
        Stat {
            size: found.len(),
            modified: moment(found.mtime(), found.mtime_nsec()),
            changed: moment(found.ctime(), found.ctime_nsec()),
            inode: found.ino(),
            mode: found.mode(),
        }
    }

    #[expect(clippy::unnecessary_cast, reason = "the widths differ from system to system")]
    pub(super) fn found(found: &Found) -> Self {
        Stat {
            size: u64::try_from(found.st_size).unwrap_or_default(),
            modified: moment(found.st_mtime as i64, found.st_mtime_nsec as i64),
            changed: moment(found.st_ctime as i64, found.st_ctime_nsec as i64),
            inode: found.st_ino as u64,
            mode: found.st_mode as u32,
        }
    }

    pub(super) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    pub(super) fn permissions(&self) -> u32 {
        self.mode & 0o7777
    }

    /// It changed so shortly before `moment`, or after it, that another change might leave the same stamps.
    pub(super) fn is_fresh_at(&self, moment: Moment) -> bool {
        self.modified.max(self.changed).may_come_again_at(moment)
    }

    /// When it was last changed in any way.
    pub(super) fn changed(&self) -> Moment {
        self.changed
    }

    /// As `{:x}` writes it.
    pub(super) fn read(words: &str) -> Option<Self> {
        let mut words = words.split(' ');
        let mut next = || number(words.next()?);
        let (mode, size, inode) = (u32::try_from(next()?).ok()?, next()?, next()?);
        let (modified, later) = (next()?.cast_signed(), next()?.cast_signed());
        let stat =
            Stat { size, modified: Moment(modified), changed: Moment(modified.wrapping_add(later)), inode, mode };
        words.next().is_none().then_some(stat)
    }
}

/// In one line; both stamps are mostly the same.
impl LowerHex for Stat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Stat { size, modified, changed, inode, mode } = self;
        let later = changed.0.wrapping_sub(modified.0);
        write!(f, "{mode:x} {size:x} {inode:x} {modified:x} {later:x}")
    }
}

fn number(word: &str) -> Option<u64> {
    u64::from_str_radix(word, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_of_whole_seconds_says_less() {
        let now = moment(1_000, 0);
        for (seconds, nanos, fresh) in [
            (999, 949_999_999, false),
            (999, 950_000_001, true),
            (1_001, 5, true),
            (998, 1, false),
            (999, 0, true),
            (998, 0, false),
        ] {
            let stat = Stat { changed: moment(seconds, nanos), ..Stat::default() };
            assert_eq!(stat.is_fresh_at(now), fresh, "{seconds} {nanos}");
        }
    }

    #[test]
    fn what_is_written_of_a_thing_is_read_again() {
        let stat =
            Stat { size: 1 << 40, modified: moment(-5, 7), changed: moment(9, 0), inode: u64::MAX, mode: 0o104_755 };
        for stat in [stat, Stat::default()] {
            assert_eq!(Stat::read(&format!("{stat:x}")), Some(stat));
        }
        for odd in ["", "1 2 3 4", "1 2 3 4 5 6", "1 2 3 4 x", "fffffffff 2 3 4 5"] {
            assert_eq!(Stat::read(odd), None, "{odd}");
        }
    }
}
