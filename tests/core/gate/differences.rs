//! Where the gate and today's rules differ, each with its reason.

use septet::message::irregular::Form;

/// Reasons about the text that is meant, which no form of writing cures: they stay rules of their own.
pub const MEANT: &[(&str, &str)] = &[
    ("body: contradiction(a link in it names a part by other characters than ASCII)", "references"),
    ("body: contradiction(its label is the only hint to 8-bit text in a header, which stays)", "the hint of a header"),
    ("body: damaged-transfer(a file of which a line would be a delimiter)", "a file"),
    (
        "body: damaged-transfer(blanks at the ends of lines, which readers read differently)",
        "a file, a text that flows",
    ),
    ("body: damaged-transfer(characters of several octets in lines)", "line ends of UTF-16"),
    ("body: one-way", "the profile's form, or charset, can't say it"),
    ("field: parameter(a backslash at its end)", "the profile's form can't say it"),
];

/// The admitted forms for whose sake a rule leaves a place today: it will be converted.
pub const EXPLAINED: &[(&str, &[Form])] = &[
    ("body: damaged-transfer(\"=0A\" or \"=0D\" beside line ends)", &[Form::QpLineEnd]),
    (
        "body: damaged-transfer(\"=0D\" at the end of a line, which is half of a line end or a CR alone)",
        &[Form::QpLineEnd],
    ),
    ("body: header-end(a From_ line stands in it)", &[Form::HeaderFromLine]),
    ("body: parameter(a fold inside of the value)", &[Form::ParameterFold]),
    ("body: parameter(a quote or a comment opens and never closes)", &[Form::LabelOpen]),
    ("body: parameter(another reader would find another charset)", &[Form::EqualsWhite, Form::TypeUnseparated]),
    ("body: parameter(another reader would find another file name)", &[Form::EqualsWhite]),
    ("body: parameter(no semicolon before it)", &[Form::TypeUnseparated]),
    ("field: disputed(quotes in an encoded-word)", &[Form::WordQuotes]),
    ("field: one-way", &[Form::WordGlued, Form::WordSplit]),
    ("field: parameter(a comment behind the value)", &[Form::ParameterComment]),
    ("field: parameter(an encoded-word in the percent form)", &[Form::ExtendedWord]),
    ("field: parameter(another reader would find another charset)", &[Form::EqualsWhite]),
    (
        "field: parameter(another reader would find another file name)",
        &[Form::NameWords, Form::ParameterFold, Form::NameSevenBit, Form::NameWordSections, Form::ExtendedQuoted],
    ),
    ("field: parameter(no semicolon before it)", &[Form::TypeUnseparated]),
    ("field: parameter(two forms, and one names no charset)", &[Form::NameTwoForms]),
    ("field: parameter(white space in the percent form)", &[Form::ExtendedSpecials]),
    (
        "field: parameter(words without quotes beside a form that says something else)",
        &[Form::NameBareWord, Form::NameTwoForms],
    ),
    ("message: disputed(a media type)", &[Form::TypeUnseparated, Form::PartCut]),
    ("message: disputed(a transfer encoding)", &[Form::TransferComment]),
    ("message: disputed(the fields of a header)", &[Form::HeaderFromLine]),
    ("message: disputed(whether a part is a message)", &[Form::PartCut]),
    ("message: disputed(where a body ends)", &[Form::PartsUnclosed, Form::PartCut]),
];

/// What a rule leaves though the gate finds it regular, and why the gate is right.
pub const DIFFERENCES: &[(&str, &str)] = &[];
