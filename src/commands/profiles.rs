//! Lists the profiles and their keys.

use std::io::{Write as _, stdout};

use serde_json::{Map, Value as Json};

use crate::config::profile::ProfileTable;
use crate::process::exit::{Exit, Failure};
use crate::process::settings::ConfigArgs;
use crate::process::table::table;

/// List the profiles and what their keys say
///
/// The built-in profiles, and those that the settings make or change. A list is written with commas, and "-"
/// stands for nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet profiles
      compares all profiles, a column for each
  septet profiles utf8 eai
      compares two
  septet profiles --json | jq .utf8.headers
      tells a script")]
pub struct Args {
    /// Print one JSON object: for each profile its keys and their values
    #[arg(long)]
    json: bool,
    /// The profiles, in this order; all of them without one
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the command; a name that is no profile's is wrong usage.
pub fn run(args: Args) -> Result<(), Failure> {
    let settings = args.config.settings()?;
    let names: Vec<&str> = match args.names.is_empty() {
        true => settings.profile_names().collect(),
        false => args.names.iter().map(String::as_str).collect(),
    };
    if let Some(unknown) = names.iter().find_map(|name| settings.profile_named(name).err()) {
        return Err(Failure::new(Exit::Usage, unknown));
    }
    let profiles: Vec<(&str, &ProfileTable)> =
        names.iter().filter_map(|name| Some((*name, settings.profile_table(name)?))).collect();
    let text = if args.json { as_json(&profiles) } else { as_table(&profiles) };
    stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Writes an object for each profile: all its keys, `null` for one that is not set.
fn as_json(profiles: &[(&str, &ProfileTable)]) -> String {
    let all: Map<String, Json> = profiles.iter().map(|(name, table)| ((*name).to_owned(), keys(table))).collect();
    format!("{:#}\n", Json::Object(all))
}

/// Makes the object of one profile.
fn keys(table: &ProfileTable) -> Json {
    let values = table.values().into_iter().map(|(key, value)| {
        // What a key holds is never a date or a number that JSON lacks.
        (key.to_owned(), value.and_then(|value| serde_json::to_value(value).ok()).unwrap_or(Json::Null))
    });
    Json::Object(values.collect())
}

/// Writes a line for each key and a column for each profile; all tables list their keys in one order.
fn as_table(profiles: &[(&str, &ProfileTable)]) -> String {
    let mut rows = vec![vec!["PROFILE".to_owned()]];
    rows.extend(ProfileTable::default().values().into_iter().map(|(key, _)| vec![key.to_owned()]));
    for (name, profile) in profiles {
        let values =
            profile.values().into_iter().map(|(_, value)| value.map_or_else(|| "-".to_owned(), |it| cell(&it)));
        let column = [(*name).to_owned()].into_iter().chain(values);
        rows.iter_mut().zip(column).for_each(|(row, cell)| row.push(cell));
    }
    table(&rows)
}

/// Writes a value without quotes and brackets: a list and a table with commas, `-` for an empty one.
fn cell(value: &toml::Value) -> String {
    let cells: Vec<String> = match value {
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Array(items) => items.iter().map(cell).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| format!("{key}={}", cell(value))).collect(),
        other => vec![other.to_string()],
    };
    if cells.is_empty() { "-".to_owned() } else { cells.join(",") }
}
