//! Content-Type, as spans: media type and parameters (RFC 2045 §5, RFC 2231).

use crate::edit::Span;

/// A media type and the spans of its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentType {
    /// The type, in lower case: `text`.
    pub main: String,
    /// The subtype, in lower case: `plain`.
    pub sub: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Whether a field of the part says so, or it is the default for the part's place.
    pub declared: bool,
}

/// One parameter section, as spans of the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name with its RFC 2231 marks, as written: `charset`, `filename*0*`.
    pub name: Span,
    /// The value with its quotes, as written.
    pub value: Span,
}
