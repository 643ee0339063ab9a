fn f() {
	if x {
		y();
	} else {
		z();
	}
}
