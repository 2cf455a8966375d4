//! Which texts mail programs offer as files; `body/file.rs` says what that means for them.

use super::form::{TextForm, is_patch};
use crate::message::grammar::disposition;
use crate::message::grammar::parameter::sections;
use crate::message::{Message, Part};

/// Returns `true` if mail programs offer a text part as a file and don't show it in the message: any
/// Content-Disposition says `attachment`, or it has a name and is of a type that is not shown. A patch by its type is
/// one in any case.
pub(in crate::rewrite) fn is_file(message: &Message, part: &Part, form: TextForm) -> bool {
    if is_patch(part) {
        return true;
    }
    let dispositions = message.fields(part).iter().filter(|field| field.is(message.raw(), "Content-Disposition"));
    let ty = &part.content_type;
    let mut named = ty.sections.may_have(ty.value.slice(message.raw()), "name");
    for field in dispositions {
        let value = message.slice(field.value);
        if disposition::read(value).is_some_and(|word| word.trim_ascii().eq_ignore_ascii_case(b"attachment")) {
            return true;
        }
        named |= sections(value).may_have(value, "filename");
    }
    named && !is_shown(part, form)
}

/// Returns `true` if a text of this type is shown in the message whatever its name, unless its disposition says
/// otherwise. Richtext is a text of another form ([`TextForm::Other`]) and is asked by its name.
fn is_shown(part: &Part, form: TextForm) -> bool {
    matches!(form, TextForm::Plain | TextForm::Html) || matches!(&*part.content_type.sub, "enriched" | "richtext")
}
