//! Sizes and times, as people write them.
//!
//! A size is a number of octets, or a string with a unit: `"64MiB"`, `"64M"` and `"64m"` are 64 × 1024 × 1024
//! octets, `"64MB"` is 64 × 1000 × 1000. A time is a number of seconds, or a string: `"500ms"`, `"30s"`,
//! `"5m"`, `"1h"`. Both are whole, and more than nothing.

use std::time::Duration;

use ::config::{Value, ValueKind};

use super::setting::{Setting, SettingValue};
use super::value::shown;

/// Units of sizes, in lower case; `Size` is printed in the first that divides it.
const SIZE_UNITS: [(&str, u64); 14] = [
    ("gib", 1 << 30),
    ("mib", 1 << 20),
    ("kib", 1 << 10),
    ("b", 1),
    ("g", 1 << 30),
    ("m", 1 << 20),
    ("k", 1 << 10),
    ("gb", 1_000_000_000),
    ("mb", 1_000_000),
    ("kb", 1_000),
    ("tib", 1 << 40),
    ("t", 1 << 40),
    ("tb", 1_000_000_000_000),
    ("", 1),
];

/// Units of times, in milliseconds; a time is printed in the first that divides it.
const TIME_UNITS: [(&str, u64); 5] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1), ("", 1_000)];

/// Reads a size in octets, 1 or more.
pub fn size(text: &str) -> Option<u64> {
    quantity(text, &SIZE_UNITS)
}

/// Reads a time, a millisecond or more.
pub fn time(text: &str) -> Option<Duration> {
    quantity(text, &TIME_UNITS).map(Duration::from_millis)
}

/// Reads a number and its unit; none where the unit is unknown, or the quantity 0 or beyond 64 bits.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim().replace('_', "").to_ascii_lowercase();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let &(_, factor) = units.iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(factor).filter(|&quantity| quantity > 0)
}

/// Returns a string, or the digits of an integer, to be read as a quantity; the error of any other value says to write
/// `kind`.
fn text_or_digits(value: &Value, kind: &str) -> Result<String, String> {
    match &value.kind {
        ValueKind::String(text) => Ok(text.clone()),
        ValueKind::I64(integer) => Ok(integer.to_string()),
        _ => Err(format!("{}; write {kind}", shown(value))),
    }
}

/// A place for a count or for a number of octets, 1 or more, which may have a bound.
#[derive(Debug)]
pub struct Amount<'a> {
    place: &'a mut usize,
    is_octets: bool,
    /// The bound, and why there is one, a clause.
    most: Option<(usize, &'static str)>,
}

impl<'a> Amount<'a> {
    /// Makes a place for a count.
    pub fn count(place: &'a mut usize) -> Amount<'a> {
        Amount { place, is_octets: false, most: None }
    }

    /// Makes a place for a number of octets.
    pub fn octets(place: &'a mut usize) -> Amount<'a> {
        Amount { is_octets: true, ..Amount::count(place) }
    }

    /// Sets the bound, and why there is one, a clause.
    pub fn at_most(self, most: usize, why: &'static str) -> Amount<'a> {
        Amount { most: Some((most, why)), ..self }
    }
}

impl Setting for Amount<'_> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let read = match self.is_octets {
            true => Size::from_value(value).map(|Size(octets)| octets),
            false => usize::from_value(value),
        };
        match (read, self.most) {
            (Ok(amount), Some((most, why))) if amount > most => wrong(value, format!("{why}; write {most} or less")),
            (Ok(amount), _) => *self.place = amount,
            (Err(what), _) => wrong(value, what),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(if self.is_octets { Size(*self.place).to_toml() } else { self.place.to_toml() })
    }
}

/// A number of octets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub usize);

impl SettingValue for Size {
    fn from_value(value: &Value) -> Result<Size, String> {
        let text = text_or_digits(value, "a size, as \"64MiB\"")?;
        size(&text)
            .and_then(|octets| usize::try_from(octets).ok().map(Size))
            .ok_or_else(|| format!("{text:?} is not a valid size; write octets, or \"64MiB\", \"500KiB\", \"1GiB\""))
    }

    /// Writes whole GiB, MiB or KiB with their unit, other octets as an integer.
    fn to_toml(&self) -> toml::Value {
        let octets = self.0 as u64;
        match SIZE_UNITS.iter().find(|(_, factor)| octets.is_multiple_of(*factor)) {
            Some(&(unit, factor)) if factor > 1 => {
                // The table has them in lower case.
                let unit = unit.replace('g', "G").replace('m', "M").replace('k', "K").replace('b', "B");
                toml::Value::String(format!("{}{unit}", octets / factor))
            }
            _ => self.0.to_toml(),
        }
    }
}

impl SettingValue for Duration {
    fn from_value(value: &Value) -> Result<Duration, String> {
        let text = text_or_digits(value, "a time, as \"30s\"")?;
        time(&text).ok_or_else(|| {
            format!("{text:?} is not a valid time; write seconds, or \"500ms\", \"30s\", \"5m\", \"1h\"")
        })
    }

    /// Writes the time in the first unit that divides it. No setting has less than milliseconds.
    fn to_toml(&self) -> toml::Value {
        let millis = u64::try_from(self.as_millis()).unwrap_or(u64::MAX);
        let unit = TIME_UNITS.iter().find(|(_, factor)| millis.is_multiple_of(*factor));
        let &(unit, factor) = unit.unwrap_or(&("ms", 1));
        toml::Value::String(format!("{}{unit}", millis / factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sizes() {
        for (text, octets) in [
            ("1", Some(1)),
            ("64MiB", Some(64 << 20)),
            ("64 mib", Some(64 << 20)),
            ("64M", Some(64 << 20)),
            ("64MB", Some(64_000_000)),
            ("1_000", Some(1000)),
            ("2g", Some(2 << 30)),
            ("1TiB", Some(1 << 40)),
            ("1TB", Some(1_000_000_000_000)),
            ("0", None),
            ("0k", None),
            ("-1", None),
            ("1.5G", None),
            ("64 apples", None),
            ("", None),
            ("MiB", None),
            ("99999999999999999999", None),
            ("99999999999GiB", None),
        ] {
            assert_eq!(size(text), octets, "{text:?}");
        }
    }

    #[test]
    fn reads_times() {
        for (text, millis) in [
            ("30", Some(30_000)),
            ("30s", Some(30_000)),
            ("500ms", Some(500)),
            ("5m", Some(300_000)),
            ("1 h", Some(3_600_000)),
            ("0s", None),
            ("5 minutes", None),
            ("", None),
        ] {
            assert_eq!(time(text), millis.map(Duration::from_millis), "{text:?}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for octets in [1, 1000, 1023, 1024, 3 << 10, 64 << 20, 5 << 30, (64 << 20) + 1] {
            let written = Size(octets).to_toml().to_string().replace('"', "");
            assert_eq!(size(&written), Some(octets as u64), "{written}");
        }
        for millis in [1, 500, 1000, 90_000, 300_000, 3_600_000, 3_600_001] {
            let written = Duration::from_millis(millis).to_toml().to_string().replace('"', "");
            assert_eq!(time(&written), Some(Duration::from_millis(millis)), "{written}");
        }
    }
}
