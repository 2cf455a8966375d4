//! The commands, from outside: the program on real files, sockets and MTAs.

mod advise;
mod batch;
mod convert;
mod dkim2;
mod filter;
mod forward;
mod look;
mod milter;
mod pager;
mod review;
mod rules;
