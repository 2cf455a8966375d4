//! "Did you mean": the good word that is nearest to a wrong one.

/// Returns the good word that `wrong` was probably meant to be: at most a third of its letters, or one, differ. Of
/// several as near it is the first by the alphabet; none where no word is so near.
pub fn nearest<'a>(wrong: &str, good: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = plain(wrong);
    let most = (wrong.chars().count() / 3).max(1);
    good.into_iter()
        .map(|word| (strsim::osa_distance(&wrong, &plain(word)), word))
        .filter(|&(distance, _)| distance <= most)
        .min()
        .map(|(_, word)| word)
}

/// Returns the hint that ends a message about `wrong`: the nearest good word, or else all of them.
pub fn hint<'a>(wrong: &str, good: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(wrong, good.clone()) {
        Some(word) => format!("did you mean {word:?}?"),
        None => format!("there are {}", good.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// Returns a word in small letters, with `_` for `-` and spaces: these are what people mix up most, and don't count.
fn plain(word: &str) -> String {
    word.to_lowercase().replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let keys = ["headers", "charset", "transfer", "iri_host", "iris"];
        for (wrong, right) in [
            ("headrs", Some("headers")),
            ("Charset", Some("charset")),
            ("iri-host", Some("iri_host")),
            ("trasnfer", Some("transfer")),
            ("iri", Some("iris")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(wrong, keys), right, "{wrong}");
        }
    }

    #[test]
    fn lists_all_when_nothing_is_near() {
        assert_eq!(hint("headrs", ["headers", "iris"]), "did you mean \"headers\"?");
        assert_eq!(hint("colour", ["headers", "iris"]), "there are headers, iris");
    }
}
