#!/usr/bin/env python3
"""Makes messages without labels as real mail has them: `disturbed.py FOLDER > disturbed.jsonl`.

FOLDER is what `fetch` fetched. A line is one of `messages.py`, without a name, and with what was done to its texts: `disturbed` is
`rule` (ruled lines), `signature`, `sign` (a price, a unit), `dash` (dashes and quotes without blanks), `cut` (at an octet limit) or
`none`. One message in ten has each. English has nothing beyond ASCII but its signs. UTF-8 is cut in an emoji.
"""

import itertools
import json
import pathlib
import random
import re
import sys
import textwrap

import languages
import messages
import texts

KINDS = ["rule", "signature", "sign", "dash", "cut"] + 5 * ["none"]
MESSAGES = 120
SOURCES = ("programs", "prose", "descriptions")
UTF_8 = "en de fr es it pt pl cs ru uk el tr he ar th vi ja ko zh_Hans zh_Hant"
EMOJI = "😀😂👍🎉🙏🚀😉🔥🤔💡"
RULES = "━ ― ═ ─ ＊ ■□ ◆◇ ★☆ ※ ● ＝ － ～ — – • · ¯".split()
ASCII_RULES = "- = _ * # ~ -= +-".split()
SIGNS = "{} m²|{} m³|{} °C|{}°C|{} €|{}€|€{}|£{}|½|{}½|Linux®|© {}|Linux™|§ {}|№ {}|±{}|{} µg|{} ‰|¥{}|{}㎡|{}℃|￥{}|₪{}|{}×{}"
DASHES = "— – ―".split()
QUOTES = "„“ “” «» »« ‘’ ‚‘ 「」 『』".split()


def known(written, codec):
    """Those of some texts that a charset has, but for what mail in EUC-JP never has: the characters of three octets."""
    octets = ((text, text.encode(codec, "ignore")) for text in written)
    return [text for text, octets in octets if octets.decode(codec) == text and (codec != "euc-jp" or b"\x8f" not in octets)]


def rule(text, codec, chance):
    """Puts ruled lines between the lines."""
    own = known(RULES, codec)
    pattern = chance.choice(own if own and chance.random() < 0.75 else ASCII_RULES)
    line = (pattern * 80)[: chance.choice((4, 10, 20, 36, 70))]
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        lines.insert(chance.randint(0, len(lines)), line)
    return "\n".join(lines)


def signature(text, codec, chance, people):
    """Signs with a name, an address and a telephone number."""
    if not people[0] or not people[1]:
        return None
    *address, number = chance.choice(people[1])
    lines = [chance.choice(people[0]), *address, chance.choice(known(["Tel. ", "Tel: ", "", "☎ ", "℡ "], codec)) + number]
    lines = [line.decode(codec) for line in (messages.encode(line, codec) for line in lines) if line]
    return "\n".join([text, "", "-- ", *lines])


def words(text, separator):
    """Splits a text into words, or into pieces where a language has no spaces."""
    return [word for word in (text.split(separator) if separator else re.findall(r"(?s).{1,4}", text)) if word]


def sign(text, codec, chance, separator):
    """Puts prices and units between the words."""
    own, parts = known(SIGNS.split("|"), codec), words(text, separator)
    if not own:
        return None
    for _ in range(chance.randint(1, 2)):
        number = chance.choice(("5", "12", "20", "1.500", "2019"))
        parts.insert(chance.randint(0, len(parts)), chance.choice(own).format(number, number))
    return separator.join(parts)


def dash(text, codec, chance, separator):
    """Joins words by dashes, or glues dots and quotes to them."""
    dashes, quotes, dots = known(DASHES, codec), known(QUOTES, codec), known(["…", "……"], codec)
    ways = [way for way, has in ((join, dashes), (years, dashes), (trail, dots), (quote, quotes)) if has]
    parts = words(text, separator)
    if not ways or len(parts) < 2:
        return None
    for _ in range(chance.randint(1, 3)):
        way = chance.choice(ways)
        way(parts, chance.randrange(len(parts)), chance.choice({trail: dots, quote: quotes}.get(way, dashes)))
    return separator.join(parts)


def join(parts, at, mark):
    parts[at : at + 2] = [mark.join(parts[at : at + 2])]


def years(parts, at, mark):
    parts.insert(at, f"1990{mark}1999")


def trail(parts, at, mark):
    parts[at] += mark


