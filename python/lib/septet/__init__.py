"""Repairs the character encodings of mail and leaves every other byte untouched.

>>> import septet
>>> result = septet.convert(b"Subject: =?iso-8859-1?Q?Stra=DFe?=\\n\\nhello\\n")
>>> result.bytes
b'Subject: =?utf-8?Q?Stra=C3=9Fe?=\\n\\nhello\\n'
>>> str(result)
'field=Subject word=iso-8859-1>utf-8'

A profile says what is wanted of mail. Wherever a function takes one, it is the name of a built-in profile ("keep", "utf8",
"eai", "seven-bit", "utf7", "ascii"), a dict of a profile's keys, the path of a settings file, or a Profile, which was made of
one of these. A wrong one is a ValueError that names the key, a file that can't be read an OSError.
"""

from septet._mailbox import convert_mbox, open_mbox
from septet._septet import (
    Mailbox,
    Profile,
    Result,
    __version__,
    convert,
    decode,
    decode_addresses,
    decode_header,
    detect,
    encode_header,
    explain,
    find_iris,
    texts,
    to_iri,
    to_uri,
)

__all__ = [
    "Mailbox",
    "Profile",
    "Result",
    "__version__",
    "convert",
    "convert_mbox",
    "decode",
    "decode_addresses",
    "decode_header",
    "detect",
    "encode_header",
    "explain",
    "find_iris",
    "open_mbox",
    "texts",
    "to_iri",
    "to_uri",
]
