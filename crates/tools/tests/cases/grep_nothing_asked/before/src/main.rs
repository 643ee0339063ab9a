fn main() {
    let total = 1;
    println!("{total}");
}
