//! What only the host can tell of settings: who is there to be and to own a socket, whether sockets and the file of the
//! process id have a place, and whether files that a next hop needs are there.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::archive::replace::folder_of;
use crate::config::near::nearest;
use crate::config::reader::Findings;
use crate::config::value::join;
use crate::config::{Access, Settings, SocketAddress};
use crate::serve::owner::{self, is_open_to_all};

/// Adds the faults of the daemon itself, of the listeners and of `[metrics]` that show on this host alone.
pub fn check(settings: &Settings, found: &mut Findings) {
    let daemon = Access { user: settings.user.clone(), group: settings.group.clone(), ..Access::default() };
    check_access(&daemon, "", found);
    if let Some(what) = settings.pidfile.as_deref().and_then(|file| no_folder(file, "file")) {
        found.fault("pidfile", what);
    }
    for (index, listener) in settings.listeners.iter().enumerate() {
        let path = format!("listener[{index}]");
        check_access(&listener.access, &path, found);
        check_socket(&listener.socket, &join(&path, "socket"), found);
        let reader = settings.user.as_deref();
        for (key, file) in listener.forward.files() {
            check_file(file, reader, &join(&path, key), found);
        }
        let (password, token) = (&listener.forward.next_hop_password_file, &listener.forward.next_hop_token_file);
        check_secret(password.as_deref(), "password", &join(&path, "next_hop_password_file"), found);
        check_secret(token.as_deref(), "token", &join(&path, "next_hop_token_file"), found);
    }
    check_access(&settings.metrics.access, "metrics", found);
    if let Some(socket) = &settings.metrics.listen {
        check_socket(socket, "metrics.listen", found);
    }
}

/// Adds a fault for a user or group that there is not.
fn check_access(access: &Access, path: &str, found: &mut Findings) {
    let owners = [
        ("user", access.user.as_deref().filter(|user| owner::user(user).is_none()), "/etc/passwd"),
        ("group", access.group.as_deref().filter(|group| owner::group(group).is_none()), "/etc/group"),
    ];
    for (kind, name, file) in owners {
        if let Some(name) = name {
            found.fault(&join(path, kind), format!("no {kind} is named {name:?}; {}", hint(name, kind, file)));
        }
    }
}

/// Returns what to do about a name that `file` does not have.
fn hint(name: &str, kind: &str, file: &str) -> String {
    // A table that is not there has no names.
    let table = fs::read_to_string(file).unwrap_or_default();
    let names = table.lines().filter_map(|line| line.split(':').next());
    match nearest(name, names) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("write one of {file}, or make the {kind}"),
    }
}

/// Adds a fault for a unix socket that can't be made where it is wanted.
fn check_socket(socket: &SocketAddress, path: &str, found: &mut Findings) {
    if let Some(what) = socket.path().and_then(|file| no_folder(file, "socket").or_else(|| in_the_way(file))) {
        found.fault(path, what);
    }
}

/// Adds a fault for a file that is to be read by a user and is not there, or can't be read by him; one of systemd's
/// credentials is there for the daemon alone.
fn check_file(file: Option<&Path>, reader: Option<&str>, path: &str, found: &mut Findings) {
    let Some(file) = file.filter(|file| !file.starts_with("/run/credentials")) else { return };
    let shown = file.display();
    match fs::metadata(file) {
        Ok(there) if there.is_dir() => found.fault(path, format!("{shown} is a folder; write the path of a file")),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            found.fault(path, format!("the file {shown} is not there; make it, or write another path"));
        }
        Ok(there) => {
            if let Some(user) = reader.filter(|user| is_closed_to(&there, user)) {
                let what =
                    format!("the user {user} can't read {shown}; give it to him, or to his group with mode 0640");
                found.fault(path, what);
            }
        }
        // Whoever checks may not look there, and the daemon may.
        Err(_) => {}
    }
}

/// Returns `true` if a file is its owner's alone, who is another than this user; root reads all. Of a file that some
/// group may read it is `false`, whatever groups the user is in, and of a user that there is not.
fn is_closed_to(file: &Metadata, user: &str) -> bool {
    let is_for_others = file.mode() & 0o044 != 0;
    !is_for_others && owner::user(user).is_some_and(|number| number != 0 && number != file.uid())
}

/// Adds a fault for a file of a secret that others may read, and for one that has none on its first line, as far as
/// whoever checks may look. What is no file has its fault by [`check_file`].
fn check_secret(file: Option<&Path>, secret: &str, path: &str, found: &mut Findings) {
    let Some(file) = file.filter(|file| file.is_file()) else { return };
    if is_open_to_all(file) {
        found.fault(path, format!("everybody may read {}, and so the {secret}: chmod o-rwx", file.display()));
    }
    if fs::read_to_string(file).is_ok_and(|text| text.lines().next().is_none_or(str::is_empty)) {
        found.fault(path, format!("{} has no {secret} on its first line; write it there", file.display()));
    }
}

/// Returns why a file of this kind has no folder to stand in; none where it has one.
fn no_folder(file: &Path, kind: &str) -> Option<String> {
    let folder = folder_of(file);
    let shown = folder.display();
    match fs::metadata(folder) {
        Ok(there) if there.is_dir() => None,
        Ok(_) => Some(format!("{shown} is no folder, so no {kind} can stand in it; write another path")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Some(format!("the folder {shown} is not there; make it, as systemd does for RuntimeDirectory="))
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Some(format!("a part of {shown} is no folder; write another path"))
        }
        // Whoever checks may not look there, and the daemon may.
        Err(_) => None,
    }
}

/// Returns what is wrong with the place of a socket, where something else stands there; none where a socket or nothing
/// does, or nobody may look.
fn in_the_way(file: &Path) -> Option<String> {
    let there = fs::symlink_metadata(file).ok()?.file_type();
    let kind = if there.is_dir() { "a folder" } else { "a file" };
    let what = format!("{} is {kind} and no socket; remove it, or write another path", file.display());
    (!there.is_socket()).then_some(what)
}
