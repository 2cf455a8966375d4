//! The pure core: what it promises of every message.

mod charset;
mod coders;
mod house;
mod inputs;
mod links;
mod links_real;
mod properties;
