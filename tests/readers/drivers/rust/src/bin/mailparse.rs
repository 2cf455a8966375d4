//! Reads mail with the crate mailparse. It does not descend into attached messages.

use mailparse::{MailAddr, MailHeaderMap, ParsedMail, SingleInfo, addrparse_header, parse_mail};
use septet_readers::{FIELDS, answer};
use serde_json::{Map, Value, json};

fn main() {
    answer(|octets| parse_mail(octets).ok().map(|mail| seen(&mail)));
}

fn seen(mail: &ParsedMail) -> Value {
    let parts: Vec<&ParsedMail> = mail.parts().collect();
    let names: Map<String, Value> = FIELDS
        .iter()
        .map(|field| (field.to_string(), mailboxes(mail, field).into_iter().map(|it| it.display_name).collect()))
        .collect();
    json!({
        "tree": parts.iter().map(|part| part.ctype.mimetype.clone()).collect::<Vec<_>>(),
        "fields": mail.headers.iter().map(|field| field.get_key().to_lowercase()).collect::<Vec<_>>(),
        "subject": mail.headers.get_first_value("Subject"),
        "comments": mail.headers.get_first_value("Comments"),
        "names": names,
        "addresses": mailboxes(mail, "from").into_iter().map(|it| it.addr).collect::<Vec<_>>(),
        "files": parts.iter().filter_map(|part| file(part)).collect::<Vec<_>>(),
        "texts": parts.iter().filter(|part| part.ctype.mimetype.starts_with("text/"))
            .map(|part| part.get_body().ok()).collect::<Vec<_>>(),
    })
}

/// Returns the mailboxes of a field; the members of a group stand among the others.
fn mailboxes(mail: &ParsedMail, field: &str) -> Vec<SingleInfo> {
    let list = mail.headers.get_first_header(field).and_then(|it| addrparse_header(it).ok());
    let each = |it| match it {
        MailAddr::Single(single) => vec![single],
        MailAddr::Group(group) => group.addrs,
    };
    list.map(|list| list.into_inner().into_iter().flat_map(each).collect()).unwrap_or_default()
}

fn file(part: &ParsedMail) -> Option<String> {
    let disposition = part.get_content_disposition();
    disposition.params.get("filename").or(part.ctype.params.get("name")).cloned()
}
