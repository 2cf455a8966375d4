//! The requests of a batch: a line of JSON each, and behind it so many octets as it says.

use std::io::{BufRead, BufReader, Read, Write};

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use thiserror::Error;

use super::pipe::{self, PipeError};
use crate::process::exit::{Exit, HasExit};

/// The most octets of a request's line.
const LONGEST_LINE: usize = 64 << 10;

/// The most octets that are read before they are asked for. More would be read of messages that a client sends ahead;
/// fewer would take a call of the system for each line and each message.
const AHEAD: usize = 16 << 10;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request<'l> {
    /// By what a client knows the answer: any value, as it was written.
    #[serde(borrow, default, deserialize_with = "as_written")]
    pub id: Option<&'l RawValue>,
    /// The octets of the message.
    pub length: u64,
    /// The profile; without one the settings decide.
    #[serde(default)]
    pub profile: Option<String>,
}

/// Reads a value of any kind, `null` among them.
fn as_written<'l, D: Deserializer<'l>>(value: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

/// Why the input is read no further.
#[derive(Debug, Error)]
pub enum RequestError {
    /// It can't be read.
    #[error(transparent)]
    Pipe(#[from] PipeError),
    /// A line asks for nothing that can be done.
    #[error(
        "request {number}, at octet {offset} of the input: {what}; write a line such as {{\"length\": 5}} and 5 octets behind it \
         (a length counts octets, not characters)"
    )]
    Bad {
        /// Which request, from 1.
        number: u64,
        /// The octets before its line.
        offset: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Octets are missing.
    #[error("request {number}: the input ends before the message does; {missing} of its {length} octets are missing")]
    Ended {
        /// Which request, from 1.
        number: u64,
        /// The octets that it has by its line.
        length: u64,
        /// The octets that were not there.
        missing: u64,
    },
}

impl HasExit for RequestError {
    fn exit(&self) -> Exit {
        match self {
            RequestError::Pipe(_) => Exit::TempFail,
            RequestError::Bad { .. } | RequestError::Ended { .. } => Exit::BadData,
        }
    }
}

/// The input, from request to request.
pub struct Requests<R> {
    input: BufReader<R>,
    number: u64,
    /// Where the line of this request starts, and where the next one does.
    starts: (u64, u64),
    /// The octets of its message, and how many of them are not read yet.
    length: u64,
    rest: u64,
}

impl<R: Read> Requests<R> {
    /// Makes those of an input.
    pub fn of(input: R) -> Requests<R> {
        Requests::ahead(AHEAD, input)
    }

    /// Makes those of an input of which so many octets are read before they are asked for.
    fn ahead(octets: usize, input: R) -> Requests<R> {
        Requests { input: BufReader::with_capacity(octets, input), number: 0, starts: (0, 0), length: 0, rest: 0 }
    }

    /// Reads the next request by its line, which stays in `line`; none at the end of the input. All of the message
    /// before it must have been read or passed on.
    pub fn next<'l>(&mut self, line: &'l mut Vec<u8>) -> Result<Option<Request<'l>>, RequestError> {
        line.clear();
        let most = LONGEST_LINE as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', line).map_err(PipeError::Read)?;
        if read == 0 {
            return Ok(None);
        }
        (self.number, self.starts) = (self.number + 1, (self.starts.1, self.starts.1 + read as u64));
        let request = parsed(line).map_err(|what| self.bad(what))?;
        self.starts.1 = self.starts.1.saturating_add(request.length);
        (self.length, self.rest) = (request.length, request.length);
        Ok(Some(request))
    }

    /// Makes the error of this request's line.
    fn bad(&self, what: String) -> RequestError {
        RequestError::Bad { number: self.number, offset: self.starts.0, what }
    }

    /// Appends so many octets of the message to `raw`; the caller asks for no more than are not read yet. `Ended` where
    /// the input has fewer.
    pub fn read(&mut self, octets: u64, raw: &mut Vec<u8>) -> Result<(), RequestError> {
        let read = self.input.by_ref().take(octets).read_to_end(raw).map_err(PipeError::Read)?;
        self.count(octets, read as u64)
    }

    /// Passes the rest of the message on, in pieces; `Ended` where the input has less of it.
    pub fn pass(&mut self, output: &mut impl Write) -> Result<(), RequestError> {
        let passed = pipe::copy(self.input.by_ref().take(self.rest), output)?;
        self.count(self.rest, passed)
    }

    /// Counts octets of the message that were read; `Ended` if there were fewer than `wanted`, which is no more than
    /// are not read yet.
    fn count(&mut self, wanted: u64, got: u64) -> Result<(), RequestError> {
        self.rest -= wanted;
        let (number, length, missing) = (self.number, self.length, wanted - got);
        if missing == 0 { Ok(()) } else { Err(RequestError::Ended { number, length, missing }) }
    }
}

