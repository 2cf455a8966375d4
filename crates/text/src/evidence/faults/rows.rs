//! The kinds of faults, a row each.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup};
use unicode_script::Script;

use super::facts::{Family, category, family, group, sign};
use super::kinds::SignKind;
use super::letters::{composes, is_usual};
use super::signs;
use super::word::{CharacterInWord, is_capital, is_east_asian, is_letter, is_sign, is_small};

/// How much a fault says; the module's head tells the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Hard,
    Soft,
}

/// Whose reading is judged, or a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowReading {
    /// That of the text's own label.
    Label,
    /// That of another witness: a neighbour, statistics.
    Witness,
    Utf8,
}

impl RowReading {
    /// Returns `true` if a row for `row` is asked about this reading: what speaks against a label speaks against
    /// another witness, too.
    pub fn is_judged_by(self, row: Option<RowReading>) -> bool {
        row.is_none_or(|row| row == self || (row, self) == (RowReading::Label, RowReading::Witness))
    }
}

/// One kind of fault.
pub(super) struct FaultRow {
    /// What is wrong.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests and readers name rows by it"))]
    pub what: &'static str,
    pub weight: Weight,
    /// The reading that it is a fault of; none for each.
    pub of: Option<RowReading>,
    /// Returns `true` if a character that is not ASCII has it.
    pub finds: fn(&CharacterInWord) -> bool,
    /// Whether no other row is asked about a character that has it.
    pub is_last: bool,
    /// Whether it counts once in a word.
    pub is_once: bool,
    /// A text that has the fault, and one that is near it and hasn't.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests of the rows"))]
    pub example: (&'static str, &'static str),
}

/// Makes the row of a hard fault of any reading.
const fn fault(
    what: &'static str,
    finds: fn(&CharacterInWord) -> bool,
    example: (&'static str, &'static str),
) -> FaultRow {
    FaultRow { what, weight: Weight::Hard, of: None, finds, is_last: false, is_once: false, example }
}

impl FaultRow {
    /// Makes it a soft fault.
    const fn soft(self) -> FaultRow {
        FaultRow { weight: Weight::Soft, ..self }
    }

    /// Makes it a fault of that reading alone; one of a label is one of another witness, too.
    const fn of(self, reading: RowReading) -> FaultRow {
        FaultRow { of: Some(reading), ..self }
    }

    /// Makes it the last row that is asked about a character which has it.
    const fn last(self) -> FaultRow {
        FaultRow { is_last: true, ..self }
    }

    /// Makes it count once in a word. One row alone may be so: all that are share one count (`is_rare_seen` in
    /// [`super`]).
    const fn once(self) -> FaultRow {
        FaultRow { is_once: true, ..self }
    }
}

/// The small letters and capitals that are a word by themselves in some language.
const WORDS: &str = "àáâäåæéèêíîóòôöøúýÀÁÂÄÅÆÉÈÊÍÎÓÒÔÖØÚÝаивксоуяієйжАИВКСОУЯІЄЙЖ";

/// Small letters that stand beside capitals.
const CASELESS: &str = "ßŉĸªº";

