fn main() {
    let total = 1;
}