def quote(parts, at, marks):
    parts[at] = marks[0] + parts[at] + marks[1]


def cut(octets, codec, chance):
    """Cuts text at an octet limit, within a character where one has several octets."""
    places = list(range(max(1, len(octets) * 2 // 5), len(octets)))
    chance.shuffle(places)
    for at in places:
        try:
            octets[:at].decode(codec)
        except UnicodeDecodeError:
            return octets[:at]
    return octets[: places[0]] if places else octets


def wrap(text, separator):
    """Breaks lines where mail has them."""
    if separator:
        return textwrap.fill(text, 72, break_long_words=False, break_on_hyphens=False)
    return "\n".join(re.findall(r"(?s).{1,35}", text))


def body(text, kind, codec, separator, chance, people):
    """A body in octets; none where a charset or a language has not what disturbs."""
    between = {"sign": sign, "dash": dash}.get(kind)
    text = between(text, codec, chance, separator) if between else text
    text = text and wrap(text, separator)
    if kind == "rule":
        text = rule(text, codec, chance)
    if kind == "signature":
        text = signature(text, codec, chance, people)
    octets = text and text.encode(codec)
    return cut(octets, codec, chance) if octets and kind == "cut" else octets


def made(charset, codec, language, source, people, size, kind, chance):
    """The texts of a message and what disturbs them."""
    is_english = language.code == "en"
    separator = source.separator.decode()
    text = source.piece(size, not is_english, codec, chance).decode(codec)
    subject = source.piece(chance.randint(20, 40), not is_english and chance.random() < 0.7, codec, chance).decode(codec)
    kind = "sign" if is_english and kind == "none" else kind
    octets = text and body(text, kind, codec, separator, chance, people)
    if text and not octets:
        kind, octets = "none", body(text, "none", codec, separator, chance, people)
    between = {"sign": sign, "dash": dash}.get(kind)
    if between and subject and chance.random() < 0.5:
        subject = between(subject, codec, chance, separator) or subject
    return kind, [text for text in (subject.encode(codec), octets) if text and messages.is_doubtful(text)], octets


def of_charset(charset, codec, language, where, source, people):
    """The messages of a language in a charset."""
    count = max(20, MESSAGES // len(messages.CHARSETS[charset][1].split()))
    for size in messages.SIZES:
        chance = random.Random(f"disturbed {charset} {language.code} {where} {size}")
        for kind in itertools.islice(itertools.cycle(KINDS), count):
            kind, doubtful, octets = made(charset, codec, language, source, people, size, kind, chance)
            if octets and messages.is_doubtful(octets):
                yield line(charset, language, where, size, doubtful, kind)


def of_utf_8(language, where, source):
    """Messages in UTF-8 that end within an emoji."""
    for size in messages.SIZES:
        chance = random.Random(f"emoji {language.code} {where} {size}")
        for _ in range(10):
            text = wrap(source.piece(size, language.code != "en", "utf-8", chance).decode(), source.separator.decode())
            emoji = chance.choice(EMOJI)
            text = text.replace(".", f". {emoji}") + f" {emoji}" * chance.randint(1, 3)
            yield line("utf-8", language, where, size, [text.encode()[: -chance.randint(1, 3)]], "cut")


def line(charset, language, where, size, doubtful, kind):
    return {"charset": charset, "language": language.code, "size": size, "source": where,
            "texts": [octets.hex() for octets in doubtful], "disturbed": kind}


def gather(folder):
    """The sources of languages, with descriptions of packages, and for each its names and addresses."""
    sources, names = messages.gather(folder)
    people = {}
    for language in languages.ALL.values():
        sources |= messages.source(language, "descriptions", texts.descriptions(folder / "lists", language.locales()))
        people[language.code] = names[language.code], texts.addresses(folder, language.names.split()[0]) if language.names else []
    return sources, people


def main(folder):
    sources, people = gather(pathlib.Path(folder))
    for charset, (codec, codes) in messages.CHARSETS.items():
        for code, where in itertools.product(codes.split(), SOURCES):
            if (code, where) in sources:
                for message in of_charset(charset, codec, languages.ALL[code], where, sources[code, where], people[code]):
                    print(json.dumps(message))
    for code, where in itertools.product(UTF_8.split(), SOURCES):
        if (code, where) in sources:
            for message in of_utf_8(languages.ALL[code], where, sources[code, where]):
                print(json.dumps(message))


if __name__ == "__main__":
    main(*sys.argv[1:])
