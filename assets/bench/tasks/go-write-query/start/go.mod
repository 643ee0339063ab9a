module shelf/query

go 1.19
