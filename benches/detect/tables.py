#!/usr/bin/env python3
"""Makes the tables of letters that septet's statistics read: `tables.py FOLDER > languages.txt`.

FOLDER is what `fetch` fetched. For each language the table has how likely each letter is behind each other, where one of the
two is not ASCII; for those of East Asia how likely each character is. Text is lower case, and whatever is no letter is a space.
A likelihood is a letter: `A` is 1, and each that follows 0.67 times the one before it (a natural logarithm of 0.4 less).
"""

import collections
import math
import pathlib
import sys
import unicodedata

import languages
import texts

STEP = 0.4
LOWEST = 25
# A pair that was seen fewer times in a large text may be an error or a name.
RARE = 2.5
LARGE = 60_000
# One in so many letters has to be another for it to belong to a language where CLDR does not say so.
KNOWN = 20_000
# Charsets have the cedilla where Unicode has the comma of Romanian.
CEDILLAS = str.maketrans("ȘșȚț", "ŞşŢţ")
# Names are read as so large a part of a text, at most.
NAMES = 0.15
# A character of East Asia has to be seen so often.
SEEN = 3


def fold(text):
    text = text.translate(CEDILLAS)
    lower = (character.lower() for character in text)
    return "".join((low if len(low) == 1 else own) if texts.is_letter(own) else " " for low, own in zip(lower, text))


def level(likelihood):
    return min(LOWEST, round(-likelihood / STEP))


def letter(level):
    return chr(ord("A") + level)


def gather(folder, language):
    """Sentences, and names with their weight."""
    sentences = list(texts.declaration(folder, language.udhr))
    sentences += texts.catalogues(folder / "web", language.locales())
    sentences += texts.home(folder, language.locales())
    names = [name for name in texts.names(folder, language.names) if texts.is_for_tables(name)]
    return sentences, names


def windows_1258(text):
    """Vietnamese as windows-1258 writes it: the tone behind its vowel."""
    out = []
    for character in text:
        apart = unicodedata.normalize("NFD", character)
        tone = [mark for mark in apart[1:] if mark in "\u0300\u0301\u0303\u0309\u0323"]
        rest = "".join(mark for mark in apart if mark not in tone)
        out.append(unicodedata.normalize("NFC", rest) + "".join(tone))
    return "".join(out)


def pairs(folder, language, change=lambda text: text):
    sentences, names = gather(folder, language)
    counts, letters = collections.Counter(), collections.Counter()

    def add(text, weight):
        folded = " " + fold(change(text)) + " "
        for pair in zip(folded, folded[1:]):
            counts[pair] += weight
        for character in folded:
            letters[character] += weight

    for sentence in sentences:
        add(sentence, 1)
    total = sum(letters.values())
    many = sum(len(name) + 1 for name in names)
    for name in names:
        add(name, min(1, NAMES * total / max(1, many)))
    if total > LARGE:
        counts = collections.Counter({pair: count for pair, count in counts.items() if count >= RARE})
    own, borrowed = texts.alphabet(folder, language.cldr or language.code)
    own, borrowed = ({letter for known in some for letter in change(fold(known))} for some in (own, borrowed))
    seen = {letter for letter, count in letters.items() if count > max(1, sum(letters.values()) / KNOWN)}
    own = {letter for letter in own | seen if letter > "\x7f" and is_written(language, letter, change is windows_1258)}
    return counts, letters, own, borrowed - own, share_of_others(sentences)


def is_written(language, letter, has_tones):
    """Tells whether a letter is of the script of a language; the letters of Latin come whole, but for Vietnamese tones."""
    is_latin = "LATIN" in unicodedata.name(letter, "")
    if language.code in languages.IS_LATIN:
        return is_latin or has_tones and unicodedata.category(letter) == "Mn"
    return not is_latin and ("CYRILLIC" in unicodedata.name(letter, "")) == (language.code in languages.IS_CYRILLIC)


def share_of_others(sentences):
    """How many of a hundred words of two letters or more have a letter beyond ASCII."""
    words = [word for sentence in sentences for word in sentence.split() if len(word) > 1 and any(map(texts.is_letter, word))]
    return round(100 * sum(map(texts.has_other_letters, words)) / max(1, len(words)))


def of_letters(code, counts, letters, own, borrowed, share):
    """Prints the table of a language: its letters, those that it borrows, in Latin its share of words with one, and a row for
    each letter."""
    is_latin = code.removesuffix("_1258") in languages.IS_LATIN
    others = sorted(own, key=lambda letter: (-letters[letter], letter))
    first = [" "] + [chr(code) for code in range(ord("a"), ord("z") + 1)] if is_latin else [" "]
    total = len(letters)
    print(f"\n{code}\t{''.join(others)}\t{''.join(sorted(borrowed))}" + (f"\t{share}" if is_latin else ""))
    for own in first + others:
        count = letters[own] + 0.05 * total
        unseen = level(math.log(0.05 / count)) if count else LOWEST
        row = []
        for next in others if own in first else first + others:
            seen = counts.get((own, next))
            row.append(level(math.log((seen + 0.05) / count)) if seen else unseen)
        print(letter(unseen) + shorten(row, unseen))


def shorten(row, unseen):
    """Writes a row, with the length of each run of pairs that were never seen."""
    out, run = [], 0
    for level in row + [None]:
        if level == unseen:
            run += 1
            continue
        out.append(str(run) if run > 1 else letter(unseen) * run)
        run = 0
        if level is not None:
            out.append(letter(level))
    # Nobody needs to be told how long the last run is.
    while out and (out[-1].isdigit() or out[-1] in ("", letter(unseen))):
        out.pop()
    return "".join(out)


def of_characters(folder, language):
    """Prints the table of a language of East Asia: for each likelihood its characters."""
    sentences, names = gather(folder, language)
    counts = collections.Counter()
    for text, weight in [(sentence, 1) for sentence in sentences] + [(name, 0.3) for name in names]:
        for character in text:
            if character > "\x7f" and texts.is_letter(character):
                counts[character] += weight
    counts = {character: count for character, count in counts.items() if count >= SEEN}
    total = sum(counts.values())
    levels = collections.defaultdict(list)
    for character, count in counts.items():
        levels[level(math.log(0.8 * count / total))].append(character)
    print(f"\n{language.code}")
    for at in sorted(levels):
        print(letter(at) + "".join(sorted(levels[at])))


def main(folder):
    folder = pathlib.Path(folder)
    print("# How likely letters are beside each other in a language. Made by benches/detect/tables.py, which says how to read it.")
    for language in languages.ALL.values():
        if language.code in languages.IS_EAST_ASIAN:
            of_characters(folder, language)
            continue
        of_letters(language.code, *pairs(folder, language))
        if language.code == "vi":
            of_letters("vi_1258", *pairs(folder, language, windows_1258))


if __name__ == "__main__":
    main(*sys.argv[1:])
