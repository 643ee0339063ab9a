fn main() {}

// the end
