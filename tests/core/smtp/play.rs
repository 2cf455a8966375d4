//! Plays a script: the client's octets into a session, whose events get the answers that the script has.

use std::collections::HashMap;

use septet::protocol::smtp::{EsmtpParameters, Event, Path, Reply, Session};

use super::script::Script;

/// A connection that is being played.
pub struct Play<'a> {
    script: &'a Script,
    session: Session,
    unread: Vec<u8>,
    content: Vec<u8>,
    answered: HashMap<&'static str, usize>,
    over: bool,
    /// What was answered and what happened, a line each.
    pub lines: Vec<String>,
}

impl<'a> Play<'a> {
    pub fn new(script: &'a Script) -> Play<'a> {
        Play {
            script,
            session: Session::new(script.dialect, script.options.clone()),
            unread: Vec::new(),
            content: Vec::new(),
            answered: HashMap::new(),
            over: false,
            lines: Vec::new(),
        }
    }

    /// Plays pieces one after the other, and returns the lines.
    pub fn pieces<'b>(mut self, pieces: impl IntoIterator<Item = &'b [u8]>) -> Vec<String> {
        pieces.into_iter().for_each(|piece| self.feed(piece));
        self.lines
    }

    pub fn feed(&mut self, piece: &[u8]) {
        self.unread.extend_from_slice(piece);
        while !self.over {
            let mut out = Vec::new();
            let received = self.session.receive(&self.unread, &mut out);
            self.unread.drain(..received.used);
            self.note_replies(&out);
            match received.event {
                None => break,
                Some(Event::Content(piece)) => self.content.extend(piece),
                Some(event) => self.event(&event),
            }
        }
    }

    fn event(&mut self, event: &Event) {
        if let Event::End(_) = event {
            self.lines.push(format!("= {}", show(&self.content)).trim_end().to_owned());
            self.content.clear();
        }
        self.lines.push(format!("* {}", describe(event)));
        if matches!(event, Event::Quit | Event::Closed) {
            self.over = true;
            return;
        }
        let replies = self.answer(event);
        let mut out = Vec::new();
        self.session.answer_each(&replies, &mut out);
        self.note_replies(&out);
    }

    fn answer(&mut self, event: &Event) -> Vec<Reply> {
        let kind = kind(event);
        let number = self.answered.entry(kind).or_default();
        *number += 1;
        let scripted = self.script.answers.get(kind).and_then(|answers| answers.get(*number - 1));
        scripted.filter(|replies| !replies.is_empty()).cloned().unwrap_or_else(|| vec![self.usual(event)])
    }

    fn usual(&self, event: &Event) -> Reply {
        match event {
            Event::Hello { verb, .. } => self.session.hello_reply(*verb, &self.script.hop),
            Event::Data => Reply::new(354, "End data with <CR><LF>.<CR><LF>"),
            Event::End(end) => end.fault.clone().unwrap_or_else(|| Reply::with_status(250, "2.0.0", "queued")),
            Event::XClient(_) => self.session.greeting(),
            _ => Reply::with_status(250, "2.1.0", "OK"),
        }
    }

    fn note_replies(&mut self, out: &[u8]) {
        for line in out.split_inclusive(|&octet| octet == b'\n') {
            let text = line.strip_suffix(b"\r\n").expect("a whole line");
            self.lines.push(format!("< {}", show(text)));
        }
    }
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Hello { .. } => "hello",
        Event::Mail(_) => "mail",
        Event::Rcpt(_) => "rcpt",
        Event::Data => "data",
        Event::Content(_) => "content",
        Event::End(_) => "end",
        Event::Reset => "reset",
        Event::XForward(_) => "xforward",
        Event::XClient(_) => "xclient",
        Event::Quit => "quit",
        Event::Closed => "closed",
    }
}

/// Shows an event in a line.
fn describe(event: &Event) -> String {
    let mut octets = kind(event).as_bytes().to_vec();
    match event {
        Event::Hello { verb, name } => octets.extend([b" ", verb.name().as_bytes(), b" ", name].concat()),
        Event::Mail(mail) => write_address(&mail.path, &mail.parameters, &mut octets),
        Event::Rcpt(rcpt) => write_address(&rcpt.path, &rcpt.parameters, &mut octets),
        Event::XForward(attributes) | Event::XClient(attributes) => attributes.write(&mut octets),
        Event::End(end) => {
            octets.extend(format!(" size={} longest-line={}", end.size, end.longest_line).bytes());
            octets.extend(if end.has_nul { " nul" } else { "" }.bytes());
            octets.extend(end.fault.iter().flat_map(|fault| format!(" fault={}", fault.code).into_bytes()));
        }
        _ => {}
    }
    show(&octets)
}

fn write_address(path: &Path, parameters: &EsmtpParameters, out: &mut Vec<u8>) {
    out.push(b' ');
    path.write(out);
    parameters.write(out);
}

/// Writes octets as scripts have them, long runs of one octet as `\{N:x}`.
fn show(octets: &[u8]) -> String {
    let mut out = String::new();
    for run in octets.chunk_by(|a, b| a == b) {
        match run.len() {
            long @ 40.. => out += &format!("\\{{{long}:{}}}", plain(&run[..1])),
            _ => out += &plain(run),
        }
    }
    let end = out.trim_end_matches(' ').len();
    let spaces = out.len() - end;
    out.truncate(end);
    out + &"\\s".repeat(spaces)
}

/// Writes octets of one kind; those of a character in UTF-8 come one by one.
fn plain(run: &[u8]) -> String {
    let escape = |&octet: &u8| match octet {
        b'\\' => "\\\\".to_owned(),
        0 => "\\0".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b' '..=b'~' => char::from(octet).to_string(),
        _ => format!("\\x{octet:02X}"),
    };
    run.iter().map(escape).collect()
}