/// The rows, in the order in which they are asked: one that is the last for a character hides those behind it.
pub(super) static ROWS: [FaultRow; 41] = [
    // In UTF-8 it is written with three octets, as any other character.
    fault("an octet that the charset lacks", |at| at.own() == '\u{FFFD}', ("caf\u{FFFD}", "café"))
        .of(RowReading::Label)
        .last(),
    fault("a control, an unassigned character", |at| is_unreadable(at.own()), ("caf\u{81}", "café")).last(),
    fault("a sign of one script beside none of it", signs::is_foreign, ("а،", "ا،")).last(),
    fault("a micro sign behind a letter", |at| at.own() == 'µ' && is_letter(at.before()), ("Gµ", "5µg")).last(),
    fault(
        "a rare Han character",
        |at| is_east_asian(at.own()) && !is_kana(at.own()) && !at.han().has(at.own()),
        ("犲", "好"),
    ),
    fault(
        "half-width kana beside a small ASCII letter",
        |at| is_half_width(at.own()) && (at.before().is_ascii_lowercase() || at.next().is_ascii_lowercase()),
        ("fﾃｼr", "ﾒｰﾙ"),
    ),
    fault("half-width kana alone beside a Han character", is_half_width_alone, ("ｸ邨", "先ﾐﾂ")).of(RowReading::Witness),
    fault(
        "one character of East Asia between ASCII letters",
        |at| {
            let beside = at.before().is_ascii_alphabetic() && at.next().is_ascii_alphabetic();
            is_alone_of_east_asia(at) && beside
        },
        ("M淳C", "T恤"),
    )
    .of(RowReading::Witness),
    fault(
        "up to three characters of East Asia between small ASCII letters",
        |at| !is_half_width(at.own()) && is_few_between_small(at),
        ("f眉眉r", "f眉眉"),
    )
    .of(RowReading::Label),
    fault(
        "one character of East Asia beside a small ASCII letter",
        |at| {
            let beside = at.before().is_ascii_lowercase() || at.next().is_ascii_lowercase();
            is_alone_of_east_asia(at) && beside
        },
        ("caf茅", "T恤"),
    )
    .of(RowReading::Label),
    fault(
        "a letter that no charset of eight bits has",
        |at| is_other_letter(at.own()) && !is_usual(at.own()),
        ("NESCAFɮ", "NESCAFÉ"),
    )
    .once(),
    fault("a letter behind one of another script", |at| is_of_another_script(at, at.before()), ("аé", "éa")),
    fault(
        "a letter before an ASCII one of another script",
        |at| at.next().is_ascii() && is_of_another_script(at, at.next()),
        ("Гa", "éa"),
    ),
    fault(
        "a capital behind a small letter",
        |at| is_capital(at.own()) && is_small(at.before()) && !CASELESS.contains(at.before()),
        ("caféÉ", "SPAß"),
    ),
    fault(
        "a small letter before an ASCII capital",
        |at| is_small(at.own()) && at.next().is_ascii_uppercase() && !CASELESS.contains(at.own()),
        ("éA", "ßA"),
    ),
    fault(
        "a small letter behind two capitals",
        |at| is_small(at.own()) && !CASELESS.contains(at.own()) && is_capital(at.before()) && is_capital(at.look(-2)),
        ("CAFé", "Café"),
    ),
    fault("a capital alone before a sign, a soft hyphen or a no-break space", is_capital_before_sign, ("Ã–", "Ö’")),
    fault(
        "a capital at a word's end, before a no-break space",
        |at| at.ends_before_no_break() && is_capital(at.own()) && is_letter(at.before()) && is_other_letter(at.own()),
        ("aÉ\u{A0}", "aé\u{A0}"),
    ),
    fault("a mark on nothing", |at| is_mark(at.own()) && !is_letter(at.before()), ("\u{301}a", "e\u{301}")).last(),
    fault(
        "a mark that makes no usual letter",
        |at| is_mark(at.own()) && family(at.own()) == Family::None && !composes(at.before(), at.own()),
        ("x\u{301}", "e\u{301}"),
    )
    .last(),
    fault(
        "a mark on a letter of another script",
        |at| {
            let (own, before) = (family(at.own()), family(at.before()));
            is_mark(at.own()) && own != Family::None && before != Family::None && own != before
        },
        ("a\u{E31}", "ก\u{E31}"),
    )
    .last(),
    fault(
        "a mark that no charset of eight bits has",
        |at| is_mark(at.own()) && family(at.own()) != Family::None && !is_usual(at.own()) && !is_thai(at.before()),
        ("क\u{902}", "ก\u{E31}"),
    )
    .soft(),
    fault("a fraction, a raised figure or an ordinal glued to a letter", signs::is_glued_numeral, ("Ã³", "10²")),
    fault("a digit out of place", signs::is_odd_digit, ("߁", "١")),
    fault("a dingbat behind a letter", signs::is_glued_dingbat, ("a✂", "a✅")),
    fault("an accent as a sign, beside something", signs::is_glued_accent, ("Ã¨", "¨")),
    fault("a box, a symbol or a sign at a letter", signs::is_glued_sign, ("├®é", "¿Qué")),
    fault("a box behind a digit", signs::is_line_behind_digit, ("5╨", "5 ╨")),
    fault(
        "a degree sign behind a letter",
        |at| sign(at.own()) == Some(SignKind::Degree) && is_letter(at.before()) && !matches!(at.before(), 'N' | 'n'),
        ("Ã°", "N°5"),
    ),
    fault(
        "a copyright sign at a letter",
        |at| sign(at.own()) == Some(SignKind::Copyright) && (is_letter(at.before()) || is_letter(at.next())),
        ("Ã©", "©"),
    ),
    fault("an opening sign in a word", signs::is_opening_within, ("Ã„", "„Ä")),
    fault("a quote between letters", signs::is_quote_between, ("Ã‘a", "O‘a")),
    fault(
        "a soft hyphen behind a capital",
        |at| sign(at.own()) == Some(SignKind::SoftHyphen) && is_capital(at.before()) && !at.before().is_ascii(),
        ("SÃ\u{AD}", "so\u{AD}lo"),
    ),
    fault("a sign that no charset has", signs::is_rare, ("⼀", "†")),
    fault("a sign within a word", signs::is_within, ("é…a", "a…b")),
    fault(
        "two letters of Latin in a row that are not ASCII",
        |at| {
            let before = at.before();
            is_latin(at.own()) && is_letter(before) && !before.is_ascii()
        },
        ("éè", "éc"),
    )
    .soft(),
    fault("a quote that opens, at a word's end", signs::is_quote_at_end, ("é“", "é”")).soft(),
    fault("lines of a box that do not meet", signs::is_crooked_line, ("╨░", "══")).soft(),
    fault("a sign before a symbol", signs::is_before_symbol, ("€™", "”.")).of(RowReading::Label).soft(),
    fault("a letter alone that is no word", is_lone_letter, ("ņ", "à")).of(RowReading::Utf8).soft(),
    fault("one character of East Asia among letters of Latin", is_east_asian_among_latin, ("T恤x", "恤"))
        .of(RowReading::Utf8)
        .soft(),
];

