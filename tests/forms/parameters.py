"""Parameters: the names of files, the labels of texts, the fields that hold them."""

import base64

from texts import LATIN, TEXTS, Place, labelled, message, named_file, octets, percent, q

SINGLE = ["utf-8", "iso-8859-1", "windows-1251", "koi8-r", "gb2312"]


def name(write, charsets=tuple(SINGLE)):
    """A generator of file names: `write` gives the parameter, or the parameter and what is meant."""

    def generate(maker):
        charset, text = maker.text(charsets)
        text = text.replace(" ", "-") + ".txt"
        written = write(maker, charset, text)
        parameter, meant = written if isinstance(written, tuple) else (written, text)
        return named_file(maker, parameter, meant)

    return generate


def label(write, charsets=("utf-8", "iso-8859-1", "windows-1251", "koi8-r")):
    """A generator of texts under a label: `write` gives the Content-Type."""

    def generate(maker):
        charset, text = maker.text(charsets)
        lines = [text] * maker.of([1, 2, 5])
        body = "\n".join(lines) + "\n"
        return labelled(write(maker, charset), body.encode(charset), body)

    return generate


def extended(maker, charset, text):
    return f"filename*={charset}''{percent(text.encode(charset))}"


def raw_extended(maker, charset, text):
    return f"filename*=UTF-8''{text}"


def with_specials(maker, charset, text):
    special = maker.of(["[1]", "/x", "@x", ":x", "?x", "a=b"])
    return f"filename*={charset}''{percent(text.encode(charset))}{special}", text + special


def word_in_extended(maker, charset, text):
    return f"filename*={charset}''{maker.word(charset, text)}"


def split(maker, charset, text):
    written = text.encode(charset)
    at = next(at for at, octet in enumerate(written) if octet > 127) + 1
    return f"filename*0*={charset}''{percent(written[:at])}; filename*1*={percent(written[at:])}"


def two_forms(maker, charset, text):
    return f'filename="{maker.word(charset, text)}"; {extended(maker, charset, text)}'


def words_over_sections(maker, charset, text):
    second = maker.of(["b.txt", "x"])
    parameter = f'filename*0="{maker.word(charset, text)}"; filename*1="{maker.word(charset, second)}"'
    return parameter, text + second


def several_words(maker, charset, text):
    between = maker.of([" ", "\n "])
    behind = maker.of(["", " 1.txt"])
    return f'filename="{maker.word(charset, text)}{between}{maker.word(charset, text)}{behind}"', text + text + behind


def bare_word(maker, charset, text):
    return f"filename={maker.word(charset, text)}"


def around_equals(maker, charset, text):
    white = maker.of([" =", "= ", " = ", "=\n ", "\n ="])
    value = maker.of([f'"{maker.word(charset, text)}"', None])
    if value is None:
        return f"filename*{white}{charset}''{percent(text.encode(charset))}"
    return f"filename{white}{value}"


def seven_bit(maker, charset, text):
    if charset == "utf-7":
        written = percent(text.encode("utf-7")).replace("%2B", "+").replace("+", maker.of(["%2B", "+"]))
        return f"filename*={maker.of(['utf-7', 'unicode-1-1-utf-7'])}''{written}"
    return f"filename*={charset}''{percent(text.encode(charset))}"


def seven_bit_name(maker):
    charset = maker.of(["utf-7", "iso-2022-jp"])
    text = maker.of(TEXTS["iso-8859-1" if charset == "utf-7" else charset]).replace(" ", "-") + ".txt"
    return named_file(maker, seven_bit(maker, charset, text), text)


def folded_name(maker, charset, text):
    return f'filename="{maker.word(charset, text)}\n x"', f"{text} x"


def beside(parameter):
    """A word in quotes with something odd beside it."""
    return name(lambda maker, charset, text: f'{parameter}; filename="{maker.word(charset, text)}"')


def empty_piece(maker, charset, text):
    return f'{maker.of(["", ";", "; ;"])}; filename="{maker.word(charset, text)}"{maker.of(["", ";"])};'


