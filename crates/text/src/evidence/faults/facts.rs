//! What Unicode says of a character: its category and its script.
//!
//! Unicode's tables are searched for that, and a text is asked thousands of times. So each page of 256 characters is
//! found once, when the first of them is asked for.

use std::sync::OnceLock;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

use super::kinds::{self, SignKind};

/// The script of a character as faults need it: the scripts of East Asia are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// It belongs to no script: signs, digits, marks of any letter.
    None,
    /// Han, kana, hangul, bopomofo.
    EastAsian,
    Of(Script),
}

/// What is asked of a character.
#[derive(Debug, Clone, Copy)]
struct Facts {
    category: GeneralCategory,
    group: GeneralCategoryGroup,
    family: Family,
    sign: Option<SignKind>,
}

type Page = Box<[Facts]>;

/// The pages of the basic plane.
static PAGES: [OnceLock<Page>; 256] = [const { OnceLock::new() }; 256];

pub(super) fn category(character: char) -> GeneralCategory {
    facts(character).category
}

pub(super) fn group(character: char) -> GeneralCategoryGroup {
    facts(character).group
}

pub(super) fn family(character: char) -> Family {
    facts(character).family
}

/// Says what kind of sign a character is; none for a letter, a mark or ASCII.
pub(super) fn sign(character: char) -> Option<SignKind> {
    facts(character).sign
}

/// Returns the facts of a character; beyond the basic plane they are looked up each time.
fn facts(character: char) -> Facts {
    match u32::from(character).to_be_bytes() {
        [0, 0, page, at] => PAGES[usize::from(page)].get_or_init(|| page_of(character))[usize::from(at)],
        _ => look_up(character),
    }
}

/// Finds the facts of the page that a character stands on; surrogates are no characters, and nobody asks for them.
fn page_of(character: char) -> Page {
    let first = u32::from(character) & !0xFF;
    (first..first + 256).map(|code| look_up(char::from_u32(code).unwrap_or('\u{FFFD}'))).collect()
}

/// Looks the facts of a character up in Unicode's tables.
fn look_up(character: char) -> Facts {
    let family = match character.script() {
        // The marks of length and of voice belong to two scripts of kana, and so to none in Unicode's table.
        _ if matches!(character, '\u{3099}'..='\u{309C}' | 'ー' | 'ｰ' | 'ﾞ' | 'ﾟ') => Family::EastAsian,
        Script::Common | Script::Inherited => Family::None,
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo => Family::EastAsian,
        script => Family::Of(script),
    };
    let (category, group) = (character.general_category(), character.general_category_group());
    Facts { category, group, family, sign: kinds::sign_kind(character, category) }
}
