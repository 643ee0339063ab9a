pub fn ring() {}
