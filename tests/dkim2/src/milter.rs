//! The signer as a milter, behind septet's: septet's own session of the protocol, and mail-auth's signature.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use septet::Limits;
use septet::edit::{EditList, Span};
use septet::protocol::milter::{MilterEvent, MilterReply, MilterSession, Modifications, Wants};

/// Listens on a port of loopback that is free, says which, and signs whatever comes that has an instance.
pub fn serve(sign: fn(&[u8]) -> Result<Vec<u8>, String>) -> io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("{}", listener.local_addr()?.port());
    io::stdout().flush()?;
    for stream in listener.incoming().flatten() {
        thread::spawn(move || connection(stream, sign));
    }
    Ok(())
}

fn connection(mut stream: TcpStream, sign: fn(&[u8]) -> Result<Vec<u8>, String>) -> io::Result<()> {
    let mut session = MilterSession::new(Wants { content: true, recipients: false }, Limits::default());
    let (mut waiting, mut piece) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let octets = stream.read(&mut piece)?;
        if octets == 0 {
            return Ok(());
        }
        waiting.extend_from_slice(&piece[..octets]);
        loop {
            let mut out = Vec::new();
            let received = session.receive(&waiting, &mut out).map_err(io::Error::other)?;
            waiting.drain(..received.used);
            if received.event == Some(MilterEvent::Message) {
                answer(&mut session, sign, &mut out);
            }
            stream.write_all(&out)?;
            match received.event {
                Some(MilterEvent::Closed) => return Ok(()),
                Some(MilterEvent::Message) => {}
                None => break,
            }
        }
    }
}

/// Asks for the signature on top of a message; one that can't be signed passes as it is, and the receiver will say so.
fn answer(session: &mut MilterSession, sign: fn(&[u8]) -> Result<Vec<u8>, String>, out: &mut Vec<u8>) {
    let message = session.take_message();
    match sign(message.raw()) {
        Ok(signed) => {
            let fields = &signed[..signed.len() - message.raw().len()];
            let mut edits = EditList::new();
            edits.push(Span::empty(0), fields).expect("one edit");
            let asked = Modifications::of(&message, &edits, &session.negotiated()).expect("fields");
            asked.write(out);
        }
        Err(why) => eprintln!("{why}"),
    }
    MilterReply::Continue.write(out);
    session.answered(message);
}
