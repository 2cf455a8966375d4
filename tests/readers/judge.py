"""What is right in what a reader shows: the cases of fixtures/reading.jsonl say what is meant, and of real mail the readers."""

import re
import unicodedata
from collections import Counter

# The fields whose text or whose names a driver shows.
TEXTS = {"Subject": "subject", "Comments": "comments"}
KEYS = {"text": "texts", "html": "texts", "filename": "files"}
# The places of real mail, by what they are called in known.tsv.
REAL = ["real subjects", "real names", "real file names", "real texts"]

BACKSLASH = re.compile(r"\\u'([0-9A-Fa-f]{4,6})'")
REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]{2,6});|amp;(?=#|amp;|$))")


def unescaped(text):
    """A text in which the escapes that the profile `ascii` writes are undone (RFC 5137 §5.2, and §5.1 if `escape` asks for it).

    Where one stands, a backslash that is meant is doubled; `&` is written `&amp;` where it would begin an escape.
    """
    character = lambda it: chr(int(it[1], 16)) if it[1] else "&"
    if BACKSLASH.search(text):
        text = "\\".join(BACKSLASH.sub(character, it) for it in text.split("\\\\"))
    return REFERENCE.sub(character, text)


def plain(text, is_html=False):
    """A text as it is compared: NFC, without white space at the ends of lines and of the whole, HTML without its tags."""
    text = re.sub(r"<[^>]*>", "", text) if is_html else text
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    return unicodedata.normalize("NFC", "\n".join(lines).rstrip())


def shown(answer, place):
    """The texts among which that of a place is right, if one of them is."""
    if "part" in place:
        return answer.get(KEYS[place["what"]]) or []
    if "what" not in place:
        return [answer.get(TEXTS[place["field"]])]
    names = (answer.get("names") or {}).get(place["field"].lower()) or []
    return names[place.get("at", 1) - 1 :][:1]


def key_of(place):
    """What in an answer shows a place."""
    if "part" in place:
        return KEYS[place["what"]]
    return "names" if "what" in place else TEXTS[place["field"]]


def is_right(answer, case, profile):
    """Whether a reader sees in a case what is meant there."""
    is_html = case["place"].get("what") == "html"
    form = lambda text: plain(unescaped(text) if profile == "ascii" else text, is_html)
    return any(text is not None and form(text) == form(case["text"]) for text in shown(answer, case["place"]))


def silent(answers):
    """The keys that a reader gives for no message at all: it is not asked about them."""
    return {key for key in ("subject", "comments", "names", "files", "texts") if all(it.get(key) is None for it in answers)}


def real(answer, profile):
    """What a reader sees in the places of a real message: pairs of what the place is and its text.

    White space counts in subjects, names and file names. Tags don't, as a label in HTML may change with its charset.
    """
    form = unescaped if profile == "ascii" else str
    names = [(field, name) for field, list in (answer.get("names") or {}).items() for name in list or [] if name]
    found = {("real names", f"{field}: {form(name)}") for field, name in names}
    found |= {("real subjects", form(it)) for it in [answer.get("subject")] if it}
    found |= {("real file names", form(it)) for it in answer.get("files") or [] if it}
    found |= {("real texts", plain(form(it), True)) for it in answer.get("texts") or [] if it}
    return found


def meant(seen, asked):
    """What most readers see in a real message after `utf8`, which is taken for what is meant there.

    `seen` has what each of them sees, `asked` how many are asked about each kind of place. Where most are led astray, by
    septet or by the message, this doesn't show it: what is meant is known in the cases alone.
    """
    votes = Counter(place for places in seen for place in places)
    return {place for place, count in votes.items() if 2 * count > asked[place[0]]}
