//! Quoted-printable (RFC 2045 §6.7).

mod blocks;
mod decode;
mod encode;
mod lines;

pub use blocks::decode_canonical;
pub use decode::{TrailingBlanks, decode, depends_on_line_ends, disputed, ends_in_soft_break, trailing_blanks};
pub use encode::{encode, encode_segment, encodes_into};
pub use lines::{ends_in_hard_break, has_hard_break, has_inner_hard_break, has_written_line_ends, written_lines};
