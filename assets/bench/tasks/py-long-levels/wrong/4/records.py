"""Records of the measuring stations.

A station sends lines like `$WND,270,4.5,7.1*1F`: a code of three letters, fields, and a sum over all between the
dollar and the star. `decode` checks the sum and hands the fields to the function of the code.

Values are passed on in the units of the house: metres, degrees Celsius, hectopascal, metres a second.
"""


class RecordError(Exception):
    """A line that cannot be what a station sent."""


FOOT = 0.3048
FATHOM = 1.8288
METRES = {"m": 1, "ft": FOOT, "fm": FATHOM}
SIXTEENTHS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
WEATHER = [
    (0, 3, "dry"),
    (4, 5, "haze"),
    (10, 12, "mist"),
    (30, 35, "fog"),
    (40, 68, "rain"),
    (70, 78, "snow"),
    (89, 96, "storm"),
]
ERRORS = ["mast", "rain", "water", "ground", "battery", "clock", "card", "modem"]

RECORDS = {}
"""For each code how many fields it may have, and the function that reads them."""


def record(code, fields):
    """Enters a function for a code; `fields` is how many it has, or a tuple of all the numbers that may be."""
    counts = fields if isinstance(fields, tuple) else (fields,)

    def enter(function):
        if code in RECORDS:
            raise ValueError(f"there are two functions for {code}")
        RECORDS[code] = (counts, function)
        return function

    return enter


# What fields are made of


def signed(text):
    try:
        return float(text)
    except ValueError:
        raise RecordError(f"not a number: {text!r}") from None


def number(text):
    value = signed(text)
    if value < 0:
        raise RecordError(f"below zero: {text}")
    return value


def whole(text):
    if not text.isdecimal():
        raise RecordError(f"not a whole number: {text!r}")
    return int(text)


def percent(text):
    value = number(text)
    if value > 100:
        raise RecordError(f"more than all: {text}")
    return value


def degrees(text):
    value = number(text)
    if value > 360:
        raise RecordError(f"not a direction: {text}")
    return value % 360


def sixteenth(text):
    if text not in SIXTEENTHS:
        raise RecordError(f"not a direction: {text!r}")
    return SIXTEENTHS.index(text) * 22.5


def eighths(text):
    value = whole(text)
    if value > 9:
        raise RecordError(f"not a part of the sky: {text}")
    return None if value == 9 else value / 8


def flag(text):
    return one_of(text, "0", "1") == "1"


def one_of(text, *choices):
    if text not in choices:
        raise RecordError(f"{text!r} is none of {', '.join(choices)}")
    return text


def word(text):
    text = text.strip()
    if not text:
        raise RecordError("a word is missing")
    return text


def clock(text):
    """`HHMMSS` as seconds of the day."""
    if len(text) != 6 or not text.isdecimal():
        raise RecordError(f"not a time: {text!r}")
    hours, minutes, seconds = int(text[:2]), int(text[2:4]), int(text[4:])
    if hours > 23 or minutes > 59 or seconds > 59:
        raise RecordError(f"not a time: {text!r}")
    return hours * 3600 + minutes * 60 + seconds


def latitude(text):
    """`5412.5N`: degrees and minutes."""
    return _angle(text, 2, "N", "S")


def longitude(text):
    """`01105.2E`: degrees and minutes."""
    return _angle(text, 3, "E", "W")


def _angle(text, digits, plus, minus):
    side = one_of(text[-1:], plus, minus)
    whole_degrees, minutes = whole(text[:digits]), number(text[digits:-1])
    if minutes >= 60:
        raise RecordError(f"not an angle: {text!r}")
    value = round(whole_degrees + minutes / 60, 6)
    return -value if side == minus else value


# Air and weather


@record("AIP", fields=2)
def air_pressure(fields):
    pressure_text, tendency_text = fields
    return {
        "pressure": number(pressure_text),
        "tendency": signed(tendency_text),
    }


@record("AIR", fields=3)
def air(fields):
    return {
        "temperature": number(fields[0]),
        "humidity": percent(fields[1]),
        "pressure": number(fields[2]),
    }


@record("CLD", fields=2)
def clouds(fields):
    base_text, cover_text = fields
    return {
        "base": whole(base_text),
        "cover": eighths(cover_text),
    }


@record("DEW", fields=3)
def dew(fields):
    return {
        "wet": flag(fields[0]),
        "minutes": whole(fields[1]),
        "temperature": number(fields[2]),
    }


@record("FOG", fields=3)
def fog(fields):
    return {
        "sight": whole(fields[0]),
        "limit": whole(fields[1]),
        "alarm": flag(fields[2]),
    }


