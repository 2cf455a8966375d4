//! SMTP and LMTP: the machines, without a socket.

mod client;
mod command;
mod data;
mod dialogue;
mod play;
mod reply;
mod script;
