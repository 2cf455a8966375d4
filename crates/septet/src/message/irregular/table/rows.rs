//! The rows: form, code, site, verdict, rule, example, readers that differ.

use super::{Admission, FormRow, Site};

forms! {
    // Lists of addresses
    AddressAngle "address-angle" Address Irregular "RFC 5322 §3.4"
        b"From: a <b@example.org, c@example.org\n\n"
        "GMime, Email::MIME and 5 others of 23 end it at the comma, mail-parser and 3 others at the end; Go sees none";
    AddressBackslash "address-backslash" Address Irregular "RFC 5322 §3.2.1"
        b"From: a\\b <c@example.org>\n\n"
        "12 of 24 show it, vmime, c-client and mail-parser 1.0 drop it; Go, GMime and 3 others see no address";
    AddressGroup "address-group" Address Irregular "RFC 5322 §3.4"
        b"To: a: b: <c@example.org>;\n\n"
        "8 of 18 take the inner address, Go, Ruby and 4 others none; Python takes `b` for one";
    AddressOpen "address-open" Address Irregular "RFC 5322 §3.2.2, §3.2.4"
        b"From: \"a <b@example.org>\n\n"
        "12 of 27 see no address, GMime, Emacs and 5 others that in the quotes; to Python and 5 others all is one";
    AddressSemicolon "address-semicolon" Address Irregular "RFC 5322 §3.4"
        b"To: a@example.org; b <c@example.org>\n\n"
        "it ends an address for 12 of 23; Python, GMime and 4 others lose what follows, Go and libetpan all";
    AddressText "address-text" Address Irregular "RFC 5322 §3.4"
        b"From: <a@example.org> b\n\n"
        "of the name for 8 of 27, dropped by 8, an address for GMime and 3 others; Go, Ruby and 5 others see none";
    // Encoded bodies
    BaseDamaged "base64-damaged" Body Irregular "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fmw\n"
        "16 of 27 drop the digit, Python, Emacs and 3 others decode nothing, libetpan makes an octet of it";
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
        b"Content-Transfer-Encoding: base64\n\nIGFu____IEv2\n"
        "only letterparser and eml-parse-js of 27 read its two digits; others skip them, stop there or decode nothing";
    BaseWords "base64-words" Body Irregular "RFC 2045 §6.8"
        b"Content-Transfer-Encoding: base64\n\nY2Fm\n-- \nannounce\n"
        "Python, mailparser and 8 others of 27 read the words as digits, Go stops there, Emacs decodes nothing";
    QpBareEquals "qp-bare-equals" Body Admitted "RFC 2045 §6.7 (1)"
        b"Content-Transfer-Encoding: quoted-printable\n\na=x\n" "mail-parser drops one before a blank";
    QpBlanks "qp-blanks" Body Admitted "RFC 2045 §6.7 (3)"
        b"Content-Transfer-Encoding: quoted-printable\n\na \nb\n" "Python, GMime and postal-mime keep the blanks";
    QpDisputed "qp-disputed" Body Irregular "RFC 2045 §6.7 (1)"
        b"Content-Transfer-Encoding: quoted-printable\n\na==3Db\n"
        "`==3D` is `==` to 10 of 27, `=3D` to Python and 5 others, and stays for GMime and 8 others";
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
        b"Subject: a\rb\n\n"
        "a CR ends the field for Python, Ruby and 7 others of 28, is a blank to 6; a 0 ends it for GMime and 4 others";
    TransferComment "transfer-comment" Field Admitted "RFC 2045 §6.1"
        b"Content-Transfer-Encoding: 7bit (a)\n\n" "GMime, postal-mime and mailparser decode nothing";
    TransferConflict "transfer-conflict" Field Irregular "RFC 2045 §3"
        b"Content-Transfer-Encoding: base64\nContent-Transfer-Encoding: quoted-printable\n\n"
        "the first counts for 16 of 27, the last for GMime, Ruby and 7 others; letterparser decodes nothing";
    TransferOdd "transfer-odd" Field Irregular "RFC 2045 §6.1"
        b"Content-Transfer-Encoding: \"7bit\"\n\n\
          " "`\"base64\"` is decoded by 6 of 27, `base64;` by 11, `base64 (a` by 13; by Python 3.11 and Go never";
    TransferRepeated "transfer-repeated" Field Admitted "RFC 2045 §3"
        b"Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: 7BIT\n\n" "none";
    TypeConflict "type-conflict" Field Irregular "RFC 2045 §3"
        b"Content-Type: text/plain\nContent-Type: text/html\n\n"
        "the first counts for 16 of 23, the last for GMime, Ruby and 5 others";
    TypeRepeated "type-repeated" Field Admitted "RFC 2045 §3"
        b"Content-Type: text/html\nContent-Type: Text/HTML\n\n" "none";
    // Parameters, and the media type before them
    BareSpecials "bare-specials" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; x=a/b=c\n\n" "none";
    CommentWithin "comment-within" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Type: text/plain; x=a(b)\n\n"
        "12 of 28 take a glued one into a file's name, 9 one behind a blank; 14 see no name with one before the `=`";
    EqualsWhite "equals-white" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset =\n utf-8\n\n"
        "mail-parser where it is a fold; Python's default parser in extended values";
    ExtendedCharset "extended-charset" Parameter Irregular "RFC 2231 §4"
        b"Content-Disposition: inline; filename*=%E9\n\n"
        "8-bit that is no UTF-8 is read by none of 24, half a mark shown by 9, dropped by 5; 9 drop the name";
    ExtendedPercent "extended-percent" Parameter Irregular "RFC 2231 §7"
        b"Content-Disposition: inline; filename*=utf-8''5%25%\n\n"
        "17 of 24 show it, mailparser and emailjs show `=`, mail-parser drops it or decodes nothing, Go sees no name";
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
        "as a charset, a word is unknown to 8 of 27, a control or 8-bit to 10; as a boundary, to 16, 2 and 11";
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
        "8 of 21 show it, Python and 4 others end the value there, mailparser, emailjs and c-client drop it";
    ParameterComment "parameter-comment" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset=utf-8 (a)\n\n\
          " "compat32; jsmime before a name, both of Python's in a type";
    ParameterConflict "parameter-conflict" Parameter Irregular "RFC 2045 §5"
        b"Content-Type: text/plain; charset=utf-8; charset=utf-7\n\n"
        "the last file name counts for 13 of 28, the first for GMime, Python and 10 others; flanker joins them";
    ParameterEmptyPiece "parameter-empty-piece" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/plain;; charset=utf-8\n\n" "none";
    ParameterFold "parameter-fold" Parameter Admitted "RFC 5322 §2.2.3"
        b"Content-Disposition: inline; filename=\"a\n b\"\n\n" "compat32 keeps the line end";
    ParameterName "parameter-name" Parameter Irregular "RFC 2231 §3"
        b"Content-Disposition: inline; filename*x=a\n\n"
        "mail-parser, Ruby, MIME-tools and PHP of 23 read `*x`; Go, Jakarta Mail and 2 others stop at a zero in front";
    ParameterOpen "parameter-open" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=\"a; x=b\n\n"
        "10 of 28 read on to the end, Go, Emacs and 7 others see no name, letterparser ends it at the `;`";
    ParameterRepeated "parameter-repeated" Parameter Admitted "RFC 2045 §5"
        b"Content-Type: text/plain; charset=utf-8; charset=UTF-8\n\n"
        "none; of a media type and a label those who take the first see no label";
    ParameterStray "parameter-stray" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Type: text/plain; charset\n\n"
        "a name behind a bare one is seen by 16 of 28; where one is last, Go, Ruby and 2 others see no parameter";
    ParameterText "parameter-text" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=\"a\" b\n\n"
        "15 of 28 end the value before it, 8 take it in; Go, Ruby, Emacs and 2 others see none";
    ParameterUnseparated "parameter-unseparated" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline filename=a\n\n"
        "only flanker and eml-parse-js of 28 read it; mail-parser does behind a value in quotes";
    ParameterWhite "parameter-white" Parameter Irregular "RFC 2045 §5.1"
        b"Content-Disposition: inline; filename=a b\n\n"
        "14 of 27 read on, Python, Dovecot and 6 others end it at the blank, PHP and Emacs drop that; Go sees none";
    SectionMissing "section-missing" Parameter Irregular "RFC 2231 §3"
        b"Content-Disposition: inline; filename*0=a; filename*2=b\n\n"
        "16 of 23 read on behind a gap, Python, Go and 5 others stop; 11 lose a name whose first section is empty";
    SectionUnmarked "section-unmarked" Parameter Irregular "RFC 2231 §4.1"
        b"Content-Disposition: inline; filename*0=a; filename*1*=%C3%A9\n\n"
        "10 of 24 decode it, mailparser, Emacs and 2 others show the percents, Jakarta Mail and 2 others drop it";
    SectionWord "section-word" Parameter Irregular "RFC 2231 §3, RFC 2047 §5 (3)"
        b"Content-Disposition: inline; filename*0*=utf-8''a; filename*1=\"=?utf-8?Q?b?=\"\n\n"
        "17 of 23 decode the word, mailparser, emailjs, Email::MIME and Jakarta Mail show it, flanker drops it";
    TypeInvalid "type-invalid" Parameter Irregular "RFC 2045 §5.2"
        b"Content-Type: html\n\n"
        "9 of 23 see `html`, Python, Ruby and 3 others plain text, GMime octets; flanker alone takes it for HTML";
    TypeMainAlone "type-main-alone" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text; charset=utf-8\n\n"
        "jsmime, GMime, postal-mime and mailparser; the label alone is written";
    TypeUnseparated "type-unseparated" Parameter Admitted "RFC 2045 §5.1"
        b"Content-Type: text/html charset=utf-8\n\n"
        "none takes the charset; the label alone is written, where the octets prove it";
    // The parts of a message
    BoundaryMissing "boundary-missing" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed\n\n"
        "15 of 23 see no parts, vmime and Jakarta Mail those that stand there, c-client and Dovecot one text";
    BoundaryPrefix "boundary-prefix" Structure Admitted "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=ab\n\n--ab\n\
          \nx\n--ab--\n--a--\n"
        "none";
    BoundaryRepeated "boundary-repeated" Structure Irregular "RFC 2046 §5.1.2"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n\
          x\n--b--\n--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n--a--\n"
        "all 23 agree on two side by side; within itself, Python, Go and 9 others end both at once";
    CompositeEncoded "composite-encoded" Structure Irregular "RFC 2045 §6.4"
        b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogYQoK\n"
        "Go, mime4j and 3 others of 18 decode it, Python and 7 others look in as it stands, GMime and 2 others don't";
    DelimiterInText "delimiter-in-text" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx --a\n--a--\n"
        "mail-parser 0.11 alone of 22 takes one in mid-line; `--a b` begins a part for 5, `--a--b` ends all for 10";
    DelimiterStray "delimiter-stray" Structure Irregular "RFC 2046 §5.1.1"
        b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nx\n--a--\n--a\n\ny\n"
        "emailjs and libetpan of 23 begin a part behind the end, flanker at an inner one; others see text";
    HeaderEnd "header-end" Structure Irregular "RFC 5322 §2.2"
        b"Subject: a\nno field\nFrom: b@example.org\n\n"
        "it goes on for 20 of 28, where Email::MIME takes the line for a fold; Python, libetpan and 6 others end it";
    HeaderFromLine "header-from-line" Structure Admitted "RFC 4155"
        b">From a@example.org Thu Jan  1 00:00:00 1970\nSubject: a\n\n" "Python finds no header";
    HeaderWhite "header-white" Structure Irregular "RFC 5322 §4.5"
        b"Subject : a\n\n"
        "16 of 28 read the field, Go, Email::MIME and 5 others skip it; for Python and 4 others the header ends there";
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
        b"Subject: =?utf-8?B?YQ==YQ==?=\n\n"
        "14 of 28 stop at the padding, mailparser, emailjs and 5 others go on; Go, Emacs and MIME-tools decode nothing";
    WordBesideOctets "word-beside-octets" Word Irregular "RFC 2047 §5"
        b"Subject: \xE9=?utf-8?Q?b?=\n\n"
        "16 of 20 decode the word, letterparser, c-client and Jakarta Mail show it; mail-parser 0.11 adds a blank";
    WordBlank "word-blank" Word Admitted "RFC 2047 §2"
        b"Subject: =?utf-8?Q?a b?=\n\n" "none";
    WordBroken "word-broken" Word Irregular "RFC 2047 §5"
        b"Subject: =?utf-8?Q?a =?utf-8?Q?b?=\n\n"
        "15 of 27 decode the second word, GMime, mime4j and 6 others one from the first `=?` to the last `?=`";
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
        "a quote, a bracket, `<`, `>` or `\\` in it moves the name or the address for 8 to 17 of 24";
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
