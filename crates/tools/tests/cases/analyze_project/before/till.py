"""Calls total in words only."""
from shop import total as sum_up, LIMIT


class Till(object):
    @property
    def total(self):
        """The total."""
        if self.rows:
            for row in self.rows:
                while row:
                    if row.price:
                        with row.lock:
                            try:
                                row = row.next(total=1)
                            except KeyError:
                                return None
        return sum_up(self.rows)
