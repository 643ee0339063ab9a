fn b( ) { }
