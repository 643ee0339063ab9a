yes "fn f() {}" | head -n 120000 > big.rs
