{ yes '// tower' | head -n 600; echo 'fn tower_late() {}'; } > src/many.rs
