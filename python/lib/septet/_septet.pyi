import builtins
import os
import sys
from collections.abc import Callable, Mapping
from email.header import Header
from typing import Any, Literal, TypedDict, Union, final


if sys.version_info >= (3, 12):
    from collections.abc import Buffer
    _Octets = Buffer
else:
    _Octets = Union[bytes, bytearray, memoryview]

Outcome = Literal["changed", "left", "unchanged"]
# The words that `septet why` explains: so a type checker finds one that no report has.
Reason = Literal[
    "protected", "dkim", "dkim2", "attachment", "unlabelled", "unknown-charset", "malformed", "ambiguous",
    "visual-order",
    "refused", "unfixed", "unknown-transfer", "loss", "control", "long-line", "stray", "between-parts", "limit",
    "irregular", "unstable", "separator", "declined", "unproved", "internal", "compressed", "miscounted", "memory",
    "max-size", "not-allowed",
]
Note = Literal[
    "utf-7", "utf-7-tolerated", "meta", "double-encoded", "homograph", "bidi", "invisible", "address-in-name",
    "breaks", "link",
]

class _EntryPlace(TypedDict):
    part: str
    place: Literal["message", "field", "body"]
    text: str

class Entry(_EntryPlace, total=False):
    """One decision; it has exactly one of changes, left and note."""

    field: str
    changes: list[str]
    left: Reason
    note: Note

ProfileLike = Union[str, Mapping[str, Any], os.PathLike[str], Profile]

__version__: str

@final
class Profile:
    """What is wanted of mail. `name` chooses a profile of a settings file, whose default profile it is otherwise."""

    def __new__(cls, source: ProfileLike, *, name: str | None = None) -> Profile: ...
    @property
    def name(self) -> str:
        """Its name; that of one made of a dict is "custom"."""

@final
class Result:
    """What became of a message. `str` of it is the report on one line, `bytes` the message.

    Results can be pickled and compared, so that worker processes may return them.
    """

    @property
    def bytes(self) -> builtins.bytes:
        """The message as it is now; the very object that came in where nothing was changed."""
    @property
    def changed(self) -> bool:
        """True if any octet is another one now."""
    @property
    def result(self) -> Outcome:
        """"changed", "left" (something should have been changed and was not) or "unchanged"."""
    @property
    def report(self) -> list[Entry]:
        """What was done and what was left, one dict an entry, with the keys that a report in JSON has."""
    @property
    def from_line(self) -> builtins.bytes | None:
        """The From_ line of a message in a mailbox, its line end included, b"" where there is none; None for any other message."""
    def __bytes__(self) -> builtins.bytes: ...

@final
class Mailbox:
    """The messages of a mailbox file, given as its octets, converted one by one as they are asked for."""

    def __new__(cls, file: _Octets, profile: ProfileLike = "utf8") -> Mailbox: ...
    def __iter__(self) -> Mailbox: ...
    def __next__(self) -> Result: ...

def convert(raw: _Octets, profile: ProfileLike = "utf8") -> Result:
    """Converts a message: its octets, what was changed, what was left and why. No mail raises an exception."""

def explain(raw: _Octets, profile: ProfileLike = "utf8") -> list[Entry]:
    """Says what convert would do with a message: the report alone."""

def decode_header(value: _Octets | str | Header) -> str:
    """Reads the value of an unstructured field, as Subject; a word that can't be read stays as it stands."""

def decode_addresses(value: _Octets | str | Header) -> list[tuple[str, str]]:
    """Reads the mailboxes of an address field, as (name, address); what is none is left out.

    A list that is never closed, as by a quotation mark, gives nothing.
    """

def detect(octets: _Octets) -> str | None:
    """Finds out which charset octets without a label are in; None where nobody can tell."""

def decode(octets: _Octets, label: str | None = None) -> tuple[str, str]:
    """Reads octets as text, by their label if it is good, else by what they show; gives the text and the charset.

    UnicodeError where nobody can tell what they mean.
    """

def encode_header(name: str, text: str, charset: str = "utf-8") -> str:
    """Writes a text as the value of the field `name`, in encoded-words where it needs them, folded with CRLF.

    ValueError for what the field has no place for, as a line end; LookupError for an unknown charset.
    """

def find_iris(text: str) -> list[tuple[str, int, int]]:
    """Finds the links of running text, as (iri, start, end): text[start:end] is where one stands."""

def to_uri(iri: str) -> str:
    """Maps an IRI to a URI: the host by punycode, the rest in percent. ValueError for what can't be mapped."""

def to_iri(uri: str) -> str:
    """Shows a URI as people read it; what would not map back to the same URI stays."""

def texts(raw: _Octets) -> list[tuple[str, str]]:
    """Reads the texts that a message shows, as (media type, text), to index or to show them; HTML is still markup.

    Attached files are none of them; U+FFFD stands where nobody can tell what is meant.
    """

def rewrite_mbox(file: _Octets, profile: ProfileLike, write: Callable[[bytes], Any]) -> dict[str, int]:
    """Converts a mailbox file and hands its octets to `write`, a batch of messages at a time; returns how many there were."""
