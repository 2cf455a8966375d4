//! Makes a message that breaks a promise smaller, as long as it still breaks the same one.

/// The most messages that are tried.
const TRIES: usize = 3000;

/// Drops runs of lines, and then runs of octets, while `fails` says that the message still fails.
pub fn shrink(raw: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut tries = TRIES;
    let lines: Vec<Vec<u8>> = raw.split_inclusive(|&octet| octet == b'\n').map(<[u8]>::to_vec).collect();
    let lines = drop_pieces(lines, &mut tries, &fails);
    let octets: Vec<Vec<u8>> = lines.concat().into_iter().map(|octet| vec![octet]).collect();
    drop_pieces(octets, &mut tries, &fails).concat()
}

fn drop_pieces(mut pieces: Vec<Vec<u8>>, tries: &mut usize, fails: &impl Fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
    let mut run = pieces.len() / 2;
    while run > 0 {
        let mut at = 0;
        while at < pieces.len() && *tries > 0 {
            *tries -= 1;
            let mut fewer = pieces.clone();
            fewer.drain(at..(at + run).min(pieces.len()));
            if fails(&fewer.concat()) { pieces = fewer } else { at += run }
        }
        run /= 2;
    }
    pieces
}
