//! `[conformance]`: what becomes of the defects of a message that have a name; for all profiles, and for one of them.

use ::config::Value;

use super::keys::{Keys, SettingsTable};
use super::setting::{Setting, SettingValue, words};
use crate::rewrite::{Conformance, DefectAction, DefectKind, why_not_fixed};

words!(DefectAction);

/// The keys by their paths, in the order of the documentation.
pub const KEYS: [(&str, DefectKind); 14] = [
    ("conformance.missing_mime_version", DefectKind::MissingMimeVersion),
    ("conformance.missing_date", DefectKind::MissingDate),
    ("conformance.missing_message_id", DefectKind::MissingMessageId),
    ("conformance.unreadable_date", DefectKind::UnreadableDate),
    ("conformance.missing_colon", DefectKind::MissingColon),
    ("conformance.space_before_colon", DefectKind::SpaceBeforeColon),
    ("conformance.no_empty_line", DefectKind::NoEmptyLine),
    ("conformance.repeated_field", DefectKind::RepeatedField),
    ("conformance.long_line", DefectKind::LongLine),
    ("conformance.bare_line_end", DefectKind::BareLineEnd),
    ("conformance.undeclared_8bit", DefectKind::Undeclared8Bit),
    ("conformance.nul", DefectKind::Nul),
    ("conformance.unused_boundary", DefectKind::UnusedBoundary),
    ("conformance.base64_footer", DefectKind::Base64Footer),
];

impl SettingsTable for Conformance {
    /// Shows a copy of what becomes of each defect, and sets it to what the copy is then.
    fn keys(&mut self, keys: &mut Keys<'_>) {
        for (path, kind) in KEYS {
            let name = path.strip_prefix("conformance.").unwrap_or(path);
            let mut place = OfDefect { kind, treatment: self.of(kind) };
            keys.key(name, &mut place);
            self.set(kind, place.treatment);
        }
    }
}

/// The place of what becomes of one defect.
struct OfDefect {
    kind: DefectKind,
    treatment: DefectAction,
}

impl Setting for OfDefect {
    /// Reads the word; `fix` is refused where it would take a guess, and is not among the words that a fault offers
    /// then.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        match (DefectAction::from_value(value), why_not_fixed(self.kind)) {
            (Ok(DefectAction::Fix), Some(why)) => {
                wrong(value, format!("\"fix\" would be a guess: {why}; write \"keep\", \"reject\" or \"tempfail\""));
            }
            (Ok(treatment), _) => self.treatment = treatment,
            (Err(what), None) => wrong(value, what),
            (Err(what), Some(_)) => wrong(value, what.replace("fix, ", "")),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(self.treatment.to_toml())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_a_key_for_each_name() {
        for (key, kind) in KEYS {
            assert_eq!(key, format!("conformance.{}", kind.name().replace('-', "_")));
        }
    }
}
