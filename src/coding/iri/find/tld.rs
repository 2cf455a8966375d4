//! Ideographic full stops in a host: a label separator (RFC 3490 §3.1), or the end of the sentence.
//!
//! `http://例え。jp/` has one, `http://例え.jp。jpは…` ends before one. It separates labels when the host that it
//! makes ends in a top-level domain that is known here: those of countries, and the common ones.

use super::super::host::is_ideographic_stop;
use super::class::Classes;
use super::term::Class;

/// The longest look ahead, in octets: no host is longer.
const AHEAD: usize = 253;

/// Top-level domains of countries, in pairs of letters.
const COUNTRIES: &str = "acadaeafagaialamaoaqarasatauawaxazbabbbdbebfbgbhbibjbmbnbobrbsbtbwbybzcacccdcfcgchcickclcmcn\
cocrcucvcwcxcyczdedjdkdmdodzeceeegereseteufifjfkfmfofrgagdgegfggghgiglgmgngpgqgrgsgtgugwgyhkhmhnhrhthuidieiliminioiq\
irisitjejmjojpkekgkhkikmknkpkrkwkykzlalblclilklrlsltlulvlymamcmdmemgmhmkmlmmmnmompmqmrmsmtmumvmwmxmymznancnenfngninl\
nonpnrnunzompapepfpgphpkplpmpnprpsptpwpyqarerorsrurwsasbscsdsesgshsisjskslsmsnsosrssstsvsxsysztctdtftgthtjtktltmtntotr\
tttvtwtzuaugukusuyuzvavcvevgvivnvuwfwsyeytzazmzw";

/// The common ones of other kinds, and those of countries in their own script.
const OTHERS: [&str; 58] = [
    "com",
    "net",
    "org",
    "edu",
    "gov",
    "mil",
    "int",
    "info",
    "biz",
    "name",
    "pro",
    "mobi",
    "asia",
    "coop",
    "museum",
    "aero",
    "jobs",
    "tel",
    "travel",
    "cat",
    "post",
    "xyz",
    "online",
    "site",
    "shop",
    "store",
    "club",
    "app",
    "dev",
    "cloud",
    "blog",
    "tokyo",
    "test",
    "example",
    "invalid",
    "localhost",
    "arpa",
    "top",
    "中国",
    "中國",
    "香港",
    "台湾",
    "台灣",
    "澳門",
    "新加坡",
    "公司",
    "网络",
    "網絡",
    "公益",
    "政务",
    "みんな",
    "コム",
    "セール",
    "한국",
    "рф",
    "укр",
    "бел",
    "भारत",
];

/// Returns the end of the labels after the stop at `at`, when they make the text a host.
pub(super) fn labels_after(text: &str, at: usize) -> Option<usize> {
    let mut classes = Classes::default();
    let mut label = String::new();
    let mut end = None;
    let mut boundaries = 0;
    for (offset, character) in text.get(at..)?.char_indices().take_while(|&(offset, _)| offset < AHEAD) {
        let stop = character == '.' || is_ideographic_stop(character);
        let inside = !stop && !matches!(character, '/' | '?' | '#' | ':') && classes.of(character) == Class::Include;
        if inside {
            label.push(character);
            continue;
        }
        if offset > 0 && is_known(&label) {
            end = Some(at + offset);
        }
        boundaries += 1;
        if !stop || boundaries > 10 {
            return end;
        }
        label.clear();
    }
    let last = text.len().min(at + AHEAD);
    if last == text.len() && is_known(&label) { Some(last) } else { end }
}

fn is_known(label: &str) -> bool {
    let country = || COUNTRIES.as_bytes().chunks_exact(2).any(|code| label.as_bytes().eq_ignore_ascii_case(code));
    OTHERS.iter().any(|known| label.eq_ignore_ascii_case(known)) || country() || label.starts_with("xn--")
}