@record("HAI", fields=2)
def hail(fields):
    hits_text, largest_text = fields
    return {
        "hits": whole(hits_text),
        "largest": number(largest_text),
    }


@record("LGT", fields=3)
def lightning(fields):
    return {
        "bearing": degrees(fields[0]),
        "distance": number(fields[1]),
        "strength": number(fields[2]),
    }


@record("PRF", fields=(4, 6, 8))
def profile(fields):
    heights = [whole(text) for text in fields[0::2]]
    if heights != sorted(heights):
        raise RecordError("PRF: heights go up")
    return {"layers": list(zip(heights, [signed(text) for text in fields[1::2]]))}


@record("RAI", fields=2)
def rain(fields):
    tips_text, since_text = fields
    return {
        "tips": whole(tips_text),
        "since": clock(since_text),
    }


@record("RRT", fields=2)
def rain_rate(fields):
    amount, minutes = number(fields[0]), whole(fields[1])
    if minutes == 0:
        raise RecordError("RRT: no time at all")
    return {"rate": round(amount * 60 / minutes, 2)}


@record("SNW", fields=2)
def snow(fields):
    depth_text, weight_text = fields
    return {
        "depth": number(depth_text),
        "weight": number(weight_text),
    }


@record("SOL", fields=2)
def sun(fields):
    return {
        "down": number(fields[0]),
        "up": number(fields[1]),
    }


@record("SUN", fields=2)
def sunshine(fields):
    minutes_text, hour_text = fields
    return {
        "minutes": whole(minutes_text),
        "hour": whole(hour_text),
    }


@record("TMP", fields=(1, 2))
def temperature(fields):
    value = signed(fields[0])
    if len(fields) == 2:
        unit = one_of(fields[1], "C", "F")
        if unit == "F":
            value = round((value - 32) * 5 / 9, 2)
    return {"temperature": value}


@record("UVI", fields=2)
def ultraviolet(fields):
    return {
        "index": number(fields[0]),
        "dose": number(fields[1]),
    }


@record("VIS", fields=2)
def visibility(fields):
    sight_text, particles_text = fields
    return {
        "sight": number(sight_text),
        "particles": word(particles_text),
    }


@record("WND", fields=3)
def wind(fields):
    return {
        "direction": degrees(fields[0]),
        "speed": number(fields[1]),
        "gust": number(fields[2]),
    }


@record("WNS", fields=3)
def wind_sonic(fields):
    return {
        "u": signed(fields[0]),
        "v": signed(fields[1]),
        "w": signed(fields[2]),
    }


@record("WNV", fields=2)
def wind_vane(fields):
    return {
        "direction": sixteenth(fields[0]),
        "speed": number(fields[1]),
    }


@record("WXC", fields=1)
def present_weather(fields):
    code = whole(fields[0])
    for low, high, kind in WEATHER:
        if low <= code <= high:
            return {"code": code, "kind": kind}
    raise RecordError(f"WXC: no such code: {code}")


# Water


@record("BUO", fields=3)
def buoy(fields):
    return {
        "name": word(fields[0]),
        "latitude": latitude(fields[1]),
        "longitude": longitude(fields[2]),
    }


@record("CND", fields=2)
def conductivity(fields):
    conductivity_text, temperature_text = fields
    return {
        "conductivity": number(conductivity_text),
        "temperature": number(temperature_text),
    }


@record("CUR", fields=3)
def current(fields):
    return {
        "depth": number(fields[0]),
        "direction": degrees(fields[1]),
        "speed": number(fields[2]),
    }


@record("FLO", fields=2)
def flow(fields):
    litres_text, total_text = fields
    return {
        "litres": number(litres_text),
        "total": whole(total_text),
    }


@record("ICE", fields=2)
def ice(fields):
    return {
        "thickness": number(fields[0]),
        "safe": flag(fields[1]),
    }


@record("LVL", fields=4)
def lake_level(fields):
    level = signed(fields[0])
    change = signed(fields[1])
    return {
        "level": level,
        "change": change,
        "temperature": signed(fields[2]),
        "state": one_of(fields[3], "ok", "ice", "wave"),
    }


@record("LVW", fields=4)
def well_level(fields):
    level = signed(fields[0])
    change = signed(fields[1])
    return {
        "level": -level,
        "change": -change,
        "temperature": signed(fields[2]),
        "state": one_of(fields[3], "ok", "dry", "flood"),
    }


