//! The forms found in one place, as a set. A *place* is what is changed by itself: a field's value, a parameter, a
//! body. A *form* is a way of writing beside the grammar of the RFCs, a row of the [`table`](super::table); an
//! irregular one keeps the place as it is.

use super::table::{Form, ROWS};

/// The forms that a place has beside the grammar; none where it is written as the RFCs have it.
///
/// ```
/// use septet::message::irregular::{Form, Forms};
///
/// let found = Forms::of(Form::WordBlank).and(Forms::of(Form::WordBroken));
/// assert_eq!(found.irregular(), Some(Form::WordBroken));
/// assert!(Forms::default().is_regular() && Forms::of(Form::WordBlank).is_regular());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forms(u128);

const _: () = assert!(ROWS.len() <= 128, "a bit for each form");

impl Forms {
    /// Makes the set of one form.
    pub fn of(form: Form) -> Forms {
        Forms(1 << form as u32)
    }

    /// All irregular forms.
    const IRREGULAR: Forms = Forms(irregulars());

    /// Adds a form.
    pub fn add(&mut self, form: Form) {
        self.0 |= 1 << form as u32;
    }

    /// Adds a form if `is` is `true`.
    pub fn add_if(&mut self, is: bool, form: Form) {
        if is {
            self.add(form);
        }
    }

    /// Returns the forms of both.
    #[must_use]
    pub fn and(self, other: Forms) -> Forms {
        Forms(self.0 | other.0)
    }

    /// Adds the forms of another set.
    pub fn extend(&mut self, other: Forms) {
        *self = self.and(other);
    }

    /// Returns `true` if the form is one of them.
    pub fn has(self, form: Form) -> bool {
        self.0 & 1 << form as u32 != 0
    }

    /// Returns `true` if a place that has these forms may be changed.
    pub fn is_regular(self) -> bool {
        self.0 & Forms::IRREGULAR.0 == 0
    }

    /// Returns the first form of these that would keep a place as it is, and is none of the other ones.
    pub fn irregular_beside(self, other: Forms) -> Option<Form> {
        Forms(self.0 & !other.0).irregular()
    }

    /// Returns the first form that keeps the place as it is, if one does.
    pub fn irregular(self) -> Option<Form> {
        // The first is the one of the lowest bit; without any bit the number is that of no row.
        let kept = self.0 & Forms::IRREGULAR.0;
        ROWS.get(kept.trailing_zeros() as usize).map(|row| row.form)
    }

    /// Returns the forms, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Form> {
        Form::all().filter(move |form| self.has(*form))
    }
}

/// Returns a bit for each irregular form, at compile time; [`Forms::of`] gives each form its place.
const fn irregulars() -> u128 {
    let (mut set, mut at) = (0, 0);
    while at < ROWS.len() {
        if let super::table::Admission::Irregular = ROWS[at].admission {
            set |= 1 << at;
        }
        at += 1;
    }
    set
}
