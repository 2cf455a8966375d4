#!/usr/bin/env python3
"""Makes messages without labels whose charset is known: `messages.py FOLDER > messages.jsonl`.

FOLDER is what `fetch` fetched. A message is a line: its charset and language, how long its body is about, where the text comes
from, and its texts in hexadecimal: a subject, a name and a body, those of them that are neither ASCII nor UTF-8. No text here is
one that the tables were made from.
"""

import json
import pathlib
import random
import re
import sys

import languages
import tables
import texts

WESTERN = "de fr es it pt ca nl sv nb nn da fi is eu gl ga sq en"
CENTRAL = "pl cs sk hu ro hr sl bs sr_Latn"
CYRILLIC = "ru uk bg sr mk be"
# A charset of septet, what Python calls it, and what was written in it.
CHARSETS = {
    "windows-1252": ("cp1252", WESTERN + " af ast br fy lb oc gd fo fur"),
    "iso-8859-15": ("iso8859-15", "fr fi et de es it nl"),
    "windows-1250": ("cp1250", CENTRAL + " hsb"),
    "iso-8859-2": ("iso8859-2", CENTRAL + " hsb"),
    "iso-8859-3": ("iso8859-3", "eo"),
    "iso-8859-4": ("iso8859-4", "et lv lt"),
    "windows-1257": ("cp1257", "lt lv et"),
    "iso-8859-13": ("iso8859-13", "lt lv et"),
    "windows-1251": ("cp1251", CYRILLIC),
    "koi8-r": ("koi8-r", "ru bg"),
    "koi8-u": ("koi8-u", "uk"),
    "iso-8859-5": ("iso8859-5", CYRILLIC),
    "ibm866": ("cp866", "ru bg"),
    "windows-1253": ("cp1253", "el"),
    "iso-8859-7": ("iso8859-7", "el"),
    "windows-1254": ("cp1254", "tr"),
    "windows-1255": ("cp1255", "he"),
    "windows-1256": ("cp1256", "ar fa ur"),
    "iso-8859-6": ("iso8859-6", "ar"),
    "windows-874": ("cp874", "th"),
    "windows-1258": ("cp1258", "vi"),
    "macintosh": ("mac-roman", "de fr es sv it en"),
    "ibm850": ("cp850", "de fr es da pt"),
    "gbk": ("gbk", "zh_Hans"),
    "big5": ("cp950", "zh_Hant"),
    "windows-949": ("cp949", "ko"),
    "windows-31j": ("cp932", "ja"),
    "euc-jp": ("euc-jp", "ja"),
}
# Charsets that hardly any mail is in.
RARE = {"macintosh", "ibm850", "iso-8859-5", "ibm866", "iso-8859-4", "iso-8859-3", "iso-8859-6"}
FORTUNES = {"de": "de", "cs": "cs", "pl": "pl", "ru": "ru", "it": "it", "es": "es", "pt": "br", "bg": "bg"}
# Signs and letters that a charset may lack, and what people write for them.
INSTEAD = {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ", "«": '"', "»": '"',
           "ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك", "ۀ": "ه", "\u200c": " ", "€": "EUR", "×": "x", "−": "-",
           "‐": "-", "‑": "-", "°": " "}
SIZES = (60, 200, 1000)
MESSAGES = 400


def encode(word, codec):
    """Encodes a word as people write it in a charset; nothing where it lacks a letter."""
    word = tables.windows_1258(word) if codec == "cp1258" else word
    # Mail in Big5 has kana where cp950 has none.
    if codec == "cp950" and re.search("[々\u3040-\u30ff]", word):
        return None
    out = []
    for character in word:
        for written in (character, INSTEAD.get(character, "\x00")):
            try:
                out.append(written.encode(codec))
                break
            except UnicodeEncodeError:
                continue
        else:
            return None
        if out[-1] == b"\x00":
            return None
    return b"".join(out)


def typeset(sentence):
    """English has no letters beyond ASCII, so it comes with its quotes and dashes."""
    sentence = re.sub(r"(^|[\s(])'", r"\1‘", sentence).replace("'", "’").replace(' "', " “").replace('("', "(“")
    return sentence.replace('"', "”").replace("...", "…").replace(" - ", " – ")


class Source:
    """The words of a language from one source, and where those stand that are not ASCII."""

    def __init__(self, language, sentences):
        is_english = language.code == "en"
        self.separator = b"" if language.code in languages.WITHOUT_SPACES else b" "
        self.words = []
        for sentence in sentences:
            sentence = typeset(sentence) if is_english else sentence
            self.words += list(sentence) + [" "] if not self.separator else sentence.split()
        others = (lambda word: not word.isascii()) if is_english else texts.has_other_letters
        self.telling = [at for at, word in enumerate(self.words) if others(word)]

    def piece(self, size, is_telling, codec, chance):
        """A run of words of about so many octets."""
        for _ in range(20):
            at = chance.choice(self.telling) if is_telling else chance.randrange(len(self.words))
            at = max(0, at - chance.randint(0, max(1, size // 12)))
            taken, length = [], 0
            for word in self.words[at:]:
                octets = encode(word, codec)
                if octets is None or not taken and not octets.strip():
                    continue
                if length and length + len(octets) > size + 12 or length >= size:
                    break
                taken.append(octets)
                length += len(octets) + len(self.separator)
            piece = self.separator.join(taken).strip()
            if not is_telling or not piece.isascii():
                return piece
        return b""


def is_doubtful(octets):
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def name(names, codec, chance):
    for _ in range(30):
        octets = encode(chance.choice(names), codec) if names else None
        if octets and 4 <= len(octets) <= 20 and (not octets.isascii() or chance.random() < 0.1):
            return octets
    return b""


def messages(charset, codec, language, where, source, names, count):
    for size in SIZES:
        chance = random.Random(f"{charset} {language.code} {where} {size}")
        for _ in range(count if size == 60 else count // 2):
            body = source.piece(size, True, codec, chance)
            subject = source.piece(chance.randint(20, 40), chance.random() < 0.7, codec, chance)
            doubtful = [octets for octets in (subject, name(names, codec, chance), body) if is_doubtful(octets)]
            if is_doubtful(body):
                yield {"charset": charset, "language": language.code, "size": size, "source": where,
                       "texts": [octets.hex() for octets in doubtful]}


def source(language, where, sentences):
    """A source of sentences that are long enough; none if there are too few."""
    sentences = sorted(sentence for sentence in sentences if sum(map(texts.is_letter, sentence)) > 7)
    random.Random(language.code).shuffle(sentences)
    source = Source(language, sentences[:6000])
    return {(language.code, where): source} if len(source.telling) >= 40 else {}


def gather(folder):
    """The sources of all languages, and names that no table was made from."""
    sources, names = {}, {}
    for language in languages.ALL.values():
        names[language.code] = [name for name in texts.names(folder, language.names) if not texts.is_for_tables(name)]
        sources |= source(language, "programs", texts.catalogues(folder / "programs", language.locales()))
        if language.code in FORTUNES:
            sources |= source(language, "prose", texts.fortunes(folder / "prose", FORTUNES[language.code]))
    return sources, names


def main(folder):
    sources, names = gather(pathlib.Path(folder))
    for charset, (codec, codes) in CHARSETS.items():
        codes = codes.split()
        for code in codes:
            for where in ("programs", "prose"):
                if (code, where) in sources:
                    count = max(20, MESSAGES // len(codes)) // (1 if where == "programs" else 2)
                    for message in messages(charset, codec, languages.ALL[code], where, sources[code, where], names[code], count):
                        print(json.dumps(message))


if __name__ == "__main__":
    main(*sys.argv[1:])
