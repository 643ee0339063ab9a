pub fn total() {}
// Total
