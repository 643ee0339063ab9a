pub async fn a( ) { }
