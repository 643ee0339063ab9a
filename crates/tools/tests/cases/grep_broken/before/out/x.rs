total
