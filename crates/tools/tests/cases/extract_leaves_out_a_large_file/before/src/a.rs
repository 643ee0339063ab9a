fn tower() {}
