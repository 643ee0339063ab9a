//! unsafe { nothing }
fn a(x: *const u8) -> u8 {
    // SAFETY: it is there
    unsafe { *x }
}
