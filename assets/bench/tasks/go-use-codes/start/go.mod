module panel

go 1.19