/// Reads a request's line, its end included; the error says what is wrong with it.
fn parsed(line: &[u8]) -> Result<Request<'_>, String> {
    if line.len() > LONGEST_LINE {
        return Err(format!("its line is longer than {LONGEST_LINE} octets"));
    }
    let Some(object) = line.strip_suffix(b"\n") else { return Err("the input ends inside its line".to_owned()) };
    // A list of values would do for serde.
    if !object.trim_ascii_start().starts_with(b"{") {
        return Err("it is not a JSON object".to_owned());
    }
    serde_json::from_slice(object).map_err(|error| error.to_string().replace(" at line 1 column ", ", at column "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(input: &[u8]) -> Requests<&[u8]> {
        Requests::ahead(7, input)
    }

    fn wrong(input: &[u8]) -> String {
        let mut requests = requests(input);
        let error = requests.next(&mut Vec::new()).map(|request| request.is_some()).expect_err("a fault");
        let said = error.to_string();
        let (_, said) = said.split_once("request 1, at octet 0 of the input: ").expect("where it is");
        said.split_once("; write a line such as {\"length\": 5} and 5 octets behind it")
            .expect("what to do")
            .0
            .to_owned()
    }

    #[test]
    fn a_line_that_is_no_request_is_told_why() {
        for (line, what) in [
            ("\n", "it is not a JSON object"),
            ("[null, 5]\n", "it is not a JSON object"),
            ("5\n", "it is not a JSON object"),
            ("{\"length\":5", "the input ends inside its line"),
            ("{}\n", "missing field `length`, at column 2"),
            ("{\"length\":5} x\n", "trailing characters, at column 14"),
            ("{\"length\":-5}\n", "invalid value: integer `-5`, expected u64, at column 12"),
            ("{\"length\":5.0}\n", "invalid type: floating point `5.0`, expected u64, at column 13"),
            ("{\"length\":\"5\"}\n", "invalid type: string \"5\", expected u64, at column 13"),
            ("{\"length\":1,\"length\":2}\n", "duplicate field `length`, at column 20"),
            ("{\"length\":1,\"profile\":7}\n", "invalid type: integer `7`, expected a string, at column 23"),
            ("{\"lenght\":5}\n", "unknown field `lenght`, expected one of `id`, `length`, `profile`, at column 9"),
            (
                "{\"length\":18446744073709551616}\n",
                "invalid type: floating point `1.8446744073709552e+19`, expected u64, at column 30",
            ),
        ] {
            assert_eq!(wrong(line.as_bytes()), what, "{line:?}");
        }
        assert!(wrong(b"{\"length\":1,\"id\":\"\xff\"}\n").contains("unicode"));
    }

    #[test]
    fn a_line_may_be_long_and_no_longer() {
        let line = "{\"length\":0,\"id\":\"\"}\n";
        let [longest, longer] = [LONGEST_LINE, LONGEST_LINE + 1]
            .map(|length| line.replace("\"\"", &format!("\"{}\"", "x".repeat(length - line.len()))));
        assert!(requests(longest.as_bytes()).next(&mut Vec::new()).is_ok_and(|request| request.is_some()));
        assert_eq!(wrong(longer.as_bytes()), "its line is longer than 65536 octets");
    }

    #[test]
    fn an_id_is_kept_as_it_was_written() {
        for id in ["null", "1e400", "12345678901234567890123", "\"\\ud800\"", "[1,  {\"a\":\"\u{e9}\"}]", "-0.0"] {
            let input = format!("{{\"id\":{id},\"length\":0}}\r\n");
            let mut line = Vec::new();
            let mut requests = requests(input.as_bytes());
            let request = requests.next(&mut line).expect("a request").expect("not the end");
            assert_eq!(request.id.map(RawValue::get), Some(id));
        }
        let (mut line, mut requests) = (Vec::new(), requests(b"{\"length\":0}\n"));
        assert!(requests.next(&mut line).is_ok_and(|request| request.is_some_and(|request| request.id.is_none())));
    }

    #[test]
    fn a_later_fault_says_where_it_is() {
        let (mut line, mut requests) = (Vec::new(), requests(b"{\"length\":3}\nabc{}\n"));
        let length = requests.next(&mut line).expect("a request").expect("one").length;
        requests.read(length, &mut Vec::new()).expect("three octets");
        let said = requests.next(&mut line).expect_err("a fault").to_string();
        assert!(said.starts_with("request 2, at octet 16 of the input: missing field `length`"), "{said}");
    }
}
