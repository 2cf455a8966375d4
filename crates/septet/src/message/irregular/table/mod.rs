//! The table of forms: what mail writes beside the grammar of the RFCs, and which of it may be changed.
//!
//! A row is one form. An *admitted* form is one that all readers of people's mail take alike, or take alike once it is
//! written canonically; a place that has it may be changed. Any other form is *irregular*: readers part it differently,
//! so that a change which is right for one is wrong for another, and the place stays.
//!
//! Each row names the readers that differ. For an irregular form they are the programs of docs/readers.md, as
//! `tests/readers/irregular.py` asks them about some variants of it; "of 23" counts those that read its regular twin.
//! For an admitted form they are Mozilla's jsmime, Python's two parsers (`default` and `compat32`), GMime, mail-parser,
//! postal-mime and mailparser, as they read some forty variants before a change and after. One that is wrong alone is
//! named and forbids nothing: what counts is the RFC and what people are shown.
//!
//! The example of a row is a message in which the gate finds that form and no other (of a text: the planner); a test
//! holds the two together, and docs/irregular.md is made of the table. Nobody is asked about the forms of a text: they
//! are about what a change would make of it.

/// What a form is a form of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A list of addresses.
    Address,
    /// An encoded body.
    Body,
    /// A field, whatever it is made of.
    Field,
    /// A parameter, or the value of a field that has parameters.
    Parameter,
    /// The parts of a message, and where headers end.
    Structure,
    /// What a text means beside what stays: found where a change of it is planned, and not by the gate alone.
    Text,
    /// An encoded-word.
    Word,
}

impl Site {
    /// Returns its name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Site::Address => "address",
            Site::Body => "body",
            Site::Field => "field",
            Site::Parameter => "parameter",
            Site::Structure => "structure",
            Site::Text => "text",
            Site::Word => "word",
        }
    }
}

/// Whether a place that has a form may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Admission {
    /// It may: written canonically, all readers see what was meant.
    Admitted,
    /// It stays: readers take it differently.
    Irregular,
}

/// A row of the table.
#[derive(Debug)]
pub struct FormRow {
    /// The form.
    pub form: Form,
    /// Its stable name.
    pub code: &'static str,
    /// What it is a form of.
    pub site: Site,
    /// Whether it is admitted.
    pub admission: Admission,
    /// The rule that it breaks, or that few know.
    pub rfc: &'static str,
    /// A message that has it.
    pub example: &'static [u8],
    /// Which readers differ, and how.
    pub readers: &'static str,
}

macro_rules! forms {
    ($($form:ident $code:literal $site:ident $admission:ident $rfc:literal $example:literal $readers:literal;)*) => {
        /// A form that mail has beside the grammar: a row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Form {
            $(#[doc = $code] $form,)*
        }

        /// The rows, each at the number of its form; those of one site together, in the order of their codes.
        pub(in crate::message::irregular) const ROWS: &[FormRow] = &[$(FormRow {
            form: Form::$form,
            code: $code,
            site: Site::$site,
            admission: Admission::$admission,
            rfc: $rfc,
            example: $example,
            readers: $readers,
        },)*];
    };
}

mod rows;

pub use rows::Form;
pub(super) use rows::ROWS;

impl Form {
    /// Returns every form, in the order of the table.
    pub fn all() -> impl Iterator<Item = Form> {
        ROWS.iter().map(|row| row.form)
    }

    /// Returns its row.
    pub fn row(self) -> &'static FormRow {
        &ROWS[self as usize]
    }

    /// Returns its stable name.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// Returns `true` if a place that has it may be changed.
    pub fn is_admitted(self) -> bool {
        self.row().admission == Admission::Admitted
    }
}
