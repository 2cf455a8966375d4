//! Words that join a link to the sentence that it stands in, in languages that set no space before them.
//!
//! `http://example.jp/をご覧ください` has a particle where a path would begin. The lists are short, and err on one side:
//! a link whose path begins with such a word is left as it is.

use unicode_script::{Script, UnicodeScript};

use super::super::host::percent_decoded;

/// Japanese particles of one letter; a word may start with the letter, so what follows decides.
const PARTICLES: &str = "はがにでとのへもや";

/// Japanese particles and formal words that no name starts with.
const JAPANESE: [&str; 26] = [
    "を", "から", "まで", "より", "では", "には", "とは", "にて", "です", "での", "への", "との", "という", "といった",
    "として", "などの", "などを", "など", "または", "および", "参照", "をご", "経由", "宛", "内の", "上の",
];

/// Chinese words that ask to follow a link, or go on after it.
const CHINESE: [&str; 34] = [
    "查看", "了解", "瞭解", "浏览", "瀏覽", "下载", "下載", "注册", "註冊", "登录", "登錄", "登入", "获取", "取得",
    "进行", "進行", "即可", "或者", "以及", "查询", "查詢", "访问", "訪問", "参加", "參加", "報名", "报名", "购买",
    "購買", "观看", "的", "了", "吧", "并",
];

/// Thai words that a sentence goes on with.
const THAI: [&str; 20] = [
    "ได้", "ครับ", "ค่ะ", "คะ", "นะ", "เพื่อ", "และ", "หรือ", "ที่", "ใน", "จะ", "เลย", "แล้ว", "สำหรับ", "ซึ่ง", "โดย", "กับ",
    "ของ", "เป็น", "คือ",
];

/// Korean endings of nouns (조사) and of sentences, of more than one syllable.
const KOREAN: [&str; 24] = [
    "에서", "에게", "에는", "에도", "으로", "로부터", "까지", "부터", "입니다", "이며", "이고", "이나", "라는", "라고",
    "처럼", "보다", "마다", "밖에", "이라", "인데", "에요", "예요", "이다", "와의",
];

/// Korean endings of one syllable.
const SYLLABLES: &str = "을를은는이가의와과도만로에나";

/// Endings that a Korean name hardly has.
const TRAILING: [&str; 12] =
    ["를", "는", "에서", "에는", "에도", "에게", "으로", "까지", "부터", "입니다", "처럼", "라는"];

/// Returns `true` if a text starts with a word that joins what stands before it to a sentence.
pub(super) fn joins(text: &str) -> bool {
    match text.chars().next().map(|first| first.script()) {
        Some(Script::Hiragana) => starts_with_one(text, &JAPANESE) || is_particle(text),
        Some(Script::Han) => starts_with_one(text, &JAPANESE) || starts_with_one(text, &CHINESE),
        Some(Script::Thai) => starts_with_one(text, &THAI),
        Some(Script::Hangul) => starts_with_one(text, &KOREAN) || is_lone_syllable(text),
        _ => false,
    }
}

/// Returns `true` if a text starts with one of these words.
fn starts_with_one(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.starts_with(word))
}

/// Returns `true` if a link ends in a Korean ending that names hardly have, percent-encoded or not.
pub(super) fn trails(link: &str) -> bool {
    let link = percent_decoded(link);
    TRAILING.iter().any(|ending| link.ends_with(ending.as_bytes()))
}

/// Returns `true` if a text starts with a particle: no word in hiragana begins there, but for a polite one.
fn is_particle(text: &str) -> bool {
    let mut letters = text.chars();
    let particle = letters.next().is_some_and(|first| PARTICLES.contains(first));
    let next = letters.next();
    particle && next.is_none_or(|next| next.script() != Script::Hiragana || matches!(next, 'ご' | 'お'))
}

/// Returns `true` if a text starts with a Korean ending of one syllable, and no other syllable follows.
fn is_lone_syllable(text: &str) -> bool {
    let mut letters = text.chars();
    let ending = letters.next().is_some_and(|first| SYLLABLES.contains(first));
    ending && letters.next().is_none_or(|next| next.script() != Script::Hangul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_words_that_go_on_from_names() {
        for prose in ["をご覧", "に移動", "でご確認", "から", "查看详情", "ได้เลย", "에서 확인", "로 ", "은"]
        {
            assert!(joins(prose), "{prose}");
        }
        for name in ["パス", "日本語", "にほんご", "はだしのゲン", "中国", "ประเทศไทย", "대한민국", "가이드", "été"]
        {
            assert!(!joins(name), "{name}");
        }
        assert!(trails("서울에서") && trails("서울%EC%97%90서") && !trails("서울"));
    }
}