/// Returns `true` if a character is none that a text has: a control, one of private use, none of Unicode.
fn is_unreadable(character: char) -> bool {
    use GeneralCategory::{Control, PrivateUse, Unassigned};
    let is_noncharacter = matches!(u32::from(character) & 0xFFFF, 0xFFFE | 0xFFFF);
    is_noncharacter || matches!(category(character), Control | PrivateUse | Unassigned)
}

/// Returns `true` if a character is a mark that needs a letter to stand on.
fn is_mark(character: char) -> bool {
    // Selectors and the keycap stand on anything.
    group(character) == GeneralCategoryGroup::Mark && !matches!(character, '\u{FE00}'..='\u{FE0F}' | '\u{20E3}')
}

/// Returns `true` if a character is kana, half-width ones included: none of these is rare.
fn is_kana(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}') || is_half_width(character)
}

fn is_half_width(character: char) -> bool {
    matches!(character, '\u{FF61}'..='\u{FF9F}')
}

/// Returns `true` if a character is a letter, no mark, and none of East Asia.
fn is_other_letter(character: char) -> bool {
    let is_any = group(character) == GeneralCategoryGroup::Letter;
    is_any && !is_east_asian(character) && sign(character).is_none()
}

fn is_latin(character: char) -> bool {
    is_other_letter(character) && family(character) == Family::Of(Script::Latin)
}

fn is_thai(character: char) -> bool {
    family(character) == Family::Of(Script::Thai)
}

/// Returns `true` if a character is of East Asia, and neither of those beside it is.
fn is_alone_of_east_asia(at: &CharacterInWord) -> bool {
    is_east_asian(at.own()) && !is_east_asian(at.before()) && !is_east_asian(at.next())
}

/// Returns `true` if a character is half-width kana, none is beside it, and one that is no kana is.
fn is_half_width_alone(at: &CharacterInWord) -> bool {
    let beside = [at.before(), at.next()];
    is_half_width(at.own())
        && !beside.iter().any(|character| is_half_width(*character))
        && beside.iter().any(|character| is_east_asian(*character) && !is_kana(*character))
}

