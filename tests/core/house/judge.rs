//! What a charset is is decided in one place: the judge, and nobody beside it.

use super::sources;

/// What the judge decides by. The witnesses of a message are found with `label_or_utf_8`, in `rewrite/survey/evidence`.
const MEANS: [&str; 4] = ["statistics::guess", "label_or_utf_8", "faults::", "evidence::looks_like"];

/// Where these may be named: `advise` counts what statistics say, and decides nothing.
const MAY: [(&str, &str); 2] =
    [("rewrite/survey/evidence/verdicts.rs", "label_or_utf_8"), ("process/advice/", "evidence::looks_like")];

#[test]
fn nothing_but_the_judge_decides_what_a_charset_is() {
    let files = sources();
    assert!(files.len() > 300, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let path = file.below;
        if path.starts_with("coding/evidence/") {
            continue;
        }
        let may = |means: &&&str| MAY.iter().any(|(place, named)| path.starts_with(place) && named == *means);
        let named = MEANS.iter().filter(|means| file.code.contains(**means)).filter(|means| !may(means));
        wrong.extend(named.map(|means| format!("{path} names {means}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
