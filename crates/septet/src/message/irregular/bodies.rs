//! Encoded bodies: quoted-printable and base64 as they come (RFC 2045 §6.7, §6.8).
//!
//! A *form* is a way of writing beside the grammar of the RFCs, a row of the [`table`](super::table). A body that
//! stands as it is has none: whatever its octets are, every reader has the same ones. One pass each.

use memchr::{memchr, memchr2_iter};

use super::forms::Forms;
use super::table::Form;
use crate::coding::hex;
use crate::coding::masks::near_places;
use crate::coding::transfer::{LINE_LIMIT, TransferEncoding, base64};

/// Returns the forms of a body in a transfer encoding; none where it stands as it is, or in one that nobody knows.
///
/// ```
/// use septet::coding::transfer::TransferEncoding;
/// use septet::message::irregular::{Form, body};
///
/// let found = body(&TransferEncoding::QuotedPrintable, b"a==3Db\n");
/// assert_eq!(found.irregular(), Some(Form::QpDisputed));
/// assert!(body(&TransferEncoding::QuotedPrintable, b"caf=c3=a9 \n").is_regular());
/// ```
pub fn body(transfer: &TransferEncoding, octets: &[u8]) -> Forms {
    match transfer {
        TransferEncoding::QuotedPrintable => quoted_printable(octets),
        TransferEncoding::Base64 => base_64(octets),
        _ => Forms::default(),
    }
}

/// Returns the form for which a body stays, if it has one: what `body(…).irregular()` returns. Most bodies are told to
/// be regular by one quick pass that looks for no form.
///
/// ```
/// use septet::coding::transfer::TransferEncoding;
/// use septet::message::irregular::{Form, body, irregular_body};
///
/// for octets in [&b"a==3Db\n"[..], b"caf=C3=A9=\r\n", b"=", b"a=3=\n", b"a=\rb"] {
///     let found = irregular_body(&TransferEncoding::QuotedPrintable, octets);
///     assert_eq!(found, body(&TransferEncoding::QuotedPrintable, octets).irregular());
/// }
/// ```
pub fn irregular_body(transfer: &TransferEncoding, octets: &[u8]) -> Option<Form> {
    let is_regular = match transfer {
        TransferEncoding::QuotedPrintable => has_whole_escapes(octets),
        TransferEncoding::Base64 => is_strict_base_64(octets),
        _ => true,
    };
    if is_regular { None } else { body(transfer, octets).irregular() }
}

/// How many octets are looked at together.
const BLOCK: usize = 64;

/// Returns `true` if no `=` stands right behind another or one octet on in its line, no CR alone behind one, and none
/// among the last two octets: then quoted-printable is regular. If not, it may be all the same.
fn has_whole_escapes(octets: &[u8]) -> bool {
    let mut at = 0;
    while let (Some(ones), Some(twos), Some(threes)) =
        (octets.get(at..at + BLOCK), octets.get(at + 1..at + 1 + BLOCK), octets.get(at + 2..at + 2 + BLOCK))
    {
        // Without a branch, so that the block is looked at in a few steps.
        let odd = (0..BLOCK).fold(0, |odd, at| odd | is_odd_escape(ones[at], twos[at], threes[at]));
        if odd != 0 {
            return false;
        }
        at += BLOCK;
    }
    let rest = &octets[at..];
    rest.windows(3).all(|three| is_odd_escape(three[0], three[1], three[2]) == 0)
        && !rest[rest.len().saturating_sub(2)..].contains(&b'=')
}

/// Returns 1 for an `=` behind which another stands, in its line, or a CR alone; else 0.
fn is_odd_escape(one: u8, two: u8, three: u8) -> u8 {
    let is_near = u8::from(two == b'=') | u8::from(three == b'=') & u8::from(two != b'\n');
    let is_alone = u8::from(two == b'\r') & u8::from(three != b'\n');
    u8::from(one == b'=') & (is_near | is_alone)
}

/// Returns `true` for one digit or more in whole groups, with line ends between and padding and white space behind, and
/// nothing else: then base64 is regular. If not, it may be all the same.
fn is_strict_base_64(octets: &[u8]) -> bool {
    let text = octets.trim_ascii_end();
    let digits = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let of_digits = sum(digits, |octet| u8::from(is_digit(octet)));
    let line_ends = sum(digits, |octet| u8::from(octet == b'\r') | u8::from(octet == b'\n'));
    of_digits + line_ends == digits.len() && (of_digits + text.len() - digits.len()).is_multiple_of(4) && of_digits > 0
}

/// Returns the sum of what `count`, 0 or 1, says of each octet, many at once.
fn sum(octets: &[u8], count: fn(u8) -> u8) -> usize {
    octets.chunks(255).map(|chunk| usize::from(chunk.iter().fold(0, |sum, octet| sum + count(*octet)))).sum()
}

