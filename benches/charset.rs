//! How fast charsets are read and written, next to encoding_rs alone in the same run:
//! `cargo bench -p septet-benches charset`.
//!
//! Only the ratios mean something.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use encoding_rs::{EUC_KR, Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1252};
use septet::coding::charset::Charset;

/// A line in a language that the charset is for, often.
fn text(line: &str) -> String {
    line.repeat((1 << 20) / line.len())
}

const PLAIN: &str = "The quick brown fox jumps over the lazy dog, and nothing else happens on this line.\n";
const FRENCH: &str = "Portez ce vieux whisky au juge blond qui fume, dès Noël où un zéphyr haï me vêt.\n";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
const JAPANESE: &str = "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ 有為の奥山 今日越えて\n";
const CHINESE: &str = "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏。\n";
const KOREAN: &str = "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.\n";

/// Charset, the encoding of encoding_rs that is nearest to it, and a line of text.
const CASES: [(Charset, &Encoding, &str, &str); 11] = [
    (Charset::UTF_8, UTF_8, "plain", PLAIN),
    (Charset::UTF_8, UTF_8, "chinese", CHINESE),
    (Charset::WINDOWS_1252, WINDOWS_1252, "plain", PLAIN),
    (Charset::WINDOWS_1252, WINDOWS_1252, "french", FRENCH),
    (Charset::ISO_8859_1, WINDOWS_1252, "french", FRENCH),
    (Charset::KOI8_R, KOI8_R, "russian", RUSSIAN),
    (Charset::GB18030, GB18030, "chinese", CHINESE),
    (Charset::WINDOWS_31J, SHIFT_JIS, "japanese", JAPANESE),
    (Charset::ISO_2022_JP, ISO_2022_JP, "japanese", JAPANESE),
    (Charset::ISO_2022_KR, EUC_KR, "korean", KOREAN),
    (Charset::EUC_KR, EUC_KR, "korean", KOREAN),
];

fn both_ways(criterion: &mut Criterion) {
    for (charset, encoding, name, line) in CASES {
        let text = text(line);
        let written = charset.encode(&text).expect("the charset has the language").into_owned();
        let (theirs, _, _) = encoding.encode(&text);
        let mut group = criterion.benchmark_group(format!("{charset}/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
        group.bench_function("decode/septet", |b| b.iter(|| charset.decode(black_box(&written))));
        group.bench_function("decode/encoding_rs", |b| b.iter(|| encoding.decode(black_box(&theirs))));
        group.bench_function("encode/septet", |b| b.iter(|| charset.encode(black_box(&text))));
        group.bench_function("encode/encoding_rs", |b| b.iter(|| encoding.encode(black_box(&text))));
        group.finish();
    }
}

criterion_group!(benches, both_ways);
criterion_main!(benches);
