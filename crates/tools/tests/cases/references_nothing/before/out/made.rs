fn total() {}
