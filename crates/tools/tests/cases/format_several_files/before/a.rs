fn a( ) { }
