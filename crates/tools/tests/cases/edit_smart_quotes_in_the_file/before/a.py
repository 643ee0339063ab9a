# “High” – the top
x = 1
