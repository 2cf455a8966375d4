//! How fast the coders are, next to other people's in the same run: `cargo bench -p septet-benches coding`.
//!
//! Only the ratios mean something. For a comparison with ICU, whole programs over one file:
//! `septet text --from utf-7 --to utf-8 FILE` and `uconv -f utf-7 -t utf-8 FILE`.

use std::hint::black_box;

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use septet::coding::transfer::{base64, quoted_printable};
use septet::coding::utf7::{self, Utf7Options, Variant};
use septet::coding::{escape, escape::EscapeForm};

const SIZE: usize = 1 << 20;

/// Text of lines of about 70 characters; of a thousand characters `per_mille` are not ASCII.
///
/// A few per cent are accents inside words, many are runs, as in the languages that have so many.
fn text(per_mille: u32) -> String {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 33) as u32) % below
    };
    let mut text = String::with_capacity(SIZE + 8);
    let mut column = 0;
    while text.len() < SIZE {
        column += 1;
        let character = match random(1000) {
            _ if column % 71 == 0 => '\n',
            dice if dice < per_mille && per_mille > 500 => {
                char::from_u32(0x4E00 + random(0x5000)).unwrap_or('\u{4E00}')
            }
            dice if dice < per_mille => char::from_u32(0xE0 + random(0x20)).unwrap_or('\u{E9}'),
            _ if column % 7 == 0 => ' ',
            _ => char::from(b'a' + random(26) as u8),
        };
        text.push(character);
    }
    text
}

const SHARES: [(u32, &str); 3] = [(1, "0.1%"), (150, "15%"), (800, "80%")];

fn group<'c>(criterion: &'c mut Criterion, name: &str, octets: usize) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(octets as u64)).sample_size(20);
    group.measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    group
}

fn utf_7(criterion: &mut Criterion) {
    for (per_mille, share) in SHARES {
        let text = text(per_mille);
        let encoded = utf7::encode(&text, Utf7Options::default()).expect("UTF-16 has them all").into_owned();
        let mut decode = group(criterion, &format!("utf7/decode/{share}"), encoded.len());
        decode.bench_function("septet", |b| b.iter(|| utf7::decode(black_box(&encoded), Variant::Rfc2152)));
        decode.bench_function("encodify", |b| b.iter(|| encodify::utf7::MAIL.decode(black_box(&encoded))));
        decode.finish();
        let mut encode = group(criterion, &format!("utf7/encode/{share}"), text.len());
        encode.bench_function("septet", |b| b.iter(|| utf7::encode(black_box(&text), Utf7Options::default())));
        encode.bench_function("encodify", |b| b.iter(|| encodify::utf7::MAIL.encode(black_box(&text))));
        encode.finish();
    }
}

fn quoted(criterion: &mut Criterion) {
    for (per_mille, share) in SHARES {
        let text = text(per_mille);
        let encoded = quoted_printable::encode(text.as_bytes(), b"\r\n");
        let mut decode = group(criterion, &format!("quoted-printable/decode/{share}"), encoded.len());
        decode.bench_function("septet", |b| b.iter(|| quoted_printable::decode(black_box(&encoded))));
        decode.bench_function("encodify", |b| b.iter(|| encodify::qp::BODY.decode(black_box(&encoded))));
        decode.finish();
        let mut encode = group(criterion, &format!("quoted-printable/encode/{share}"), text.len());
        encode.bench_function("septet", |b| b.iter(|| quoted_printable::encode(black_box(text.as_bytes()), b"\r\n")));
        encode.bench_function("encodify", |b| b.iter(|| encodify::qp::BODY.encode(black_box(text.as_bytes()))));
        encode.finish();
    }
}

fn base_64(criterion: &mut Criterion) {
    let bytes = text(800).into_bytes();
    let encoded = base64::encode(&bytes, b"\r\n");
    let mut decode = group(criterion, "base64/decode", encoded.len());
    decode.bench_function("septet", |b| b.iter(|| base64::decode(black_box(&encoded))));
    decode.bench_function("encodify", |b| b.iter(|| encodify::base64::MIME.decode(black_box(&encoded))));
    decode.bench_function("base64, lines joined", |b| {
        b.iter(|| {
            let mut joined = Vec::with_capacity(encoded.len());
            for line in black_box(&encoded).split(|octet| *octet == b'\n') {
                joined.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
            }
            STANDARD.decode(&joined)
        })
    });
    let mut junk = encoded.clone();
    junk.extend_from_slice(b"-- \r\n");
    decode.bench_function("septet, tolerant", |b| b.iter(|| base64::decode(black_box(&junk))));
    decode.finish();
    let mut encode = group(criterion, "base64/encode", bytes.len());
    encode.bench_function("septet", |b| b.iter(|| base64::encode(black_box(&bytes), b"\r\n")));
    encode.bench_function("base64, lines cut", |b| {
        b.iter(|| {
            let digits = STANDARD.encode(black_box(&bytes));
            let mut lines = Vec::with_capacity(digits.len() + digits.len() / 38 + 2);
            for line in digits.as_bytes().chunks(76) {
                lines.extend_from_slice(line);
                lines.extend_from_slice(b"\r\n");
            }
            lines
        })
    });
    encode.finish();
}

fn escapes(criterion: &mut Criterion) {
    for (per_mille, share) in SHARES {
        let text = text(per_mille);
        let escaped = escape::escape(&text, EscapeForm::Rfc5137).into_owned();
        let mut both = group(criterion, &format!("escape/{share}"), text.len());
        both.bench_function("escape", |b| b.iter(|| escape::escape(black_box(&text), EscapeForm::Rfc5137)));
        both.bench_function("unescape", |b| b.iter(|| escape::unescape(black_box(&escaped), &[EscapeForm::Rfc5137])));
        both.finish();
    }
}

criterion_group!(benches, utf_7, quoted, base_64, escapes);
criterion_main!(benches);