@record("@@CODE@@", fields=(4, 5))
def @@FUNC@@_level(fields):
    """The level of the @@FUNC@@ above the mark, how it changed within the hour, and the temperature.

    Newer sensors send the unit of the level behind it all.
    """
    level = signed(fields[0])
    change = signed(fields[1])
    if len(fields) == 5 and one_of(fields[4], "m", "@@UNIT@@") == "@@UNIT@@":
        level = round(level * METRES["@@UNIT@@"], 2)
        change = round(change * METRES["@@UNIT@@"], 2)
    return {
        "level": level,
        "change": change,
        "temperature": signed(fields[2]),
        "state": one_of(fields[3], "ok", "ice", "flood"),
    }


@record("LVX", fields=3)
def basin_level(fields):
    level = signed(fields[0])
    change = signed(fields[1])
    return {
        "level": level,
        "change": change,
        "full": percent(fields[2]),
    }


@record("OXY", fields=2)
def oxygen(fields):
    content_text, saturation_text = fields
    return {
        "content": number(content_text),
        "saturation": percent(saturation_text),
    }


@record("PHV", fields=2)
def acidity(fields):
    return {
        "ph": number(fields[0]),
        "temperature": number(fields[1]),
    }


@record("SED", fields=2)
def sediment(fields):
    trap_text, weight_text = fields
    return {
        "trap": whole(trap_text),
        "weight": number(weight_text),
    }


@record("SEI", fields=2)
def seiche(fields):
    period_text, height_text = fields
    return {
        "period": number(period_text),
        "height": number(height_text),
    }


@record("SND", fields=(2, 3))
def sounding(fields):
    depth = number(fields[0])
    if len(fields) == 3:
        depth = round(depth * METRES[one_of(fields[2], *METRES)], 2)
    return {"depth": depth, "ground": word(fields[1])}


@record("TID", fields=3)
def tide(fields):
    times = sorted([("high", clock(fields[0])), ("low", clock(fields[1]))], key=lambda pair: pair[1])
    return {"next": times, "range": number(fields[2])}


@record("TUR", fields=2)
def turbidity(fields):
    return {
        "turbidity": number(fields[0]),
        "wiper": flag(fields[1]),
    }


@record("WAV", fields=3)
def waves(fields):
    return {
        "height": number(fields[0]),
        "period": number(fields[1]),
        "direction": degrees(fields[2]),
    }


@record("WSP", fields=(3, 5, 7, 9))
def wave_spectrum(fields):
    step = number(fields[0])
    pairs = zip(fields[1::2], fields[2::2])
    bins = []
    for index, (energy, direction) in enumerate(pairs, start=1):
        bins.append((round(step * index, 4), number(energy), degrees(direction)))
    return {"bins": bins}


@record("WTP", fields=2)
def water_temperature(fields):
    return {
        "upper": signed(fields[0]),
        "lower": signed(fields[1]),
    }


# Ground


@record("CRK", fields=2)
def crack(fields):
    return {
        "gauge": word(fields[0]),
        "width": number(fields[1]),
    }


@record("FRO", fields=1)
def frost(fields):
    return {"depth": whole(fields[0])}


@record("GEO", fields=2)
def geophone(fields):
    peak_text, axis_text = fields
    return {
        "peak": number(peak_text),
        "axis": word(axis_text),
    }


@record("INC", fields=2)
def incline(fields):
    return {
        "north": signed(fields[0]),
        "east": signed(fields[1]),
    }


@record("MOI", fields=2)
def moisture(fields):
    probe_text, content_text = fields
    return {
        "probe": whole(probe_text),
        "content": percent(content_text),
    }


@record("QKE", fields=3)
def quake(fields):
    first, second = clock(fields[0]), clock(fields[1])
    if second < first:
        raise RecordError("QKE: the second wave comes after the first")
    return {"first": first, "distance": round((second - first) * 8.0, 1), "peak": number(fields[2])}


@record("RAD", fields=2)
def radon(fields):
    return {
        "counts": whole(fields[0]),
        "minutes": whole(fields[1]),
    }


@record("SLP", fields=2)
def slip(fields):
    wire_text, length_text = fields
    return {
        "wire": word(wire_text),
        "length": number(length_text),
    }


@record("SOI", fields=2)
def soil(fields):
    depth_text, temperature_text = fields
    return {
        "depth": whole(depth_text),
        "temperature": signed(temperature_text),
    }


@record("SOP", fields=(2, 3, 4, 5))
def soil_profile(fields):
    depths = range(10, 10 * len(fields) + 1, 10)
    return {"temperatures": dict(zip(depths, map(signed, fields)))}


