//! The rows: form, code, site, verdict, rule, example, readers that differ.

use super::{Admission, FormRow, Site};

forms! {
    // Lists of addresses
    AddressAngle "address-angle" Address Irregular "RFC 5322 §3.4"
        b"From: a <b@example.org, c@example.org\n\n" "not measured: each ends the address elsewhere";
    AddressBackslash "address-backslash" Address Irregular "RFC 5322 §3.2.1"
        b"From: a\\b <c@example.org>\n\n" "not measured: it quotes the octet behind it, or is one of the name";
    AddressGroup "address-group" Address Irregular "RFC 5322 §3.4"
        b"To: a: b: <c@example.org>;\n\n" "not measured: each ends the group elsewhere";
    AddressOpen "address-open" Address Irregular "RFC 5322 §3.2.2, §3.2.4"
        b"From: \"a <b@example.org>\n\n" "not measured: the address is in the quotes, or behind them";
    AddressSemicolon "address-semicolon" Address Irregular "RFC 5322 §3.4"
        b"To: a@example.org; b <c@example.org>\n\n" "not measured: an address ends there, or at the next comma";
    AddressText "address-text" Address Irregular "RFC 5322 §3.4"
        b"From: <a@example.org> b\n\n" "not measured: the text is a name, an address of its own or nothing";
    // Encoded bodies
    BaseDamaged "base64-damaged" Body Irregular "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fmw\n"
        "not measured: a digit is left over, of which each drops others";
    BaseEarlyPadding "base64-early-padding" Body Admitted "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nYQ==\nYg==\n" "Python and GMime stop at the first padding";
    BaseJunk "base64-junk" Body Admitted "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fm!\nw6k=\n" "mail-parser does not decode it";
    BaseLines "base64-lines" Body Admitted "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\n\
          Y2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fmw6kgY2Fm\n"
        "none: more than 76 digits, or blanks";
    BaseUnpadded "base64-unpadded" Body Admitted "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fmw6k\n" "GMime and mail-parser drop the last octets";
    BaseUrl "base64-url" Body Irregular "RFC 4648 §5"
        b"Content-Transfer-Encoding: base64\n\nIGFu____IEv2\n" "not measured: all skip two of its digits";
    BaseWords "base64-words" Body Irregular "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fm\n-- \nannounce\n"
        "mail-parser, postal-mime and mailparser read the words as digits";
    QpBareEquals "qp-bare-equals" Body Admitted "RFC 2045 §6.7 (1)"
        b"Content-Transfer-Encoding: quoted-printable\n\na=x\n" "mail-parser drops one before a blank";
    QpBlanks "qp-blanks" Body Admitted "RFC 2045 §6.7 (3)"
        b"Content-Transfer-Encoding: quoted-printable\n\na \nb\n" "Python, GMime and postal-mime keep the blanks";
    QpDisputed "qp-disputed" Body Irregular "RFC 2045 §6.7 (1)"
        b"Content-Transfer-Encoding: quoted-printable\n\na==3Db\n" "postal-mime and mailparser read `==3D` otherwise";
    QpLineEnd "qp-line-end" Body Admitted "RFC 2045 §6.7 (4)"
        b"Content-Transfer-Encoding: quoted-printable\n\na=0D\n" "none where it stays written so";
    QpLowerHex "qp-lower-hex" Body Admitted "RFC 2045 §6.7 (1)"
        b"Content-Transfer-Encoding: quoted-printable\n\ncaf=c3=a9\n" "none";
    QpRawOctet "qp-raw-octet" Body Admitted "RFC 2045 §6.7 (2)"
        b"Content-Transfer-Encoding: quoted-printable\n\ncaf\xE9\n" "none";
    QpSoftBreak "qp-soft-break" Body Admitted "RFC 2045 §6.7 (5)"
        b"Content-Transfer-Encoding: quoted-printable\n\na=" "none: at the end, or blanks behind the `=`";
    // Any field
    FieldLineEnd "field-line-end" Field Irregular "RFC 5322 §2.2, §4"
        b"Subject: a\rb\n\n" "not measured: an octet 0 or a CR alone ends the line, or not";
    TransferComment "transfer-comment" Field Admitted "RFC 2045 §6.1"
        b"Content-Transfer-Encoding: 7bit (a)\n\n" "GMime, postal-mime and mailparser decode nothing";
    TransferConflict "transfer-conflict" Field Irregular "RFC 2045 §3"
        b"Content-Transfer-Encoding: base64\nContent-Transfer-Encoding: quoted-printable\n\n"
        "not measured: the first counts, or the last";
    TransferOdd "transfer-odd" Field Irregular "RFC 2045 §6.1"
        b"Content-Transfer-Encoding: \"7bit\"\n\n\
          " "not measured: quotes, a `;` or an open comment make another token";
    TransferRepeated "transfer-repeated" Field Admitted "RFC 2045 §3"
        b"Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: 7BIT\n\n" "none";
    TypeConflict "type-conflict" Field Irregular "RFC 2045 §3"
        b"Content-Type: text/plain\nContent-Type: text/html\n\n" "not measured: the first counts, or the last";
    TypeRepeated "type-repeated" Field Admitted "RFC 2045 §3"
        b"Content-Type: text/html\nContent-Type: Text/HTML\n\n" "none";
    // Parameters, and the media type before them
    BareSpecials "bare-specials" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; x=a/b=c\n\n" "none";
    CommentWithin "comment-within" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Type: text/plain; x=a(b)\n\n"
        "compat32 and GMime take it into a file's name without quotes; others a glued one, or one before `=`";
    EqualsWhite "equals-white" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset =\n utf-8\n\n"
        "mail-parser where it is a fold; Python's default parser in extended values";
    ExtendedCharset "extended-charset" Parameter Irregular "RFC 2231 §4"
        b"Content-Disposition: inline; filename*=%E9\n\n"
        "nobody reads 8-bit that is no UTF-8; half a mark is not measured";
    ExtendedPercent "extended-percent" Parameter Irregular "RFC 2231 §7"
        b"Content-Disposition: inline; filename*=utf-8''5%25%\n\n" "mail-parser and mailparser";
    ExtendedQuoted "extended-quoted" Parameter Admitted "RFC 2231 §7"
        b"Content-Disposition: inline; filename*=\"utf-8''caf%C3%A9\"\n\n" "mail-parser in sections";
    ExtendedRaw "extended-raw" Parameter Admitted "RFC 2231 §7"
        b"Content-Disposition: inline; filename*=UTF-8''caf\xC3\xA9\n\n" "jsmime and compat32";
    ExtendedSpecials "extended-specials" Parameter Admitted "RFC 2231 §7"
        b"Content-Disposition: inline; filename*=utf-8''a/b@c[1]\n\n"
        "Python's default parser cuts; mail-parser at `(`, jsmime at a blank or `=`";
    ExtendedUnmarked "extended-unmarked" Parameter Admitted "RFC 2231 §4"
        b"Content-Disposition: inline; filename*=caf%C3%A9\n\n"
        "jsmime, compat32 and mailparser, which shows the percents";
    ExtendedWord "extended-word" Parameter Admitted "RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename*=utf-8''=?utf-8?Q?caf=C3=A9?=\n\n"
        "jsmime, and Python's default parser in part";
    LabelApostrophes "label-apostrophes" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset='utf-8'\n\n" "only compat32, GMime and mailparser know it";
    LabelEncoded "label-encoded" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=3D\"utf-8\"\n\n" "none knows it: the octets must prove it";
    LabelEscaped "label-escaped" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=\\\"utf-8\\\"\n\n" "only compat32, GMime and mailparser know it";
    LabelOpen "label-open" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=utf-8\"\n\n\
          " "jsmime, mail-parser and postal-mime where a `;` is swallowed";
    LabelSuffix "label-suffix" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=utf-8//TRANSLIT\n\n" "only Python's default parser and GMime know it";
    LabelWhite "label-white" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=utf 8\n\n" "jsmime and mail-parser";
    MachineOctets "machine-octets" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Type: text/plain; format=\"a\x07\"\n\n"
        "mailparser makes a blank of a tab; words, 8-bit, controls, 200 octets are not measured";
    NameBareWord "name-bare-word" Parameter Admitted "RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename==?utf-8?Q?caf=C3=A9?=\n\n"
        "Python's default parser; GMime and mail-parser where two stand there";
    NameSevenBit "name-seven-bit" Parameter Admitted "RFC 2231 §4"
        b"Content-Disposition: inline; filename*=unicode-1-1-utf-7''%2BAOk-\n\n"
        "only Python knows UTF-7; mail-parser and others few of the rest";
    NameSplit "name-split" Parameter Admitted "RFC 2231 §3"
        b"Content-Disposition: inline; filename*0*=utf-8''caf%C3; filename*1*=%A9\n\n"
        "mail-parser; Python's default parser in JIS";
    NameTwoForms "name-two-forms" Parameter Admitted "RFC 6266 §4.3"
        b"Content-Disposition: inline; filename=\"cafe\"; filename*=utf-8''caf%C3%A9\n\n\
          " "none, each in its own form";
    NameUnordered "name-unordered" Parameter Admitted "RFC 2231 §3"
        b"Content-Disposition: inline; filename*1=b; filename*0=a\n\n" "GMime, and mail-parser in part";
    NameWord "name-word" Parameter Admitted "RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename=\"=?utf-8?Q?caf=C3=A9?=\"\n\n" "none";
    NameWordSections "name-word-sections" Parameter Admitted "RFC 2231 §3"
        b"Content-Disposition: inline; filename*0=\"=?utf-8?Q?a?=\"; filename*1=\"=?utf-8?Q?b?=\"\n\n"
        "none; Python, GMime and mail-parser where one ends in a blank";
    NameWords "name-words" Parameter Admitted "RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename=\"=?utf-8?Q?caf=C3=A9?= 1.txt\"\n\n"
        "mail-parser keeps blanks, GMime stops at padding and at a quotation mark";
    ParameterBackslash "parameter-backslash" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=a\\b\n\n"
        "compat32, GMime and postal-mime alone read one in an extended value";
    ParameterComment "parameter-comment" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=utf-8 (a)\n\n\
          " "compat32; jsmime before a name, both of Python's in a type";
    ParameterConflict "parameter-conflict" Parameter Irregular "RFC 2045 §5"
        b"Content-Type: text/plain; charset=utf-8; charset=utf-7\n\n"
        "Python joins two extended values; the first or the last of others is not measured";
    ParameterEmptyPiece "parameter-empty-piece" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain;; charset=utf-8\n\n" "none";
    ParameterFold "parameter-fold" Parameter Admitted "RFC 5322 §2.2.3"
        b"Content-Disposition: inline; filename=\"a\n b\"\n\n" "compat32 keeps the line end";
    ParameterName "parameter-name" Parameter Irregular "RFC 2231 §3"
        b"Content-Disposition: inline; filename*x=a\n\n"
        "jsmime, and mail-parser in part, at a number with a zero in front";
    ParameterOpen "parameter-open" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=\"a; x=b\n\n"
        "only Python's default parser and GMime end it at the `;`, and not always";
    ParameterRepeated "parameter-repeated" Parameter Admitted "RFC 2045 §5"
        b"Content-Type: text/plain; charset=utf-8; charset=UTF-8\n\n"
        "none; of a media type and a label those who take the first see no label";
    ParameterStray "parameter-stray" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset\n\n" "not measured: a name, or more of the value before it";
    ParameterText "parameter-text" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=\"a\" b\n\n" "not measured: the text is of the value, or nothing";
    ParameterUnseparated "parameter-unseparated" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline filename=a\n\n" "not measured: a parameter, or none";
    ParameterWhite "parameter-white" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=a b\n\n" "not measured: the value ends at the blank, or at the `;`";
    SectionMissing "section-missing" Parameter Irregular "RFC 2231 §3"
        b"Content-Disposition: inline; filename*0=a; filename*2=b\n\n"
        "jsmime at a gap; empty sections are not measured";
    SectionUnmarked "section-unmarked" Parameter Irregular "RFC 2231 §4.1"
        b"Content-Disposition: inline; filename*0=a; filename*1*=%C3%A9\n\n"
        "mail-parser, and Python's default parser in part";
    SectionWord "section-word" Parameter Irregular "RFC 2231 §3, RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename*0*=utf-8''a; filename*1=\"=?utf-8?Q?b?=\"\n\n"
        "not measured: a word, or text, beside the percent form";
    TypeInvalid "type-invalid" Parameter Irregular "RFC 2045 §5.2"
        b"Content-Type: html\n\n" "not measured: each takes another default";
    TypeMainAlone "type-main-alone" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text; charset=utf-8\n\n"
        "jsmime, GMime, postal-mime and mailparser; the label alone is written";
    TypeUnseparated "type-unseparated" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/html charset=utf-8\n\n"
        "none takes the charset; the label alone is written, where the octets prove it";
    // The parts of a message
    BoundaryMissing "boundary-missing" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed\n\n" "not measured: one text, or parts by the boundary that stands there";
    BoundaryPrefix "boundary-prefix" Structure Admitted "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=ab\n\n--ab\n\
          \nx\n--ab--\n--a--\n"
        "none";
    BoundaryRepeated "boundary-repeated" Structure Irregular "RFC 2046 §5.1.2"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n\
          x\n--b--\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n--a--\n"
        "not measured: the inner one ends, or the outer one";
    CompositeEncoded "composite-encoded" Structure Irregular "RFC 2045 §6.4"
        b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogYQoK\n"
        "not measured: decoded and looked into, or not";
    DelimiterInText "delimiter-in-text" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx --a\n--a--\n" "mail-parser takes it for a delimiter";
    DelimiterStray "delimiter-stray" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx\n--a--\n--a\n\ny\n"
        "not measured: a part more, or text behind the last one";
    HeaderEnd "header-end" Structure Irregular "RFC 5322 §2.2"
        b"Subject: a\nno field\nFrom: b@example.org\n\n" "not measured: the header ends there, or goes on behind it";
    HeaderFromLine "header-from-line" Structure Admitted "RFC 4155"
        b">From a@example.org Thu Jan  1 00:00:00 1970\nSubject: a\n\n" "Python finds no header";
    HeaderWhite "header-white" Structure Irregular "RFC 5322 §4.5"
        b"Subject : a\n\n" "Python ends the header there";
    PartCut "part-cut" Structure Admitted "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx\n--a\nContent-Type: text/html\n--a--\n"
        "mail-parser sees another tree, before and after";
    PartsUnclosed "parts-unclosed" Structure Admitted "RFC 2046 §5.1.2"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx\n"
        "mail-parser decodes no text that is last, so that one must stay raw";
    // Texts, where a change is planned
    EscapeTwice "escape-twice" Text Irregular "RFC 5137 §3"
        b"Subject: x\n\n\\u'005C'u'00E9'\n"
        "each run of who expands escapes would take one away, until another character stands there";
    LabelHint "label-hint" Text Irregular "RFC 6532 §3"
        b"From: \"J\xF6rg <a@example.org>\nContent-Type: text/plain; charset=iso-8859-1\n\nJ\xF6rg\n"
        "whoever reads raw octets of a header by the label of the body, as mail programs do";
    LinkOctets "link-octets" Text Irregular "RFC 2557 §8.2"
        b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html; charset=iso-8859-1\n\n\
          <img src=\"\xE9.png\">\n--b\nContent-Location: \xE9.png\n\n--b--\n"
        "some compare the octets of a link with those of a part's name, and some the characters";
    WideLines "wide-lines" Text Irregular "RFC 2781 §4"
        b"Content-Type: text/plain; charset=utf-16le\n\na\0\xE9\0\n"
        "a line end on the way is one octet or two, and half a character then or now";
    WordOutsideText "word-outside-text" Text Irregular "RFC 2047 §5"
        b"Message-ID: =?iso-8859-1?Q?=E9?=\n\n"
        "words where no text may stand: some decode them all the same";
    // Encoded-words
    WordAddress "word-address" Word Admitted "RFC 2047 §5 (3)"
        b"From: =?utf-8?Q?a_<b@example.org>?=\n\n"
        "only jsmime and mail-parser decode it; postal-mime shows the address, before and after";
    WordBareAddress "word-bare-address" Word Admitted "RFC 5322 §3.4"
        b"From: =?utf-8?Q?a?= b@example.org\n\n" "only mail-parser, postal-mime and mailparser decode it";
    WordBareEquals "word-bare-equals" Word Admitted "RFC 2047 §4.2"
        b"Subject: =?utf-8?Q?a=x?=\n\n" "GMime and mail-parser";
    WordBase "word-base64" Word Irregular "RFC 2047 §4.1"
        b"Subject: =?utf-8?B?YQ==YQ==?=\n\n" "not measured: each stops or goes on elsewhere";
    WordBesideOctets "word-beside-octets" Word Irregular "RFC 2047 §5"
        b"Subject: \xE9=?utf-8?Q?b?=\n\n"
        "not measured: octets without a charset grow together with what the word says";
    WordBlank "word-blank" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q?a b?=\n\n" "none";
    WordBroken "word-broken" Word Irregular "RFC 2047 §5"
        b"Subject: =?utf-8?Q?a =?utf-8?Q?b?=\n\n" "not measured: its end is looked for in what stands behind it";
    WordComment "word-comment" Word Admitted "RFC 2047 §5 (2)"
        b"From: a@example.org (=?utf-8?Q?b?=)\n\n" "Python's default parser";
    WordEmpty "word-empty" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q??=\n\n" "Python's default parser in phrases";
    WordFold "word-fold" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q?a\n b?=\n\n" "compat32, and mail-parser in part; jsmime in B";
    WordGlued "word-glued" Word Admitted "RFC 2047 §5"
        b"Subject: a=?utf-8?Q?b?=\n\n" "compat32 and mail-parser; jsmime and Python in a phrase";
    WordLanguage "word-language" Word Admitted "RFC 2231 §5"
        b"Subject: =?utf-8*en?Q?a?=\n\n" "compat32";
    WordLineEnd "word-line-end" Word Admitted "RFC 2047 §5"
        b"Subject: =?utf-8?Q?a=0D=0A?=\n\n" "none; Python's default parser refuses phrases. It stays encoded";
    WordLong "word-long" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q?aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg?=\n\n" "none";
    WordLowerHex "word-lower-hex" Word Admitted "RFC 2047 §4.2"
        b"Subject: =?utf-8?Q?caf=c3=a9?=\n\n" "none";
    WordMarks "word-marks" Word Irregular "RFC 2047 §5 (3)"
        b"From: =?utf-8?Q?a\"b?= <c@example.org>\n\n"
        "one quote or bracket, `<`, `>` or `\\` moves addresses for compat32, GMime, postal-mime, mailparser";
    WordQuestion "word-question" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q?a?b?=\n\n" "compat32, GMime and mail-parser alone decode it";
    WordQuoted "word-quoted" Word Admitted "RFC 2047 §5 (3)"
        b"From: \"=?utf-8?Q?a?= b\" <c@example.org>\n\n" "none; mail-parser and GMime where two stand in it";
    WordQuotes "word-quotes" Word Admitted "RFC 2047 §5 (3)"
        b"From: =?utf-8?Q?a\"b\"?= <c@example.org>\n\n" "compat32, GMime, postal-mime and mailparser drop the quotes";
    WordRawOctet "word-raw-octet" Word Admitted "RFC 2047 §2"
        b"Subject: =?iso-8859-1?Q?caf\xE9?=\n\n" "jsmime and compat32";
    WordSpecials "word-specials" Word Admitted "RFC 2047 §5 (3)"
        b"From: =?utf-8?Q?M=C3=BCller,_Hans?= <c@example.org>\n\n"
        "compat32 at `, ; @`, postal-mime at `, ;`, GMime at `; :` split the name";
    WordSplit "word-split" Word Admitted "RFC 2047 §5"
        b"Subject: =?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?=\n\n"
        "mail-parser; in JIS only jsmime, compat32 and mailparser join them";
    WordUnpadded "word-unpadded" Word Admitted "RFC 2047 §4.1"
        b"Subject: =?utf-8?B?YQ?=\n\n" "jsmime, GMime and mail-parser";
}
