//! Links: finding them in running text next to linkify, and rewriting HTML next to lol_html alone.
//!
//! Read the numbers as ratios within one run: `cargo bench -p septet-benches links`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lol_html::{HtmlRewriter, Settings, element};
use septet::coding::charset::Charset;
use septet::coding::html::links;
use septet::coding::iri::find;
use septet::coding::iri::find::FindOptions;
use septet::rewrite::links::{LinkScope, LinkSettings, TextKind, plan_text_links};
use septet::rewrite::{HostForm, InText, Iris, Schemeless};
use std::hint::black_box;

const SIZE: usize = 4 << 20;
const PLAIN: TextKind = TextKind::Plain { flowed: false, delsp: false };
const SETTINGS: LinkSettings = LinkSettings {
    iris: Iris::ToUri,
    in_text: InText::Bounded,
    schemeless: Schemeless::Keep,
    host: HostForm::Punycode,
    document: Charset::UTF_8,
    target: Charset::UTF_8,
};

/// Repeats numbered lines up to the size.
fn repeat(line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= SIZE {
            break;
        }
        text.push_str(&line(number));
    }
    text
}

fn running_text(bench: &mut Criterion) {
    let texts = [
        ("no-colon", repeat(|_| "Nothing stands here that could be a link, and much of it. Rien à voir.\r\n".into())),
        ("no-link", repeat(|n| format!("Note {n}: at 12:30, as said before: nothing to see here, rien à voir.\r\n"))),
        ("ascii", repeat(|n| format!("Please have a look at http://www.example.org/archive/{n}.html, thanks.\r\n"))),
        ("iri", repeat(|n| format!("Voir la page http://www.example.org/été/{n}/où.html, si vous voulez.\r\n"))),
        ("cjk", repeat(|n| format!("詳細は http://例え.jp/パス/{n} をご覧ください。よろしくお願いします。\r\n"))),
    ];
    for (name, text) in &texts {
        let mut group = bench.benchmark_group(format!("text/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("septet find", |b| b.iter(|| find(black_box(text), FindOptions::default()).count()));
        group.bench_function("septet plan", |b| {
            b.iter(|| plan_text_links(black_box(text), PLAIN, SETTINGS, LinkScope::Odd))
        });
        group.bench_function("linkify", |b| b.iter(|| linkify::LinkFinder::new().links(black_box(text)).count()));
        group.bench_function("memchr", |b| b.iter(|| memchr::memchr_iter(b':', black_box(text.as_bytes())).count()));
        group.finish();
    }
}

fn lol_html_alone(html: &str) -> usize {
    let mut count = 0;
    let settings = Settings::new().with_strict(false).append_element_content_handler(element!("*", |element| {
        count += element.attributes().len();
        Ok(())
    }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes()).and_then(|()| rewriter.end()).expect("readable");
    count
}

fn html(bench: &mut Criterion) {
    let row = |n: usize, path: &str| {
        format!(
            "<tr><td class=\"cell\" style=\"padding:4px;color:#333\"><p>Some words of a newsletter, and a few more.</p>\n\
             <a href=\"http://www.example.org/{path}?id={n}&amp;b=2\" title=\"more\">read more</a><br></td></tr>\n"
        )
    };
    let texts = [("ascii", repeat(|n| row(n, "news/today.html"))), ("iri", repeat(|n| row(n, "été/où.html")))];
    for (name, text) in &texts {
        let mut group = bench.benchmark_group(format!("html/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("septet links", |b| b.iter(|| links(black_box(text)).expect("readable").attributes.len()));
        group.bench_function("septet plan", |b| {
            b.iter(|| plan_text_links(black_box(text), TextKind::Html, SETTINGS, LinkScope::Odd))
        });
        group.bench_function("lol_html", |b| b.iter(|| lol_html_alone(black_box(text))));
        group.finish();
    }
}

fn hostile(bench: &mut Criterion) {
    let texts = [
        ("http://a.", PLAIN, "http://a.".repeat(SIZE / 9)),
        ("brackets", PLAIN, format!("http://é{}", "(".repeat(SIZE))),
        ("attribute", TextKind::Html, format!("<a href='http://é/{}'>", "é ".repeat(SIZE / 3))),
    ];
    let mut group = bench.benchmark_group("hostile");
    for (name, kind, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(*name, |b| b.iter(|| plan_text_links(black_box(text), *kind, SETTINGS, LinkScope::Odd)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = running_text, html, hostile
}
criterion_main!(benches);
