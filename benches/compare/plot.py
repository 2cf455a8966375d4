"""Draws points on two logarithmic axes, as SVG and with nothing but this file."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 560, 380, 70, 40, 20, 50


class Axis:
    """Maps what lies between two powers of ten onto a length; one decade at least."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.start, self.end = start, end

    def at(self, value):
        """Returns the place of a value.

        >>> Axis([1, 100], 0, 200).at(10)
        100.0
        """
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def decades(self):
        """Returns the powers of ten."""
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def draw(path, title, what, points, start, exponent):
    """Writes a plot: the seconds that so much took, the start-up's seconds, and what linear growth would be."""
    across = Axis([amount for amount, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis([seconds for _, seconds in points] + [start], HEIGHT - BOTTOM, TOP)
    parts = [grid(across, up), reference(across, up, points), dots(across, up, points), labels(title, what, exponent)]
    level = up.at(start)
    parts.append(f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" class="start"/>'
                 f'<text x="{WIDTH - RIGHT}" y="{level - 5:.1f}" text-anchor="end">start-up</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                   f'height="{HEIGHT}">\n<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
                   + "\n".join(parts) + "\n</svg>\n")


STYLE = ("text{font:12px sans-serif;fill:#333}.title{font-size:15px;font-weight:bold}.grid{stroke:#ddd}"
         ".linear{stroke:#888;stroke-dasharray:5 4;fill:none}.start{stroke:#b60;stroke-dasharray:2 3;fill:none}"
         ".line{stroke:#06c;stroke-width:2;fill:none}.dot{fill:#06c}")


def grid(across, up):
    """Returns the lines and names of the decades."""
    lines = []
    for value in across.decades():
        x = across.at(value)
        lines.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{amount(value)}</text>')
    for value in up.decades():
        y = up.at(value)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{time(value)}</text>')
    return "\n".join(lines)


def reference(across, up, points):
    """Returns a line of linear growth that ends in the last point."""
    last_amount, last_seconds = points[-1]
    lowest = max(10.0 ** up.low, last_seconds / last_amount * 10.0 ** across.low)
    first = lowest / last_seconds * last_amount
    return (f'<path d="M{across.at(first):.1f} {up.at(lowest):.1f}L{across.at(last_amount):.1f} '
            f'{up.at(last_seconds):.1f}" class="linear"/>')


def dots(across, up, points):
    """Returns what was measured."""
    places = [(across.at(size), up.at(seconds)) for size, seconds in points]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path d="M{line}" class="line"/>' + "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="dot"/>' for x, y in places)


def labels(title, what, exponent):
    """Returns the words around a plot."""
    grows = f"; exponent {exponent:.2f}" if exponent is not None else ""
    return (f'<text x="{LEFT}" y="24" class="title">{escape(title)}{grows}</text>'
            f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(what)}; dashed: '
            f'linear growth</text>')


def amount(value):
    """Returns a power of ten for an axis.

    >>> amount(10.0), amount(1e6)
    ('10', '10⁶')
    """
    power = round(math.log10(value))
    return f"{value:g}" if power < 4 else "10" + str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def time(seconds):
    """Returns a power of ten of seconds for an axis.

    >>> time(0.001), time(1.0), time(1e-6)
    ('1 ms', '1 s', '1 µs')
    """
    power = round(math.log10(seconds))
    scale, unit = next(((s, u) for s, u in ((0, "s"), (-3, "ms"), (-6, "µs")) if power >= s), (-9, "ns"))
    return f"{10 ** (power - scale)} {unit}"
