//! Values in the percent form, with a charset before them (RFC 2231 §4): their forms, each a row of the table in
//! `irregular/table`.

use super::{Form, Forms, words, words_of};
use crate::coding::charset::{Charset, Labels};
use crate::message::grammar::parameter::{ExtendedHead, SectionName, has_whole_percents, percent_decode, unquote};

/// Returns the forms of the sections of one extended value, which must come in the order of their numbers; none of no
/// sections. If the first is not in the percent form, that is the only form looked for.
pub(super) fn extended(sections: &[(SectionName, &[u8])]) -> Forms {
    let Some(((mark, first), _)) = sections.split_first() else { return Forms::default() };
    let mut forms = Forms::default();
    if !mark.extended {
        return Forms::of(Form::SectionUnmarked);
    }
    let text = unquote(first);
    let octets: Vec<Vec<u8>> = sections.iter().enumerate().map(|(at, it)| decoded(at, it)).collect();
    let joined = octets.concat();
    let is_utf_8 = std::str::from_utf8(&joined).is_ok();
    let head = ExtendedHead::of(&text);
    let label = head.as_ref().map_or(&b""[..], |head| head.label);
    let charset = Labels::default().find(label);
    let is_bare = first.is_ascii() && !first.starts_with(b"\"");
    let is_broken = match &head {
        Some(head) => {
            let has_mark_behind = (label.is_empty() || !is_bare) && head.rest.contains(&b'\'');
            has_mark_behind || !head.language.iter().all(is_of_tag)
        }
        None => text.contains(&b'\''),
    };
    forms.add_if(is_broken || label.is_empty() && !is_utf_8, Form::ExtendedCharset);
    forms.add_if(label.is_empty() && is_utf_8 && !is_broken, Form::ExtendedUnmarked);
    let has_raw = sections.iter().any(|(_, written)| !written.is_ascii());
    let is_sure = is_utf_8 && (label.is_empty() || charset == Some(Charset::UTF_8));
    forms.add_if(has_raw, if is_sure { Form::ExtendedRaw } else { Form::ExtendedCharset });
    forms.add_if(charset.is_some_and(|it| !it.keeps_ascii()), Form::NameSevenBit);
    forms.add_if(charset.is_some_and(|it| is_split(it, &octets)), Form::NameSplit);
    sections.iter().enumerate().for_each(|(at, section)| forms.extend(forms_as_written(at, section)));
    forms
}

/// Returns `true` if an octet may stand in a language tag (RFC 5646 §2.1), or in what some write for one (`en_US`).
fn is_of_tag(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_')
}

/// Returns the octets of a section without its quotes, and of one in the percent form without percent signs and, if it
/// is the first, the charset.
fn decoded(at: usize, (mark, written): &(SectionName, &[u8])) -> Vec<u8> {
    let text = unquote(written);
    if !mark.extended {
        return text.into_owned();
    }
    let mut octets = Vec::new();
    percent_decode(behind_mark(at, &text), &mut octets);
    octets
}

/// Returns what stands behind charset and language of the first section; all of a text that has none, or of a later
/// section.
fn behind_mark(at: usize, text: &[u8]) -> &[u8] {
    match ExtendedHead::of(text) {
        Some(head) if at == 0 => head.rest,
        _ => text,
    }
}

/// Returns `true` if one of several sections can't be decoded by itself, or does not end in ASCII: a character or a
/// shift may go on in the next.
fn is_split(charset: Charset, sections: &[Vec<u8>]) -> bool {
    sections.len() > 1 && sections.iter().any(|octets| words::is_cut(charset, octets))
}

/// Returns the forms in which a section is written, if it is in the percent form; none for a plain one.
fn forms_as_written(at: usize, (mark, written): &(SectionName, &[u8])) -> Forms {
    let mut forms = Forms::default();
    // Plain sections are looked at one by one, in `ValueReading::find_value_forms`.
    if !mark.extended {
        return forms;
    }
    let text = unquote(written);
    let is_quoted = written.starts_with(b"\"");
    let behind = behind_mark(at, &text);
    let has_word = memchr::memmem::find(&text, b"=?").is_some();
    let has_special = !has_word && behind.iter().any(|octet| b"()<>@,:/[]?='* \t\r\n".contains(octet));
    // Some take the beginning of a word for one.
    forms.add_if(has_word && words_of(written).next().is_none(), Form::WordBroken);
    forms.add_if(is_quoted, Form::ExtendedQuoted);
    forms.add_if(!is_quoted && has_special, Form::ExtendedSpecials);
    forms.add_if(!is_quoted && written.contains(&b'\n'), Form::ParameterWhite);
    let mark = &text[..text.len() - behind.len()];
    forms.add_if(!is_quoted && mark.iter().any(u8::is_ascii_whitespace), Form::ExtendedCharset);
    forms.add_if(!has_whole_percents(&text), Form::ExtendedPercent);
    forms.add_if(is_quoted && written.contains(&b'\\'), Form::ParameterBackslash);
    forms
}
