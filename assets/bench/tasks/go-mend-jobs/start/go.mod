module night

go 1.19
