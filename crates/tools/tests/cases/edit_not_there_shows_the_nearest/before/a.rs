fn main() {
    let total = sum(&items);
    println!("{total}");
}
