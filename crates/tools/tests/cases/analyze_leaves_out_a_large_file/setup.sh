{ echo 'fn tower_of_all() {}'; head -c 1100000 /dev/zero | tr '\0' ' '; } > src/big.rs
