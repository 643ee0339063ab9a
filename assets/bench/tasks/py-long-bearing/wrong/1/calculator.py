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

    def op_signed(self):
        """signed: a -- x

        The same direction as a deviation: more than -180 and at most 180 degrees.
        """
        self._need(1, "signed")
        a = self._pop()
        while a <= -180:
            a += 360
        while a >= 180:
            a -= 360
        self._push(a)

    def op_hours(self):
        """hours: a -- x

        The same hour of a day: at least 0 and less than 24.
        """
        self._need(1, "hours")
        a = self._pop()
        while a < 0:
            a += 24
        while a >= 24:
            a -= 24
        self._push(a)

    def op_opposite(self):
        """opposite: a -- x

        The bearing the other way.
        """
        self._need(1, "opposite")
        a = self._pop()
        self._push(a - 180 if a >= 180 else a + 180)

    def op_between(self):
        """between: a b -- x

        The angle between two bearings: at most 180.
        """
        self._need(2, "between")
        b = self._pop()
        a = self._pop()
        gap = abs(a - b)
        while gap > 360:
            gap -= 360
        self._push(360 - gap if gap > 180 else gap)

    def op_sin(self):
        """sin: a -- x

        Sine of an angle in degrees.
        """
        self._need(1, "sin")
        a = self._pop()
        self._push(math.sin(a * math.pi / 180))

    def op_cos(self):
        """cos: a -- x

        Cosine of an angle in degrees.
        """
        self._need(1, "cos")
        a = self._pop()
        self._push(math.cos(a * math.pi / 180))

    def op_tan(self):
        """tan: a -- x

        Tangent of an angle in degrees.
        """
        self._need(1, "tan")
        a = self._pop()
        if a % 180 == 90:
            raise CalcError("tan: there is no tangent here")
        self._push(math.tan(a * math.pi / 180))

    def op_dms(self):
        """dms: d m s -- x

        Degrees, minutes and seconds to degrees.
        """
        self._need(3, "dms")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        if b < 0 or c < 0:
            raise CalcError("dms: only the degrees have a sign")
        part = b / 60 + c / 3600
        self._push(a - part if a < 0 else a + part)

    def op_sexagesimal(self):
        """sexagesimal: x -- d m s

        Degrees to degrees, minutes and seconds.
        """
        self._need(1, "sexagesimal")
        a = self._pop()
        whole = math.trunc(a)
        minutes = abs(a - whole) * 60
        self._push(whole, math.trunc(minutes), (minutes - math.trunc(minutes)) * 60)

    # Units

    def op_fahrenheit(self):
        """fahrenheit: a -- x

        Degrees Celsius to Fahrenheit.
        """
        self._need(1, "fahrenheit")
        a = self._pop()
        self._push(a * 9 / 5 + 32)

    def op_celsius(self):
        """celsius: a -- x

        Degrees Fahrenheit to Celsius.
        """
        self._need(1, "celsius")
        a = self._pop()
        self._push((a - 32) * 5 / 9)

    def op_kelvin(self):
        """kelvin: a -- x

        Degrees Celsius to kelvin.
        """
        self._need(1, "kelvin")
        a = self._pop()
        if a < ZERO:
            raise CalcError("kelvin: colder than it can be")
        self._push(a - ZERO)

    def op_knots(self):
        """knots: a -- x

        Metres a second to knots.
        """
        self._need(1, "knots")
        a = self._pop()
        self._push(a * 3600 / NAUTICAL_MILE)

    def op_mps(self):
        """mps: a -- x

        Knots to metres a second.
        """
        self._need(1, "mps")
        a = self._pop()
        self._push(a * NAUTICAL_MILE / 3600)

    def op_kmh(self):
        """kmh: a -- x

        Metres a second to kilometres an hour.
        """
        self._need(1, "kmh")
        a = self._pop()
        self._push(a * 3.6)

    def op_miles(self):
        """miles: a -- x

        Kilometres to nautical miles.
        """
        self._need(1, "miles")
        a = self._pop()
        self._push(a * 1000 / NAUTICAL_MILE)

    def op_feet(self):
        """feet: a -- x

        Metres to feet.
        """
        self._need(1, "feet")
        a = self._pop()
        self._push(a / 0.3048)

    def op_fathoms(self):
        """fathoms: a -- x

        Metres to fathoms.
        """
        self._need(1, "fathoms")
        a = self._pop()
        self._push(a / 1.8288)

    def op_inhg(self):
        """inhg: a -- x

        Hectopascal to inches of mercury.
        """
        self._need(1, "inhg")
        a = self._pop()
        self._push(a / 33.8639)

    def op_hpa(self):
        """hpa: a -- x

        Inches of mercury to hectopascal.
        """
        self._need(1, "hpa")
        a = self._pop()
        self._push(a * 33.8639)

    # Weather

    def op_beaufort(self):
        """beaufort: a -- n

        The force of a wind in metres a second.
        """
        self._need(1, "beaufort")
        a = self._pop()
        for force, limit in enumerate(BEAUFORT):
            if a < limit:
                break
        else:
            force = 12
        self._push(force)

    def op_chill(self):
        """chill: t v -- x

        How cold a wind of v kilometres an hour makes t degrees feel.
        """
        self._need(2, "chill")
        b = self._pop()
        a = self._pop()
        if a > 10 or b < 4.8:
            self._push(a)
            return
        power = b**0.16
        self._push(13.12 + 0.6215 * a - 11.37 * power + 0.3965 * a * power)

    def op_dew(self):
        """dew: t h -- x

        The dew point of air of t degrees with h percent of humidity.
        """
        self._need(2, "dew")
        b = self._pop()
        a = self._pop()
        if not 0 < b <= 100:
            raise CalcError("dew: a humidity is above 0 and at most 100")
        gamma = math.log(b / 100) + 17.62 * a / (243.12 + a)
        self._push(243.12 * gamma / (17.62 - gamma))

    def op_cloud(self):
        """cloud: t d -- x

        The height of the lowest cloud in metres, from temperature and dew point.
        """
        self._need(2, "cloud")
        b = self._pop()
        a = self._pop()
        spread = a - b
        if spread < 0:
            raise CalcError("cloud: the dew point is above the temperature")
        self._push(125 * spread)

    def op_sealevel(self):
        """sealevel: p h t -- x

        Pressure at the height h brought down to the sea.
        """
        self._need(3, "sealevel")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        self._push(a * (1 - 0.0065 * b / (c - ZERO + 0.0065 * b)) ** -5.257)

    def op_vapour(self):
        """vapour: t -- x

        The pressure of saturated vapour over water, in hectopascal.
        """
        self._need(1, "vapour")
        a = self._pop()
        self._push(6.112 * math.exp(17.62 * a / (243.12 + a)))

    # Statistics over the whole stack

    def op_sum(self):
        """sum: ... -- x

        The sum of all values.
        """
        values = self._all("sum")
        self._push(math.fsum(values))

    def op_mean(self):
        """mean: ... -- x

        The mean of all values.
        """
        values = self._all("mean")
        self._push(math.fsum(values) / len(values))

    def op_median(self):
        """median: ... -- x

        The value in the middle of all.
        """
        values = sorted(self._all("median"))
        middle = len(values) // 2
        if len(values) % 2:
            self._push(values[middle])
        else:
            self._push((values[middle - 1] + values[middle]) / 2)

    def op_spread(self):
        """spread: ... -- x

        The largest of all values less the smallest.
        """
        values = self._all("spread")
        self._push(max(values) - min(values))

    def op_sort(self):
        """sort: ... -- ...

        Sorts all values; the largest comes to the top.
        """
        values = self._all("sort")
        self._push(*sorted(values))

    def op_reverse(self):
        """reverse: ... -- ...

        Turns the whole stack round.
        """
        values = self._all("reverse")
        self._push(*reversed(values))

    def op_squares(self):
        """squares: ... -- x

        The root of the mean of the squares.
        """
        values = self._all("squares")
        self._push(math.sqrt(math.fsum(value * value for value in values) / len(values)))

    # Comparison

    def op_less(self):
        """less: a b -- x

        1 when a is less than b, or else 0.
        """
        self._need(2, "less")
        b = self._pop()
        a = self._pop()
        self._push(1 if a < b else 0)

    def op_more(self):
        """more: a b -- x

        1 when a is more than b, or else 0.
        """
        self._need(2, "more")
        b = self._pop()
        a = self._pop()
        self._push(1 if a > b else 0)

    def op_equal(self):
        """equal: a b -- x

        1 when both are the same but for the last digits.
        """
        self._need(2, "equal")
        b = self._pop()
        a = self._pop()
        self._push(1 if math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) else 0)

    def op_not(self):
        """not: a -- x

        1 for 0, and 0 for all else.
        """
        self._need(1, "not")
        a = self._pop()
        self._push(0 if a else 1)

    def op_choose(self):
        """choose: a b c -- x

        a when c is not 0, or else b.
        """
        self._need(3, "choose")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        self._push(a if c else b)

    # Registers

    def op_store(self):
        """store: a n --

        Puts a value into a register.
        """
        self._need(2, "store")
        b = self._pop()
        a = self._pop()
        number = self._register(b, "store")
        self.registers[number] = a

    def op_recall(self):
        """recall: n -- x

        Gets the value of a register.
        """
        self._need(1, "recall")
        a = self._pop()
        number = self._register(a, "recall")
        self._push(self.registers[number])

    def op_collect(self):
        """collect: a n --

        Adds a value to a register.
        """
        self._need(2, "collect")
        b = self._pop()
        a = self._pop()
        number = self._register(b, "collect")
        self.registers[number] += a
        self._note(f"register {number} is {self._shown(self.registers[number])}")

    def op_wipe(self):
        """wipe: --

        Sets all registers to zero.
        """
        self.registers = [0] * REGISTERS
        self._note("registers are zero")

    def op_places(self):
        """places: n --

        How many places are shown.
        """
        self._need(1, "places")
        a = self._pop()
        count = self._whole(a, "places")
        if not 0 <= count <= 9:
            raise CalcError("places: from 0 to 9")
        self.shown_places = count

    # Way and time

    def op_distance(self):
        """distance: v h -- x

        The way at a speed of v knots in h hours, in nautical miles.
        """
        self._need(2, "distance")
        b = self._pop()
        a = self._pop()
        if b < 0:
            raise CalcError("distance: time goes forward")
        self._push(a * b)

    def op_arrival(self):
        """arrival: h d v -- x

        The hour of arrival after d nautical miles at v knots, begun at the hour h.
        """
        self._need(3, "arrival")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        if c <= 0:
            raise CalcError("arrival: a standing ship does not arrive")
        hour = a + b / c
        while hour >= 24:
            hour -= 24
        self._push(hour)

    def op_clock(self):
        """clock: h -- h m

        An hour with fractions as hours and minutes.
        """
        self._need(1, "clock")
        a = self._pop()
        minutes = math.floor(a * 60 + 0.5)
        self._push(minutes // 60, minutes % 60)

    def op_drift(self):
        """drift: c w a -- x

        The course to steer against a wind drift of a degrees; w is 1 from port, -1 from starboard.
        """
        self._need(3, "drift")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        if b not in (1, -1):
            raise CalcError("drift: the wind comes from 1 or -1")
        course = a - b * c
        while course < 0:
            course += 360
        while course >= 360:
            course -= 360
        self._push(course)

    def op_horizon(self):
        """horizon: h -- x

        How far the horizon is from the height h in metres, in nautical miles.
        """
        self._need(1, "horizon")
        a = self._pop()
        if a < 0:
            raise CalcError("horizon: under water nothing is seen")
        self._push(2.08 * math.sqrt(a))

    def op_tide(self):
        """tide: l h m -- x

        The height of the water m sixths after low water l, by the rule of twelfths, with high water h.
        """
        self._need(3, "tide")
        c = self._pop()
        b = self._pop()
        a = self._pop()
        sixths = self._whole(c, "tide")
        if not 0 <= sixths <= 6:
            raise CalcError("tide: from 0 to 6 sixths")
        self._push(a + (b - a) * TWELFTHS[sixths] / 12)

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
