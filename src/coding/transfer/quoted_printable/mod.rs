//! Quoted-printable (RFC 2045 §6.7).

mod decode;
mod encode;

pub use decode::{TrailingBlanks, decode, depends_on_line_ends, disputed, ends_in_soft_break, trailing_blanks};
pub(crate) use encode::plain_len;
pub use encode::{encode, encode_segment, encoded_len, encodes_into};
