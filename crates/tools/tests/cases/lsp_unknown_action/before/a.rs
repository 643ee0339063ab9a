fn run() {}
