pub async fn a() {}
