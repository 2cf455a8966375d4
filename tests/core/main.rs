//! The pure core: what it promises of every message.

mod attack;
mod cases;
mod charset;
mod check;
mod coders;
mod corpus;
mod dkim2;
mod equal;
mod fields;
mod framing;
mod gate;
mod grammar;
mod house;
mod inputs;
mod line_ends;
mod links;
mod links_prose;
mod links_real;
mod outside;
mod parts;
mod properties;
mod requirements;
mod smtp;
mod speed;
