//! Pages of our own code: the kernel maps what lies around each place that was used once, and keeps it in our memory for as long as
//! we run. Most of what the start needs is not needed again.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "std has no words for what the kernel may forget of a mapping")
)]

/// Takes the pages of our own code out of this process's memory; gives the bytes that the code takes in all. What is used again
/// comes back at once from the kernel's cache of the file, so nothing is lost but a few microseconds. Blocks for less than one
/// millisecond. Only Linux is told; elsewhere nothing happens.
pub fn let_code_go() -> usize {
    #[cfg(target_os = "linux")]
    return mappings().into_iter().filter(forget).map(|mapping| mapping.len()).sum();
    #[cfg(not(target_os = "linux"))]
    0
}

/// Where our own code is mapped.
#[cfg(target_os = "linux")]
fn mappings() -> Vec<std::ops::Range<usize>> {
    let Ok(ours) = std::fs::read_link("/proc/self/exe") else { return Vec::new() };
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines().filter_map(|line| code_of(line, &ours.to_string_lossy())).collect()
}

/// The addresses of a line of `/proc/self/maps` (proc(5)), where it is the code of the file `ours`: nobody can write to it, and it is
/// private.
#[cfg(target_os = "linux")]
fn code_of(line: &str, ours: &str) -> Option<std::ops::Range<usize>> {
    let rest = line.strip_suffix(ours)?;
    let (addresses, rest) = rest.split_once(' ')?;
    let (from, to) = addresses.split_once('-')?;
    let address = |text: &str| usize::from_str_radix(text, 16).ok();
    let range = address(from)?..address(to)?;
    rest.starts_with("r-xp ").then_some(range)
}

#[cfg(target_os = "linux")]
fn forget(mapping: &std::ops::Range<usize>) -> bool {
    let (from, length) = (mapping.start as *mut libc::c_void, mapping.len());
    // SAFETY: the mapping is one of a file, private and not writable, so each of its pages holds what the file holds, which
    // cannot be written while it runs (ETXTBSY); the kernel reads a page that it forgot from there again before it is used.
    unsafe { libc::madvise(from, length, libc::MADV_DONTNEED) == 0 }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_code_is_let_go() {
        let ours = "/usr/bin/agent";
        let code = "5600-5800 r-xp 00001000 fe:01 123                      /usr/bin/agent";
        assert_eq!(code_of(code, ours), Some(0x5600..0x5800));
        for line in [
            "5600-5800 r--p 00000000 fe:01 123                      /usr/bin/agent",
            "5600-5800 rw-p 00001000 fe:01 123                      /usr/bin/agent",
            "5600-5800 rwxp 00001000 fe:01 123                      /usr/bin/agent",
            "5600-5800 r-xs 00001000 fe:01 123                      /usr/bin/agent",
            "5600-5800 r-xp 00001000 fe:01 123                      /usr/lib/libc.so.6",
            "5600-5800 r-xp 00000000 00:00 0                        [vdso]",
            "",
        ] {
            assert_eq!(code_of(line, ours), None, "{line}");
        }
    }

    #[test]
    fn whoever_let_it_go_runs_on() {
        let code = let_code_go();
        assert!(code > 100_000, "{code} bytes");
        assert_eq!(let_code_go(), code, "it is still there");
    }
}
