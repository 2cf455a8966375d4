//! The line tools for IRIs: draft-ietf-iri-3987bis-06 by hand and in scripts.

use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value, json};

use crate::coding::charset::{Charset, Labels};
use crate::coding::iri::find::{FindOptions, FoundLink};
use crate::coding::iri::{
    HostForm, Mapping, Reference, Schemeless, Syntax, apply, bidi, find, is_bidi_control, is_local, is_uri, resolve,
    to_iri, to_uri, to_uri_edits,
};
use crate::commands::lines::{self, LineAnswer, LineInput, LineRefusal};
use crate::process::exit::{Exit, Failure};
use crate::process::shown_json::shown_json;

/// Map, check, resolve and find IRIs, one a line
///
/// One line of UTF-8 in gives one line out. A line that can't be done gives an empty line, its reason on stderr as
/// `line N: reason`, and exit 65 at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  echo http://bücher.example/é | septet iri to-uri
      prints http://xn--bcher-kva.example/%C3%A9
  echo http://xn--bcher-kva.example/%C3%A9 | septet iri to-iri
      prints http://bücher.example/é
  echo see http://bücher.example/é | septet iri find
      prints one JSON object, which says where the link stands")]
pub struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Map IRIs to URIs
    ToUri(ToUri),
    /// Show URIs as IRIs
    ToIri {
        #[command(flatten)]
        input: LineInput,
    },
    /// Check IRI references, and cut them into components
    Check {
        #[command(flatten)]
        input: LineInput,
    },
    /// Resolve references against a base
    Resolve {
        /// Resolve against BASE, an IRI with a scheme
        base: String,
        #[command(flatten)]
        input: LineInput,
    },
    /// Find IRIs in running text, and map them to URIs; the output is JSON
    Find {
        /// Take CHARSET for that of the document that the text comes from: queries of http are meant in it
        #[arg(long, value_name = "CHARSET")]
        document_charset: Option<String>,
        /// Where a link can't be told from the text around it: "bounded" lets text win, "all" links as UTS #58 does
        #[arg(long, value_enum, default_value_t = TextLinks::Bounded)]
        in_text: TextLinks,
        /// Find links without a scheme too: those that start with www., or any host before a slash
        #[arg(long, value_enum, value_name = "WHICH")]
        without_scheme: Option<WithoutScheme>,
        #[command(flatten)]
        input: LineInput,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TextLinks {
    Bounded,
    All,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WithoutScheme {
    Www,
    Hosts,
}

#[derive(Debug, clap::Args)]
struct ToUri {
    /// Write hosts in this way
    #[arg(long, value_enum, default_value_t = Host::Punycode)]
    host: Host,
    /// Take CHARSET for that of the document that the IRIs come from: queries of http are meant in it
    #[arg(long, value_name = "CHARSET")]
    document_charset: Option<String>,
    /// Take this for an IRI: the grammar, Legacy Extended IRIs, or what stands in HTML attributes
    #[arg(long, value_enum, default_value_t = IriForm::Iri)]
    syntax: IriForm,
    #[command(flatten)]
    input: LineInput,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Host {
    /// xn--…
    Punycode,
    /// %C3%A9…
    Percent,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IriForm {
    Iri,
    Leiri,
    Href,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    match args.tool {
        Tool::ToUri(args) => {
            let mapping = mapping(&args)?;
            each(&args.input, |iri| Ok(LineAnswer::output(to_uri(iri, &mapping)?)))
        }
        Tool::ToIri { input } => each(&input, |uri| Ok(LineAnswer::output(to_iri(uri)))),
        Tool::Check { input } => each(&input, check),
        Tool::Resolve { base, input } => {
            resolve(&base, "").map_err(|error| Failure::new(Exit::Usage, format!("BASE: {error}")))?;
            each(&input, |reference| Ok(LineAnswer::output(resolve(&base, reference)?)))
        }
        Tool::Find { document_charset, in_text, without_scheme, input } => {
            let document = charset(document_charset.as_deref())?;
            let schemeless = match without_scheme {
                None => Schemeless::Keep,
                Some(WithoutScheme::Www) => Schemeless::Www,
                Some(WithoutScheme::Hosts) => Schemeless::Hosts,
            };
            let options = FindOptions { bounded: in_text == TextLinks::Bounded, schemeless, ..FindOptions::default() };
            let mapping = Mapping { document, ..Mapping::default() };
            each(&input, |text| Ok(found(text, options, &mapping, input.json)))
        }
    }
}

/// Does every line as UTF-8; one that is not is refused.
fn each(input: &LineInput, mut work: impl FnMut(&str) -> Result<LineAnswer, LineRefusal>) -> Result<(), Failure> {
    lines::each(input, |line| work(str::from_utf8(line)?))
}

/// Returns how IRIs are mapped by these options; a charset that there is not is wrong usage.
fn mapping(args: &ToUri) -> Result<Mapping<'static>, Failure> {
    let host = match args.host {
        Host::Punycode => HostForm::Punycode,
        Host::Percent => HostForm::Percent,
    };
    let syntax = match args.syntax {
        IriForm::Iri => Syntax::Iri,
        IriForm::Leiri => Syntax::Leiri,
        IriForm::Href => Syntax::Href,
    };
    Ok(Mapping { host, document: charset(args.document_charset.as_deref())?, syntax, ..Mapping::default() })
}

/// Finds the charset of a label; none without a label, and a usage error for one that means nothing.
fn charset(label: Option<&str>) -> Result<Option<Charset>, Failure> {
    let Some(label) = label else { return Ok(None) };
    let found = Labels::default().find(label.as_bytes());
    found.map(Some).ok_or_else(|| Failure::new(Exit::Usage, format!("{label}: no such charset")))
}

/// Checks one reference: the grammar (§2.2), and that it has no bidi control (§4.1), which the grammar lets through.
/// One that is refused has the same fields as one that is not.
fn check(text: &str) -> Result<LineAnswer, LineRefusal> {
    let control = text.char_indices().find(|&(_, character)| is_bidi_control(character));
    let reason = match (Reference::parse(text), control) {
        (Err(invalid), _) => invalid.to_string(),
        (_, Some((at, control))) => format!("offset {at}: bidi control U+{:04X} in an IRI", u32::from(control)),
        (Ok(_), None) => {
            return Ok(LineAnswer { text: "ok".to_owned(), fields: fields(text, true), ..LineAnswer::default() });
        }
    };
    Err(LineRefusal { reason, fields: fields(text, false) })
}

/// Says what is known of a reference, valid or not: every text can be cut into components.
fn fields(text: &str, valid: bool) -> Map<String, Value> {
    let reference = Reference::split(text);
    let bidi: Vec<Value> = bidi::violations(text).iter().map(|one| {
        json!({"rule": one.rule.section(), "start": one.at.start, "end": one.at.end, "reason": one.rule.clause()})
    }).collect();
    let components = json!({
        "scheme": reference.scheme(),
        "userinfo": reference.userinfo(),
        "host": reference.host(),
        "port": reference.port(),
        "path": reference.path(),
        "query": reference.query(),
        "fragment": reference.fragment(),
    });
    let kind = if reference.scheme().is_some() { "iri" } else { "relative" };
    let fields: [(&str, Value); 4] =
        [("valid", valid.into()), ("reference", kind.into()), ("components", components), ("bidi", bidi.into())];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Lists what would be rewritten in a line of running text, and what is a URI already: as a field, or as the line
/// itself.
fn found(text: &str, options: FindOptions, mapping: &Mapping<'_>, as_field: bool) -> LineAnswer {
    let iris: Vec<Value> = find(text, options).filter_map(|found| listed(text, &found, mapping)).collect();
    match as_field {
        true => LineAnswer::default().with("iris", iris),
        false => LineAnswer { text: shown_json(&json!({"input": text, "iris": iris})), ..LineAnswer::default() },
    }
}

/// Returns the entry of a link that was found; none for one that is no URI and would not become one: it looks like
/// another scheme, is of a local host, or can't be mapped.
fn listed(text: &str, found: &FoundLink, mapping: &Mapping<'_>) -> Option<Value> {
    let iri = found.iri(text);
    let uri = match iri.is_ascii() {
        _ if found.disguise.is_some() => return None,
        true => is_uri(&iri).then(|| iri.to_string())?,
        false if is_local(&iri) => return None,
        false if found.schemeless => host_first(&found.reference(text), mapping)?,
        false => to_uri(&iri, mapping).ok()?.into_owned(),
    };
    Some(json!({"start": found.at.start, "end": found.at.end, "iri": iri, "uri": uri}))
}

/// Maps a link without a scheme, given with two slashes before its host, and returns it without them; none where it
/// can't be mapped.
fn host_first(reference: &str, mapping: &Mapping<'_>) -> Option<String> {
    let edits = to_uri_edits(reference, &Mapping { base: Some("http"), ..*mapping }).ok()?;
    apply(reference, &edits).strip_prefix("//").map(str::to_owned)
}