/// Returns the forms of a body in quoted-printable.
fn quoted_printable(octets: &[u8]) -> Forms {
    let mut found = Forms::default();
    found.add_if(!octets.is_ascii(), Form::QpRawOctet);
    found.add_if(has_blanks_at_line_ends(octets), Form::QpBlanks);
    for at in near_places(octets, b'=') {
        found.extend(behind_equals(&octets[at + 1..]));
    }
    found
}

/// Returns the forms of what stands behind an `=`.
fn behind_equals(rest: &[u8]) -> Forms {
    if let [high, low, ..] = *rest
        && let Some(octet) = hex::octet(high, low)
    {
        return escape(octet, high, low);
    }
    match rest {
        [b'\n', ..] | [b'\r', b'\n', ..] => Forms::default(),
        [b'=', ..] | [b'\r', ..] => Forms::of(Form::QpDisputed),
        [digit, b'=', ..] if digit.is_ascii_hexdigit() => Forms::of(Form::QpDisputed),
        _ if is_soft_break(rest) => Forms::of(Form::QpSoftBreak),
        _ => Forms::of(Form::QpBareEquals),
    }
}

/// Returns the forms of an escape that stands for an octet and is written in these two digits.
fn escape(octet: u8, high: u8, low: u8) -> Forms {
    let mut found = Forms::default();
    found.add_if(matches!(octet, b'\r' | b'\n'), Form::QpLineEnd);
    found.add_if(high.is_ascii_lowercase() || low.is_ascii_lowercase(), Form::QpLowerHex);
    found
}

/// Returns `true` if nothing but blanks stands between an `=` and the end of its line, or of the body.
fn is_soft_break(rest: &[u8]) -> bool {
    // A line of blanks is looked at once for each `=` in it, and there is but one.
    let blanks = rest.iter().take_while(|octet| is_blank(octet)).count();
    matches!(rest[blanks..], [] | [b'\n', ..] | [b'\r', b'\n', ..])
}

/// Returns `true` if blanks stand at the end of a line, or of the body, and behind no `=`.
fn has_blanks_at_line_ends(octets: &[u8]) -> bool {
    near_places(octets, b'\n').chain([octets.len()]).any(|end| ends_blank(&octets[..end]))
}

/// Returns `true` if blanks stand at the end of a text, perhaps with a CR behind; those behind the `=` of a soft break
/// are another form.
fn ends_blank(text: &[u8]) -> bool {
    let line = text.strip_suffix(b"\r").unwrap_or(text);
    line.last().is_some_and(is_blank) && line.iter().rfind(|octet| !is_blank(octet)) != Some(&b'=')
}

fn is_blank(octet: &u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Returns the forms of a body in base64. Where junk is words of text, or digits for URLs, it has their form alone.
fn base_64(octets: &[u8]) -> Forms {
    let mut found = Forms::default();
    let decoded = base64::decode(octets);
    let digits = octets.iter().filter(|octet| is_digit(**octet)).count();
    let padding = octets.iter().filter(|octet| **octet == b'=').count();
    let has_junk = octets.iter().any(|octet| is_junk(*octet));
    found.add_if(has_odd_lines(octets), Form::BaseLines);
    found.add_if(base64::behind_padding(octets).is_some(), Form::BaseEarlyPadding);
    found.add_if(padding == 0 && digits % 4 > 1, Form::BaseUnpadded);
    // Without one of these nothing parts words from the digits around them.
    if has_junk || memchr(b' ', octets).is_some() || found.has(Form::BaseEarlyPadding) {
        found.add_if(base64::has_words(octets), Form::BaseWords);
    }
    found.add_if(has_junk && base64::has_url_safe_digits(octets), Form::BaseUrl);
    let is_damaged = !octets.is_ascii() || decoded.faults > 0 && !has_junk || digits == 0 && has_junk;
    found.add_if(is_damaged || has_lone_digit(octets), Form::BaseDamaged);
    let is_said = found.has(Form::BaseWords) || found.has(Form::BaseUrl);
    found.add_if(has_junk && !is_said, Form::BaseJunk);
    found
}

/// Returns `true` if white space stands within lines, or a line has more than 76 octets without that around it.
fn has_odd_lines(octets: &[u8]) -> bool {
    let mut lines = octets.split(|octet| *octet == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| line.len() > LINE_LIMIT || memchr2_iter(b' ', b'\t', line).next().is_some())
}

/// Returns `true` if a digit stands alone in its group, before padding or the end.
fn has_lone_digit(octets: &[u8]) -> bool {
    let mut groups = octets.split(|octet| *octet == b'=');
    groups.any(|group| group.iter().filter(|octet| is_digit(**octet)).count() % 4 == 1)
}

/// Returns `true` if an octet is a digit of base64, padding aside.
pub(super) fn is_digit(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/')
}

/// Returns `true` if an octet has no business in base64. A vertical tab is white space too.
fn is_junk(octet: u8) -> bool {
    !is_digit(octet) && octet != b'=' && !octet.is_ascii_whitespace() && octet != 0x0B
}