@record("TLT", fields=4)
def tilt(fields):
    inside = flag(fields[2])
    return {
        "north": signed(fields[0]) if inside else None,
        "east": signed(fields[1]) if inside else None,
        "temperature": signed(fields[3]),
    }


# The station itself


@record("BAT", fields=3)
def battery(fields):
    return {
        "volts": number(fields[0]),
        "amperes": signed(fields[1]),
        "charge": percent(fields[2]),
    }


@record("BOX", fields=3)
def box(fields):
    return {
        "temperature": signed(fields[0]),
        "humidity": percent(fields[1]),
        "door": flag(fields[2]),
    }


@record("CAM", fields=2)
def camera(fields):
    number_text, bytes_text = fields
    return {
        "number": whole(number_text),
        "bytes": whole(bytes_text),
    }


@record("CLK", fields=2)
def station_clock(fields):
    return {
        "time": clock(fields[0]),
        "drift": signed(fields[1]),
    }


@record("DIS", fields=2)
def disk(fields):
    free_text, total_text = fields
    return {
        "free": whole(free_text),
        "total": whole(total_text),
    }


@record("ERR", fields=1)
def errors(fields):
    try:
        bits = int(fields[0], 16)
    except ValueError:
        raise RecordError(f"ERR: not hexadecimal: {fields[0]}") from None
    return {"errors": [name for place, name in enumerate(ERRORS) if bits >> place & 1]}


@record("FAN", fields=2)
def fan(fields):
    return {
        "turns": whole(fields[0]),
        "stuck": flag(fields[1]),
    }


@record("FIX", fields=3)
def position(fields):
    return {
        "latitude": latitude(fields[0]),
        "longitude": longitude(fields[1]),
        "satellites": whole(fields[2]),
    }


@record("GEN", fields=3)
def generator(fields):
    return {
        "running": flag(fields[0]),
        "fuel": percent(fields[1]),
        "hours": number(fields[2]),
    }


@record("HEA", fields=2)
def heater(fields):
    sensor_text, watts_text = fields
    return {
        "sensor": word(sensor_text),
        "watts": number(watts_text),
    }


@record("KEY", fields=2)
def keypad(fields):
    return {"digits": len(word(fields[0])), "opened": flag(fields[1])}


@record("LOG", fields=2)
def log_entry(fields):
    return {
        "level": word(fields[0]),
        "text": word(fields[1]),
    }


@record("MOD", fields=3)
def modem(fields):
    return {
        "signal": signed(fields[0]),
        "sent": whole(fields[1]),
        "received": whole(fields[2]),
    }


@record("MSG", fields=(1, 2, 3, 4))
def message(fields):
    return {"text": ", ".join(word(text) for text in fields)}


@record("PAN", fields=2)
def panel(fields):
    return {
        "volts": number(fields[0]),
        "watts": number(fields[1]),
    }


@record("PWR", fields=2)
def power(fields):
    return {
        "mains": flag(fields[0]),
        "volts": number(fields[1]),
    }


@record("RST", fields=2)
def restart(fields):
    return {
        "reason": word(fields[0]),
        "count": whole(fields[1]),
    }


@record("SEQ", fields=2)
def sequence(fields):
    number_now, acknowledged = whole(fields[0]), whole(fields[1])
    return {"packet": number_now, "open": (number_now - acknowledged) % 65536}


@record("VER", fields=2)
def version(fields):
    return {
        "program": word(fields[0]),
        "version": word(fields[1]),
    }


# Lines


def checksum(text):
    """The sum over the characters between the dollar and the star."""
    value = 0
    for character in text:
        value ^= ord(character)
    return value


def split(line):
    """Code and fields of a line."""
    line = line.strip()
    if not line.startswith("$") or line[-3:-2] != "*":
        raise RecordError(f"not a record: {line!r}")
    body, given = line[1:-3], line[-2:]
    if f"{checksum(body):02X}" != given.upper():
        raise RecordError(f"the sum is {checksum(body):02X}, not {given}")
    code, *fields = body.split(",")
    return code, fields


def decode(line):
    """The code of a line and its values."""
    code, fields = split(line)
    if code not in RECORDS:
        raise RecordError(f"unknown code: {code}")
    counts, function = RECORDS[code]
    if len(fields) not in counts:
        raise RecordError(f"{code}: {len(fields)} fields")
    return code, function(fields)


def encode(code, *fields):
    """A line as a station sends it; for tests and for the simulator."""
    body = ",".join([code, *map(str, fields)])
    return f"${body}*{checksum(body):02X}"
