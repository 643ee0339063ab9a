module relay

go 1.19
