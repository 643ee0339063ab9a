fn f() {
	if x {
		y();
	}
}
