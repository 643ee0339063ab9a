fn a( ) {}
