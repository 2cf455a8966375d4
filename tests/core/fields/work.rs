//! A header is planned in linear time, whatever stands in it.

use septet::rewrite::FileNames;
use septet::{Profile, plan};

use crate::inputs::assert_linear;

const TYPE: &str = "Content-Type: x/y; name=\"=?iso-8859-1?q?=E9?=\"\n";
const DISPOSITION: &str = "Content-Disposition: x; filename=\"=?iso-8859-1?q?=E9?=\"\n";

/// Headers whose fields ask for each other, parameters without semicolons, and names that can be cut in many ways.
#[test]
fn headers_are_planned_in_linear_time() {
    let headers: [fn(usize) -> String; 6] = [
        |n| format!("Content-Disposition: x{}\n{}", "; a=b".repeat(n / 10), TYPE.repeat(n / 2 / TYPE.len())),
        |n| format!("Content-Type: x/y{}\n{}", "; a=b".repeat(n / 10), DISPOSITION.repeat(n / 2 / DISPOSITION.len())),
        |n| format!("Content-Disposition: x; a*=b; a=\"b\"{}\n", " a=\"b\"".repeat(n / 7)),
        |n| format!("{}{}", "a:\n".repeat(n / 6), DISPOSITION.repeat(n / 2 / DISPOSITION.len())),
        |n| format!("To: \"\u{e9}{}\" <a@b.c>\n", " ".repeat(n - 20)),
        |n| format!("To: {} <a@b.c>\n", "J\u{fc}rgen von der ".repeat(n / 16)),
    ];
    let mut profile = Profile::default();
    profile.file_names = FileNames::Both;
    for header in headers {
        assert_linear(header, |text| plan(text.as_bytes(), &profile));
    }
}
