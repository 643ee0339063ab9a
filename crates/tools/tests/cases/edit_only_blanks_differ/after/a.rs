fn f() {
	z();
}
