# “High” – the very top
x = 2
