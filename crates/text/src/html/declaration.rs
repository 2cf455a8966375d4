//! Where a document declares its charset: in a `meta` element, or in an XML declaration.
//!
//! Only the start of a document is looked at: browsers stop after 1024 octets, mail puts style sheets first.

use std::ops::Range;

use super::places::{Inner, NameAndValue, Tags, WantedAttributes};
use super::{tokens, tree};
use crate::scan::{head, start};

/// How many octets of a document are looked at, a CRLF counted as one.
const HEAD: usize = 64 << 10;

/// Finds the charset names that a document declares, as octets of the text, in order.
///
/// `<meta charset>`, `<meta http-equiv=content-type content="…;charset=…">` and `<?xml encoding="…"?>` count.
///
/// ```
/// use septet_text::html::charset_declarations;
///
/// let text = r#"<meta charset="utf-7"><p>charset=koi8-r</p>"#;
/// let found: Vec<_> = charset_declarations(text).into_iter().map(|at| &text[at]).collect();
/// assert_eq!(found, ["utf-7"]);
/// ```
pub fn charset_declarations(text: &str) -> Vec<Range<usize>> {
    let head = head(text, start(text.as_bytes(), HEAD).len());
    let mut found: Vec<_> = xml_encoding(head).into_iter().collect();
    if let Some(last) = last_meta(head) {
        found.extend(metas(head, last));
    }
    found
}

/// Finds the last `<meta`, be it an element or not: nothing behind it has to be read.
fn last_meta(head: &str) -> Option<usize> {
    let octets = head.as_bytes();
    memchr::memrchr_iter(b'<', octets)
        .find(|at| octets.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta")))
}

/// Finds the charset names in meta elements, the last of which may start at `last`; by a tree where nothing else tells
/// which of them are elements.
fn metas(head: &str, last: usize) -> Vec<Range<usize>> {
    let mut metas = Metas { head, found: Vec::new() };
    match tokens::read_to(head.as_bytes(), last + 1, &mut metas) {
        Some(()) => metas.found,
        None => metas_by_tree(head),
    }
}

/// Takes the charset names of meta elements.
struct Metas<'t> {
    head: &'t str,
    found: Vec<Range<usize>>,
}

impl Tags for Metas<'_> {
    fn wanted(&self, name: &[u8]) -> WantedAttributes {
        if name.eq_ignore_ascii_case(b"meta") { WantedAttributes::All } else { WantedAttributes::None }
    }

    fn element(&mut self, name: &[u8], attributes: &[NameAndValue], _: bool) -> Option<Inner> {
        // A tree shows every element.
        if name.eq_ignore_ascii_case(b"meta") {
            self.found.extend(meta_charset(self.head, attributes));
        }
        None
    }
}

/// Finds the charset names in meta elements, by a tree.
fn metas_by_tree(head: &str) -> Vec<Range<usize>> {
    let mut metas = Metas { head, found: Vec::new() };
    // What was found before an error is true all the same.
    let _ = tree::read(head, &mut metas);
    metas.found
}

/// Finds the charset that a meta element names: by `charset`, else by `content` if that is of a content type.
fn meta_charset(head: &str, attributes: &[NameAndValue]) -> Option<Range<usize>> {
    if let Some(charset) = value(head, attributes, "charset") {
        return Some(trimmed(head, charset));
    }
    let http_equiv = value(head, attributes, "http-equiv")?;
    let is_type = head.get(http_equiv)?.trim().eq_ignore_ascii_case("content-type");
    let content = value(head, attributes, "content").filter(|_| is_type)?;
    let name = charset_in(head.get(content.clone())?)?;
    Some(content.start + name.start..content.start + name.end)
}

/// Finds the value of the first attribute of a name, if it is not empty.
fn value(head: &str, attributes: &[NameAndValue], name: &str) -> Option<Range<usize>> {
    let mut named = attributes
        .iter()
        .filter(|attribute| head.get(attribute.name.clone()).is_some_and(|found| found.eq_ignore_ascii_case(name)));
    Some(named.next()?.value.clone()).filter(|value| !value.is_empty())
}

