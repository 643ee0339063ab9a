"""The calculator of the chart table.

It works on a stack: numbers are put onto it, words take what they need from it
and put back what they found. `90 180 add 2 div` leaves 135.

Each word is a method `op_...`; the first line of its docstring shows what it takes
(left of --) and leaves (right of it), the uppermost value last.
"""

import math


class CalcError(Exception):
    """What was typed cannot be worked out; the stack is as it was before."""


REGISTERS = @@REGISTERS@@
NAUTICAL_MILE = 1852
ZERO = -273.15
"""The lowest temperature in degrees Celsius."""

BEAUFORT = [0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7]
TWELFTHS = [0, 1, 3, 6, 9, 11, 12]


class Calculator:
    def __init__(self):
        self.stack = []
        self.registers = [0] * REGISTERS
        self.shown_places = 2
        self.notes = []

    # What the words are made of

    def _need(self, count, word):
        if len(self.stack) < count:
            raise CalcError(f"{word}: needs {count}, there are {len(self.stack)}")

    def _pop(self):
        return self.stack.pop()

    def _push(self, *values):
        self.stack.extend(values)

    def _all(self, word):
        self._need(1, word)
        values = list(self.stack)
        self.stack.clear()
        return values

    def _whole(self, value, word):
        if value != int(value):
            raise CalcError(f"{word}: {value} is not a whole number")
        return int(value)

    def _register(self, value, word):
        number = self._whole(value, word)
        if not 0 <= number < REGISTERS:
            raise CalcError(f"{word}: there is no register {number}")
        return number

    def _shown(self, value):
        return f"{value:.{self.shown_places}f}".rstrip("0").rstrip(".") if self.shown_places else f"{value:.0f}"

    def _note(self, text):
        self.notes.append(text)

    # Stack

    def op_dup(self):
        """dup: a -- a a

        Doubles the uppermost value.
        """
        self._need(1, "dup")
        a = self._pop()
        self._push(a, a)

    def op_drop(self):
        """drop: a --

        Throws the uppermost value away.
        """
        self._need(1, "drop")
        a = self._pop()
        self._note(f"dropped {self._shown(a)}")

    def op_swap(self):
        """swap: a b -- b a

        Exchanges the two uppermost values.
        """
        self._need(2, "swap")
        b = self._pop()
        a = self._pop()
        self._push(b, a)

    def op_over(self):
        """over: a b -- a b a

        Copies the second value to the top.
        """
        self._need(2, "over")
        b = self._pop()
        a = self._pop()
        self._push(a, b, a)

    def op_rot(self):
        """rot: a b c -- b c a

        Brings the third value to the top.
        """
        self._need(3, "rot")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        self._push(b, c, a)

    def op_tuck(self):
        """tuck: a b -- b a b

        Puts a copy of the top below the second value.
        """
        self._need(2, "tuck")
        b = self._pop()
        a = self._pop()
        self._push(b, a, b)

    def op_nip(self):
        """nip: a b -- b

        Throws the second value away.
        """
        self._need(2, "nip")
        b = self._pop()
        a = self._pop()
        self._push(b)

    def op_depth(self):
        """depth: -- n

        How many values there are.
        """
        self._push(len(self.stack))

    def op_clear(self):
        """clear: --

        Empties the stack; the registers stay.
        """
        count = len(self.stack)
        self.stack.clear()
        self._note(f"cleared {count}")

    def op_pick(self):
        """pick: n -- x

        Copies the n-th value from the top; 0 is the uppermost.
        """
        self._need(1, "pick")
        a = self._pop()
        index = self._whole(a, "pick")
        if index < 0 or index >= len(self.stack):
            raise CalcError(f"pick: there is no value {index}")
        self._push(self.stack[-1 - index])

    def op_turn(self):
        """turn: n --

        Turns the n uppermost values: the lowest of them comes to the top.
        """
        self._need(1, "turn")
        a = self._pop()
        count = self._whole(a, "turn")
        self._need(count, "turn")
        if count > 1:
            self.stack.append(self.stack.pop(-count))

    def op_keep(self):
        """keep: n --

        Keeps only the n uppermost values.
        """
        self._need(1, "keep")
        a = self._pop()
        count = self._whole(a, "keep")
        self._need(count, "keep")
        del self.stack[: len(self.stack) - count]

    # Arithmetic

    def op_add(self):
        """add: a b -- x

        Sum.
        """
        self._need(2, "add")
        b = self._pop()
        a = self._pop()
        self._push(a + b)

    def op_sub(self):
        """sub: a b -- x

        Difference.
        """
        self._need(2, "sub")
        b = self._pop()
        a = self._pop()
        self._push(a - b)

    def op_mul(self):
        """mul: a b -- x

        Product.
        """
        self._need(2, "mul")
        b = self._pop()
        a = self._pop()
        self._push(a * b)

    def op_div(self):
        """div: a b -- x

        Quotient.
        """
        self._need(2, "div")
        b = self._pop()
        a = self._pop()
        if b == 0:
            raise CalcError("div: division by zero")
        self._push(a / b)

    def op_mod(self):
        """mod: a b -- x

        Remainder, with the sign of the divisor.
        """
        self._need(2, "mod")
        b = self._pop()
        a = self._pop()
        if b == 0:
            raise CalcError("mod: division by zero")
        self._push(a % b)

    def op_neg(self):
        """neg: a -- x

        The other sign.
        """
        self._need(1, "neg")
        a = self._pop()
        self._push(-a)

    def op_inv(self):
        """inv: a -- x

        One divided by the value.
        """
        self._need(1, "inv")
        a = self._pop()
        if a == 0:
            raise CalcError("inv: division by zero")
        self._push(1 / a)

    def op_abs(self):
        """abs: a -- x

        The value without its sign.
        """
        self._need(1, "abs")
        a = self._pop()
        self._push(-a if a < 0 else a)

    def op_sign(self):
        """sign: a -- x

        -1, 0 or 1.
        """
        self._need(1, "sign")
        a = self._pop()
        if a > 0:
            self._push(1)
        elif a < 0:
            self._push(-1)
        else:
            self._push(0)

    def op_pow(self):
        """pow: a b -- x

        a to the power of b.
        """
        self._need(2, "pow")
        b = self._pop()
        a = self._pop()
        if a < 0 and b != int(b):
            raise CalcError("pow: root of a negative number")
        if a == 0 and b < 0:
            raise CalcError("pow: division by zero")
        self._push(a**b)

    def op_sqrt(self):
        """sqrt: a -- x

        The square root.
        """
        self._need(1, "sqrt")
        a = self._pop()
        if a < 0:
            raise CalcError("sqrt: root of a negative number")
        self._push(math.sqrt(a))

    def op_hyp(self):
        """hyp: a b -- x

        The long side of a right triangle.
        """
        self._need(2, "hyp")
        b = self._pop()
        a = self._pop()
        self._push(math.hypot(a, b))

    def op_min(self):
        """min: a b -- x

        The smaller one.
        """
        self._need(2, "min")
        b = self._pop()
        a = self._pop()
        self._push(a if a < b else b)

    def op_max(self):
        """max: a b -- x

        The larger one.
        """
        self._need(2, "max")
        b = self._pop()
        a = self._pop()
        self._push(a if a > b else b)

    def op_clamp(self):
        """clamp: a low high -- x

        The value, but not outside of low and high.
        """
        self._need(3, "clamp")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        if b > c:
            raise CalcError("clamp: the limits are the wrong way round")
        self._push(min(max(a, b), c))

    def op_percent(self):
        """percent: a b -- x

        b percent of a.
        """
        self._need(2, "percent")
        b = self._pop()
        a = self._pop()
        self._push(a * b / 100)

    def op_change(self):
        """change: a b -- x

        How many percent b is above a.
        """
        self._need(2, "change")
        b = self._pop()
        a = self._pop()
        if a == 0:
            raise CalcError("change: from zero there is no percentage")
        self._push((b - a) / a * 100)

    # Rounding

    def op_floor(self):
        """floor: a -- x

        The next whole number below.
        """
        self._need(1, "floor")
        a = self._pop()
        self._push(math.floor(a))

    def op_ceil(self):
        """ceil: a -- x

        The next whole number above.
        """
        self._need(1, "ceil")
        a = self._pop()
        self._push(math.ceil(a))

    def op_trunc(self):
        """trunc: a -- x

        The whole part.
        """
        self._need(1, "trunc")
        a = self._pop()
        self._push(math.trunc(a))

    def op_frac(self):
        """frac: a -- x

        What is behind the point, with the sign of the value.
        """
        self._need(1, "frac")
        a = self._pop()
        self._push(a - math.trunc(a))

    def op_round(self):
        """round: a n -- x

        Rounded to n places; a half goes away from zero.
        """
        self._need(2, "round")
        b = self._pop()
        a = self._pop()
        places = self._whole(b, "round")
        factor = 10**places
        whole = math.floor(abs(a) * factor + 0.5)
        self._push(math.copysign(whole / factor, a) if whole else 0)

    def op_step(self):
        """step: a b -- x

        Rounded to the next multiple of b.
        """
        self._need(2, "step")
        b = self._pop()
        a = self._pop()
        if b <= 0:
            raise CalcError("step: a step is above zero")
        self._push(math.floor(a / b + 0.5) * b)

    # Angles and hours

    def op_rad(self):
        """rad: a -- x

        Degrees to radians.
        """
        self._need(1, "rad")
        a = self._pop()
        self._push(a * math.pi / 180)

    def op_deg(self):
        """deg: a -- x

        Radians to degrees.
        """
        self._need(1, "deg")
        a = self._pop()
        self._push(a * 180 / math.pi)

    def op_@@WRAP@@(self):
        """@@WRAP@@: a -- x

        The same direction as a bearing: at least 0 and less than 360 degrees.
        """
        self._need(1, "@@WRAP@@")
        a = self._pop()
        while a < 0:
            a += 360
        while a >= 360:
            a -= 360
        self._push(a)

    # ... the other words as before ...

    # From the outside

    def word(self, word):
        """Does one word: a number is put onto the stack, all else is looked up."""
        try:
            self._push(float(word))
            return
        except ValueError:
            pass
        method = getattr(self, f"op_{word}", None)
        if method is None:
            raise CalcError(f"unknown word: {word}")
        before = list(self.stack)
        try:
            method()
        except CalcError:
            self.stack = before
            raise

    def run(self, line):
        """Does a line of words and returns the stack."""
        for word in line.split():
            self.word(word)
        return list(self.stack)

    def show(self):
        return " ".join(self._shown(value) for value in self.stack)


def words():
    """All words with their docstrings, by name."""
    return {name[3:]: getattr(Calculator, name).__doc__ for name in dir(Calculator) if name.startswith("op_")}
