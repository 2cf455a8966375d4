//! Sizes as options have them: `--split 1GB`, `--target 256MiB`.

/// Reads the SIZE of an option: octets, 1 or more, with a unit (K, KiB … TiB are 1024s; KB … TB are 1000s), in small
/// or large letters. The error says how a size is written, also for 0 and for what 64 bits don't hold.
pub fn size_argument(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err("write a size as 256MiB or 1GB".to_owned()),
    };
    let size = digits.trim().parse::<u64>().ok().and_then(|digits| digits.checked_mul(unit));
    size.filter(|&size| size > 0).ok_or("write a size as 256MiB or 1GB".to_owned())
}
