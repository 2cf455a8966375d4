//! septet.toml(5), made of the sample file of settings, whose comments are the documentation of the keys.
//!
//! A line `# Words` is prose, and is filled; `#key = …` and `#   key = …` are settings, and stay as they are; `[table]`
//! begins a section.

use super::escaped;

const HEAD: &str = concat!(
    ".TH septet.toml 5 \"\" \"septet ",
    env!("CARGO_PKG_VERSION"),
    "\" \"File Formats\"\n.SH NAME\nseptet.toml \\- the settings of septet\n",
    ".SH SYNOPSIS\n/etc/septet/septet.toml\n.br\n/etc/septet/conf.d/*.toml\n.SH DESCRIPTION\n"
);

const FOOT: &str = ".SH SEE ALSO\nseptet(1), septet\\-serve(1), septet\\-check\\-config(1)\n";

/// Makes the page of a sample file.
pub fn page(sample: &str) -> String {
    let mut page = HEAD.to_owned();
    let mut verbatim = false;
    for line in sample.lines() {
        let prose = prose(line);
        let is_setting = prose.is_none() && !line.is_empty() && section(line).is_none();
        if is_setting != verbatim {
            page.push_str(if is_setting { ".PP\n.RS 4\n.nf\n" } else { ".fi\n.RE\n" });
            verbatim = is_setting;
        }
        match (section(line), prose) {
            (Some(table), _) => page.push_str(&format!(".SH {}\n", escaped(table))),
            (None, Some(prose)) => page.push_str(&format!("{}\n", escaped(prose))),
            (None, None) if line.is_empty() => page.push_str(".PP\n"),
            (None, None) => page.push_str(&format!("{}\n", escaped(line.trim_start_matches(['#', ' '])))),
        }
    }
    page.push_str(if verbatim { ".fi\n.RE\n" } else { "" });
    page + FOOT
}

/// Returns the words of a comment; none for a setting (`#key = …`, `#   key = …`) and for what is no comment.
fn prose(line: &str) -> Option<&str> {
    match line.strip_prefix('#')? {
        "" => Some(""),
        rest => rest.strip_prefix(' ').filter(|words| !words.starts_with("  ")),
    }
}

/// Returns the heading of a table or of a list of them, in a comment or not; none for any other line.
fn section(line: &str) -> Option<&str> {
    let table = line.strip_prefix('#').unwrap_or(line);
    (table.starts_with('[') && table.ends_with(']')).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_filled_and_settings_stay() {
        let page = page("# One\n# two-three.\n#key = 1\n#   other = \"x\"\n\n[limits]\n#last = 2\n");
        let body = page.strip_prefix(HEAD).and_then(|rest| rest.strip_suffix(FOOT)).expect("a frame");
        assert_eq!(
            body,
            "One\ntwo\\-three.\n.PP\n.RS 4\n.nf\nkey = 1\nother = \"x\"\n.fi\n.RE\n.PP\n.SH [limits]\n\
             .PP\n.RS 4\n.nf\nlast = 2\n.fi\n.RE\n"
        );
    }
}
