//! The doors, from outside: the program on real files, sockets and MTAs.

mod milter;