/// Returns `true` if a character is the first of two or three of East Asia between small ASCII letters; one alone has a
/// row of its own.
fn is_few_between_small(at: &CharacterInWord) -> bool {
    let run = at.all_behind().iter().take(2).take_while(|character| is_east_asian(**character)).count();
    let end = at.all_behind().get(run).copied().unwrap_or(' ');
    is_east_asian(at.own()) && at.before().is_ascii_lowercase() && run > 0 && end.is_ascii_lowercase()
}

/// Returns `true` if a letter beside another is of another script; ASCII letters are at home beside those of East Asia,
/// and all of Latin beside half-width ones.
fn is_of_another_script(at: &CharacterInWord, beside: char) -> bool {
    let own = at.own();
    if !is_letter(own) || is_mark(own) || !is_letter(beside) || sign(own).is_some() {
        return false;
    }
    let (one, other) = (family(own), family(beside));
    let is_mixed = [one, other].contains(&Family::EastAsian) && [one, other].contains(&Family::Of(Script::Latin));
    let is_at_home = is_mixed && (beside.is_ascii() || own >= '\u{FF00}');
    one != other && one != Family::None && other != Family::None && !is_at_home
}

/// Returns `true` if a capital, alone so far, stands before a sign that hardly ever follows one.
fn is_capital_before_sign(at: &CharacterInWord) -> bool {
    let (own, next) = (at.own(), at.next());
    let is_title = category(own) == GeneralCategory::TitlecaseLetter;
    let before_sign = !next.is_ascii() && is_sign(next) && !"’…™®»”".contains(next);
    (is_capital(own) || is_title)
        && !is_letter(at.before())
        && (at.ends_before_no_break() || next == '\u{AD}' || before_sign)
}

/// Returns `true` if a character is the one letter of its word, and no word in any language.
fn is_lone_letter(at: &CharacterInWord) -> bool {
    is_other_letter(at.own()) && at.letters() == 1 && !WORDS.contains(at.own())
}

/// Returns `true` if one character of East Asia stands beside a letter of another script.
fn is_east_asian_among_latin(at: &CharacterInWord) -> bool {
    let beside = [at.before(), at.next()];
    is_alone_of_east_asia(at) && beside.iter().any(|character| is_letter(*character))
}

#[cfg(test)]
mod tests {
    use super::super::word::Word;
    use super::super::{Han, count};
    use super::*;

    /// Counts what one row finds in a text.
    fn found(row: &FaultRow, text: &str) -> usize {
        let word: Vec<char> = text.trim_end_matches('\u{A0}').chars().collect();
        let behind = if text.ends_with('\u{A0}') { "\u{A0}" } else { "" };
        let whole = Word::new(&word, behind, Han::Simplified);
        let ats = (0..word.len()).map(|at| CharacterInWord::new(&whole, at));
        ats.filter(|at| !at.own().is_ascii() && (row.finds)(at)).count()
    }

    #[test]
    fn each_row_finds_its_example_and_not_its_neighbour() {
        for row in &ROWS {
            let (bad, good) = row.example;
            assert!(found(row, bad) > 0, "{}: {bad}", row.what);
            assert_eq!(found(row, good), 0, "{}: {good}", row.what);
        }
    }

    fn named(text: &str) -> Vec<&'static str> {
        let words = text.split(super::super::is_space);
        words
            .flat_map(|word| ROWS.iter().filter(|row| row.weight == Weight::Hard && found(row, word) > 0))
            .map(|row| row.what)
            .collect()
    }

    #[test]
    fn text_of_many_languages_has_no_fault() {
        for text in [
            "Grüße aus Köln, „schön“ – it’s 20 °C … «voilà» 10 € ½ N°5 1º ¿Qué?",
            "Привет, «мир» – ёлка 90-х № 5 USB-кабель",
            "שלום עולם ב-Facebook צה״ל בית־ספר",
            "سلام، دنیا؟ ١٢٣",
            "日本語のテスト Tシャツ ﾒｰﾙ",
            "中文测试 T恤 App么",
            "한국어 시험 TV를",
            "ภาษาไทย ผู้ใหญ่",
            "Łódź PÓŁNOC Škoda Dvořák",
            "😀 ❤\u{FE0F} 👍🏽 ok✅",
        ] {
            let faults = count(text, RowReading::Utf8, Han::Any);
            assert_eq!(faults.hard, 0, "{text}: {:?}", named(text));
        }
    }
}
