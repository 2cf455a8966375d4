//! Sizes as options have them: `--split 1GB`, `--target 256MiB`.

use crate::config::quantity::size;

/// Reads the SIZE of an option: octets, 1 or more, with a unit (K, KiB … TiB are 1024s; KB … TB are 1000s), in small
/// or large letters. The error says how a size is written, also for 0 and for what 64 bits don't hold.
pub fn size_argument(text: &str) -> Result<u64, String> {
    size(text).ok_or("write a size as 256MiB or 1GB".to_owned())
}
