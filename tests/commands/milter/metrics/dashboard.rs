//! The table of docs/metrics.md, the dashboard and the alerts against what the daemon exports.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Client, scrape_until, start};

const DOCS: &str = include_str!("../../../../docs/metrics.md");
const DASHBOARD: &str = include_str!("../../../../packaging/grafana/septet.json");
const ALERTS: &str = include_str!("../../../../packaging/prometheus/septet.rules.yml");

/// Finds the names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("septet_") || word.starts_with("process_")).collect()
}

fn queries(dashboard: &Value) -> Vec<&str> {
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().expect("a query")).collect()
}

/// Finds the labels that a query selects or groups by.
fn labels(query: &str) -> BTreeSet<&str> {
    let by = query.split("by (").skip(1).filter_map(|rest| rest.split(')').next()).flat_map(|list| list.split(','));
    let selected = query.split('{').skip(1).filter_map(|rest| rest.split('}').next()).flat_map(|list| list.split(','));
    let selected = selected.filter_map(|pair| pair.split(['=', '!']).next());
    by.chain(selected).map(str::trim).filter(|label| !label.is_empty()).collect()
}

#[test]
fn the_table_lists_what_is_exported_and_nothing_else() {
    let daemon = start(&[]);
    let page = scrape_until(&daemon, |_| true);
    let mut table = BTreeMap::new();
    for row in DOCS.lines().filter(|line| line.starts_with("| `septet_") || line.starts_with("| `process_")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let labels: BTreeSet<String> = cells[2]
            .split(',')
            .map(|label| label.trim().trim_matches('`').to_owned())
            .filter(|l| !l.is_empty())
            .collect();
        table.insert(cells[0].to_owned(), (cells[1].to_owned(), labels));
    }
    let exported: BTreeMap<_, _> =
        page.families.iter().map(|(name, kind)| (name.clone(), (kind.clone(), page.labels(name)))).collect();
    assert_eq!(table, exported);
}

#[test]
fn dashboard_and_alerts_ask_only_for_what_is_exported() {
    let daemon = start(&[]);
    assert_eq!(Client::agreed(&daemon.path("sock")).message(), "mbc");
    let page = scrape_until(&daemon, |_| true);
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let queries = queries(&dashboard);
    assert!(queries.len() > 15);
    let alerts: Vec<&str> = ALERTS.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).collect();
    assert!(alerts.len() > 4);
    for query in queries.into_iter().chain(alerts) {
        let exported: BTreeSet<String> =
            names(query).into_iter().flat_map(|name| page.labels(page.family(name))).collect();
        for label in labels(query).into_iter().filter(|label| !["job", "instance", "le"].contains(label)) {
            assert!(exported.contains(label), "{label} in {query}");
        }
    }
    let variables = &dashboard["templating"]["list"];
    assert!(names(&variables.to_string()).into_iter().all(|name| page.families.contains_key(name)));
}

#[test]
fn the_dashboard_can_be_imported_anywhere() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    assert!(dashboard["schemaVersion"].as_u64().is_some_and(|version| version >= 36));
    assert!(dashboard["id"].is_null() && dashboard["uid"].as_str().is_some_and(|uid| uid.len() <= 40));
    let variables = dashboard["templating"]["list"].as_array().expect("variables");
    assert!(variables.iter().any(|it| it["name"] == "datasource" && it["type"] == "datasource"));
    let mut ids = BTreeSet::new();
    for panel in dashboard["panels"].as_array().expect("panels") {
        assert!(ids.insert(panel["id"].as_u64().expect("an id")), "{panel}");
        let place = |key: &str| panel["gridPos"][key].as_u64().expect("a place");
        assert!(place("x") + place("w") <= 24 && place("h") > 0, "{panel}");
        assert!(panel["type"] == "row" || panel["datasource"]["uid"] == "${datasource}", "{panel}");
    }
}
