#[test]
fn rings() {}