def unordered(maker, charset, text):
    written = text.encode(charset)
    pieces = [f"filename*1*={percent(written[-4:])}", f"filename*0*={charset}''{percent(written[:-4])}"]
    return "; ".join(pieces)


def repeated_field(field, values):
    """A field twice, with one meaning; a text in quoted-printable or raw under it."""

    def generate(maker):
        charset, text = maker.text(LATIN)
        both = [value.format(charset) for value in maker.of(values)]
        quoted = "quoted-printable" in both
        body = q(text.encode(charset), "=20") if quoted else text
        others = [("Content-Type", f"text/plain; charset={charset}")] if field != "Content-Type" else []
        others += [] if field == "Content-Transfer-Encoding" else [("Content-Transfer-Encoding", "8bit")]
        fields = others + [(field, value) for value in both]
        return Place("text", text, message(fields, octets(body) if quoted else body.encode(charset)))

    return generate


def commented_transfer(maker):
    charset, text = maker.text(LATIN)
    transfer = maker.of(["quoted-printable", "base64"])
    written = q(text.encode(charset), "=20") if transfer[0] == "q" else base64.b64encode(text.encode(charset)).decode()
    return labelled(f"text/plain; charset={charset}", written + "\n", text, f"{transfer} (a comment)")


def encoded_label(maker, charset):
    """A label of which a mail program wrote the quotes otherwise."""
    return "text/plain; charset=" + maker.of([f'3D"{charset}"', f"&quot;{charset}&quot;"])


def with_label(form):
    return label(lambda maker, charset: f"text/plain; charset={form.format(charset)}")


FORMS = {
    "bare-specials": beside("x=a/b=c"),
    "equals-white": name(around_equals),
    "extended-quoted": name(lambda maker, charset, text: extended(maker, charset, text).replace("=", '="', 1) + '"'),
    "extended-raw": name(raw_extended, ["utf-8"]),
    "extended-specials": name(with_specials),
    "extended-unmarked": name(lambda maker, charset, text: f"filename*={percent(text.encode())}", ["utf-8"]),
    "extended-word": name(word_in_extended),
    "label-apostrophes": with_label("'{}'"),
    "label-encoded": label(encoded_label, ["utf-8"]),
    "label-escaped": with_label('\\"{}\\"'),
    "label-open": label(lambda maker, charset: f"text/plain; charset={maker.of([charset + chr(34), chr(34) + charset])}"),
    "label-suffix": with_label("{}//TRANSLIT"),
    "label-white": label(lambda maker, charset: f"text/plain; charset={charset.replace('-', ' ', 1)}", ["utf-8"]),
    "name-bare-word": name(bare_word),
    "name-seven-bit": seven_bit_name,
    "name-split": name(split, ["utf-8"]),
    "name-two-forms": name(two_forms),
    "name-unordered": name(unordered, ["iso-8859-1", "koi8-r"]),
    "name-word": name(lambda maker, charset, text: f'filename="{maker.word(charset, text)}"'),
    "name-word-sections": name(words_over_sections),
    "name-words": name(several_words),
    "parameter-comment": with_label("{} (a comment)"),
    "parameter-empty-piece": name(empty_piece),
    "parameter-fold": name(folded_name),
    "parameter-repeated": label(lambda maker, charset: f"text/plain; charset={charset}; charset={charset.upper()}"),
    "transfer-comment": commented_transfer,
    "transfer-repeated": repeated_field("Content-Transfer-Encoding", [["8bit", "8BIT"], ["quoted-printable"] * 2]),
    "type-main-alone": label(lambda maker, charset: f"text; charset={charset}", ["utf-8"]),
    "type-repeated": repeated_field("Content-Type", [["text/plain; charset={}", 'Text/Plain; charset="{}"']]),
    "type-unseparated": label(lambda maker, charset: f"text/plain charset={charset}", ["utf-8"]),
}