/// Leaves out the white space around a range.
fn trimmed(head: &str, range: Range<usize>) -> Range<usize> {
    let text = head.get(range.clone()).unwrap_or_default();
    let start = range.end - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

/// Finds the charset in a content type (HTML, "extracting a character encoding from a meta element").
fn charset_in(content: &str) -> Option<Range<usize>> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let after = from + lower.get(from..)?.find("charset")? + "charset".len();
        let rest = content.get(after..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix('=') {
            return name_in(content, value.trim_ascii_start());
        }
        from = after;
    }
}

/// Reads a name at the start of `value`, the end of `content`: in quotation marks, or up to space or `;`. None where it
/// is empty or its quotation mark is not closed.
fn name_in(content: &str, value: &str) -> Option<Range<usize>> {
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = value.get(usize::from(quote.is_some())..)?;
    let length = match quote {
        Some(quote) => value.find(quote)?,
        None => value.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(value.len()),
    };
    let start = content.len() - value.len();
    (length > 0).then_some(start..start + length)
}

/// Finds the charset name in `<?xml version="1.0" encoding="…"?>` (XML 1.0 §2.8), perhaps after white space, which mail
/// adds.
fn xml_encoding(head: &str) -> Option<Range<usize>> {
    let start = head.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{FEFF}');
    let declaration = start.strip_prefix("<?xml").filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))?;
    let declaration = declaration.get(..declaration.find("?>")?)?;
    let name = declaration.find("encoding")?;
    let value = declaration.get(name + "encoding".len()..)?.trim_ascii_start().strip_prefix('=')?.trim_ascii_start();
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let value = value.get(1..)?;
    let length = value.find(quote)?;
    let at = head.len() - start.len() + "<?xml".len() + declaration.len() - value.len();
    (length > 0).then_some(at..at + length)
}

#[cfg(test)]
mod tests {
    use super::{charset_declarations, metas_by_tree};

    #[test]
    fn finds_the_names_and_nothing_else() {
        let by_tree_alone: &[&str] = if cfg!(feature = "html") { &["a", "b"] } else { &[] };
        for (text, names) in [
            ("<meta charset=utf-7>", &["utf-7"][..]),
            ("<html><HEAD><META CHARSET=' iso-8859-1 '></head>", &["iso-8859-1"]),
            ("<meta http-equiv=Content-Type content=\"text/html; charset=windows-1252\">", &["windows-1252"]),
            ("<meta content='text/html;CHARSET = \"x\" y' http-equiv='content-type'/>", &["x"]),
            ("<meta content='text/html; charset; charset=b' http-equiv='content-type'/>", &["b"]),
            ("<meta name=content-type content='charset=x'><meta charset><meta charset=''>", &[]),
            ("<!-- <meta charset=a> --><script>'<meta charset=b>'</script><meta charset=c>", &["c"]),
            ("\u{FEFF} <?xml version=\"1.0\" encoding='koi8-r'?><html><meta charset=koi8-r>", &["koi8-r", "koi8-r"]),
            ("<?xml version=\"1.0\"?><x encoding='a'>", &[]),
            ("<?xml-stylesheet encoding='a'?>", &[]),
            ("charset=utf-8", &[]),
            ("<meta content='a>b' x=\"<meta\" charset=utf-7>", &["utf-7"]),
            ("<meta charset charset=a><meta charset='' charset=b><metal charset=c>", &[]),
            ("<meta http-equiv=content-type content='charset=a' charset=>", &["a"]),
            ("<title><meta charset=a></title><meta charset=b", &[]),
            ("<svg><title><meta charset=a></title></svg><meta charset=b>", by_tree_alone),
        ] {
            let found: Vec<_> = charset_declarations(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, names, "{text}");
            let by_tree: Vec<_> = metas_by_tree(text).into_iter().map(|range| &text[range]).collect();
            assert!(names.ends_with(&by_tree), "{by_tree:?} of {text}");
        }
        let late = format!("{}<meta charset=x>", " ".repeat(1 << 17));
        assert!(charset_declarations(&late).is_empty());
    }
}
