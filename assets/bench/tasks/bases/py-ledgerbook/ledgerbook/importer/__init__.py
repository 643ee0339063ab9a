"""Turns the CSV files of banks into transactions.

`rules` reads how the file is built and what goes to which account, `reader` makes rows of the file, `identity` gives
each row a name by which it is known again, `convert` makes transactions, and `merge` leaves out what is there already.
"""
