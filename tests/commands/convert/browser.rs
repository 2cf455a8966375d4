//! The report page in a browser: Chromium without a window, where it is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::page::{LEFT, hostile, page};
use super::{Folder, LATIN, mbox};

/// Opens a page and gives what it became; none, and a line about it, where there is no Chromium.
fn opened(folder: &Folder, page: &str, width: u32) -> Option<String> {
    let file = folder.put("opened.html", page.as_bytes());
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        let profile = format!("--user-data-dir={}", folder.path("profile").display());
        let window = format!("--window-size={width},900");
        let flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"];
        let url = format!("file://{}", Path::display(&file));
        if let Ok(output) = Command::new(name).args(flags).args([&profile, &window, &url]).output() {
            return Some(String::from_utf8_lossy(&output.stdout).into_owned());
        }
    }
    println!("skipped: no chromium");
    None
}

/// Adds a script of the test's own; the page's policy would not let it run.
fn with_script(page: &str, script: &str) -> String {
    let start = page.find("<meta http-equiv").expect("a policy");
    let end = start + page[start..].find('>').expect("its end") + 1;
    let body = page.replace("</body>", &format!("<script>{script}</script></body>"));
    [&body[..start], &body[end..]].concat()
}

#[test]
fn nothing_that_a_message_says_is_run() {
    let folder = Folder::new();
    let page = page(&folder, "<img src=x onerror=document.title='owned'>.mbox", &mbox(&[&hostile(), LATIN]));
    // Without the policy too: the escaping alone must hold.
    for page in [page.clone(), with_script(&page, "")] {
        let Some(dom) = opened(&folder, &page, 1280) else { return };
        assert!(dom.contains("<title>septet report: "), "{dom}");
        assert!(!dom.contains("<img") && !dom.contains("<title>owned"), "{dom}");
        assert!(dom.contains("<div class=\"filter\"><input"), "the page's own script ran: {dom}");
    }
}

#[test]
fn a_word_narrows_the_lists() {
    let folder = Folder::new();
    let other = b"Date: 3 Jun 1999\nSubject: Zebra crossing\n\n\xe9\n";
    let page = page(&folder, "a.mbox", &mbox(&[LEFT, other, LATIN, LEFT]));
    let script =
        "const i = document.querySelector('input'); i.value = 'zebra 1999'; i.dispatchEvent(new Event('input'))";
    let Some(dom) = opened(&folder, &with_script(&page, script), 1280) else { return };
    assert_eq!(dom.matches("<li><b>").count(), 1, "{dom}");
    assert_eq!(dom.matches("<li hidden=\"\"><b>").count(), 3, "{dom}");
    assert!(dom.contains("<output class=\"soft\">1 row</output>"), "{dom}");
    assert!(dom.contains("<section class=\"group\" id=\"changed\" hidden=\"\">"), "{dom}");
}

#[test]
fn nothing_is_wider_than_the_window() {
    let folder = Folder::new();
    let long = [
        b"Subject: ".to_vec(),
        vec![b'x'; 3000],
        b"\nMessage-ID: <".to_vec(),
        vec![b'y'; 3000],
        b">\n".to_vec(),
        LATIN.to_vec(),
    ];
    let name = format!("{}.mbox", "z".repeat(200));
    let page = page(&folder, &name, &mbox(&[&long.concat(), &hostile(), LEFT]));
    let script = "for (const d of document.querySelectorAll('details')) d.open = true; \
        const e = document.documentElement; e.dataset.fits = String(e.scrollWidth <= e.clientWidth) + e.scrollWidth";
    for width in [1280, 500] {
        let Some(dom) = opened(&folder, &with_script(&page, script), width) else { return };
        assert!(dom.contains("data-fits=\"true"), "{width}: {}", &dom[..200]);
    }
    assert!(fs::metadata(folder.path("r.html")).is_ok());
}

/// `paramet/er` and `repaire/d` stood in "What was changed", since a column may shrink if its words may break anywhere.
#[test]
fn no_word_of_a_table_is_broken() {
    let folder = Folder::new();
    let many = b"Subject: =?iso-8859-1?Q?=FC?=\nContent-Type: text/plain; charset=utf-7; name=\"\xc3\xbc.txt\"\n\n\
        +AOk- http://ex+AOQ-mple.org/+AOk-\n";
    let page = page(&folder, "a.mbox", &mbox(&[many, LATIN, LEFT, &hostile()]));
    let script = "for (const d of document.querySelectorAll('details')) d.open = true; const broken = [];\
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); let words = 0;\
        while (walker.nextNode()) { const text = walker.currentNode;\
            if (!text.parentElement.closest('td, th') || text.parentElement.closest('bdi')) continue;\
            for (const word of text.data.matchAll(/[a-z]+/gi)) { const range = document.createRange(); words++;\
                range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);\
                const tops = new Set([...range.getClientRects()].map(box => Math.round(box.top)));\
                if (tops.size > 1) broken.push(word[0]); } }\
        document.documentElement.dataset.broken = words > 10 ? broken.join() : 'there are ' + words";
    for width in [1280, 500] {
        let Some(dom) = opened(&folder, &with_script(&page, script), width) else { return };
        assert!(dom.contains("data-broken=\"\""), "{width}: {}", &dom[..300]);
    }
}
