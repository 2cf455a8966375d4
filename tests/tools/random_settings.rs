//! Whatever a file of settings says: no panic, and each fault names a line of it and a key or a rule of TOML.

use proptest::prelude::*;
use proptest::sample::select;
use septet::config::{SetOption, SettingError, SettingOrigin, Settings, SettingsFile};

/// Lines that settings are made of, good ones and bad ones.
const LINES: &[&str] = &[
    "default_profile = \"mine\"",
    "x_septet = 1",
    "on_eror = 'x'",
    "[limits]",
    "parts = 0",
    "parts = '7'",
    "depth = 1e9",
    "connections = 9223372036854775807",
    "fields = 99999999999999999999999",
    "[[listener]]",
    "socket = \"unix:/x\"",
    "socket = \"inet:1\"",
    "user = 1",
    "mode = \"0999\"",
    "[[rule]]",
    "profile = \"mine\"",
    "client = []",
    "header = [1, 'x']",
    "[profile.mine]",
    "base = \"mine\"",
    "base = \"other\"",
    "[profile.other]",
    "[profile.\"a.b\".charset_alias]",
    "\"x.y\" = \"utf-8\"",
    "\"a[99999999999]\" = 1",
    "\"a[-9]\".b = 1",
    "unlabelled = [\"klingon\"]",
    "dkim = \"verified\"",
    "listener = 5",
    "rule = [1, { profile = 2 }]",
    "profile = [[]]",
    "limits = 1979-05-27",
    "skip.clients = [[\"x\"]]",
    "[metrics]",
    "listen = \"inet:0.0.0.0:1\"",
    "a = {b = {c = [",
    "= 5",
    "\"",
    "'''",
    "[",
    "]]",
    "\u{FEFF}",
    "# ä",
    "",
];

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![8 => select(LINES).prop_map(str::to_owned), 1 => "[ -~äÿ]{0,30}"];
    prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n"))
}

fn is_good(fault: &SettingError, lines: usize) -> bool {
    let at_a_line =
        matches!(&fault.origin, SettingOrigin::File { path, line } if &**path == "f" && (1..=lines).contains(line));
    at_a_line && !fault.what.is_empty() && !fault.to_string().contains('\n')
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_file_never_panics_and_each_fault_names_a_line(text in text()) {
        let lines = text.matches('\n').count() + 1;
        let (settings, found) = Settings::examine(&[SettingsFile { path: "f".into(), bytes: text.into_bytes() }], [], &[]);
        for fault in &found.faults {
            prop_assert!(is_good(fault, lines), "{fault:?}");
        }
        settings.to_json(&found.origins);
        if found.faults.is_empty() {
            let bytes = settings.to_toml(&found.origins).into_bytes();
            let again = Settings::read(&[SettingsFile { path: "again".into(), bytes }], [], &[]).map(|(again, _)| again);
            prop_assert_eq!(again, Ok(settings));
        }
    }

    #[test]
    fn any_octets_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let lines = bytes.iter().filter(|&&octet| octet == b'\n').count() + 1;
        let (_, found) = Settings::examine(&[SettingsFile { path: "f".into(), bytes }], [], &[]);
        prop_assert!(found.faults.iter().all(|fault| is_good(fault, lines)), "{:?}", found.faults);
    }

    #[test]
    fn variables_and_options_never_panic(
        name in "(LISTENER|PROFILE|LIMITS|RULE|LOG)(_{1,2}([A-Z]{1,4}|[0-9]{1,12})){0,4}",
        key in "(listener|profile|limits|skip)([.\\[]([a-z]{1,4}|[0-9]{1,12}|\"[^\"]{0,3}\")\\]?){0,4}",
        value in "[\\[{\"']?[ -~]{0,9}",
    ) {
        let variable = (format!("SEPTET_{name}"), value.clone());
        let (_, found) = Settings::examine(&[], [variable], &[SetOption { key, value }]);
        let placed = |fault: &SettingError| matches!(fault.origin, SettingOrigin::Variable(_) | SettingOrigin::Option(_));
        prop_assert!(found.faults.iter().all(placed), "{:?}", found.faults);
    }
}
