//! What root can do, who checks, and the packaged daemon can't, which septet.service and the init script run as a user
//! of its own: ports that are root's, owners of sockets, files that others may not read.
//!
//! These are notes and no faults: a unit may be given more rights.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::unistd::geteuid;

use crate::config::reader::Findings;
use crate::config::settings::Origins;
use crate::config::value::join;
use crate::config::{Access, HostPort, Listener, SettingError, Settings, SocketAddress};
use crate::serve::owner;

/// The user of the unit.
const USER: &str = "septet";

/// The first port that is not root's alone, where Linux does not say it.
const FIRST_PORT: u16 = 1024;

/// The rights of the packaged daemon.
struct ServiceRights {
    user: u32,
    groups: Vec<u32>,
    first_port: u16,
}

/// Lists what the packaged daemon can't do; nothing unless root checks, the daemon's user is there, and the settings
/// name no other user to become.
pub fn notes(settings: &Settings, origins: &Origins) -> Vec<SettingError> {
    let service = ServiceRights::installed().filter(|_| geteuid().is_root() && settings.user.is_none());
    service.map_or_else(Vec::new, |service| service.lacks(settings, origins))
}

impl ServiceRights {
    /// Finds its rights; none where its user is not there.
    fn installed() -> Option<ServiceRights> {
        let first = fs::read_to_string("/proc/sys/net/ipv4/ip_unprivileged_port_start");
        let first_port = first.ok().and_then(|port| port.trim().parse().ok()).unwrap_or(FIRST_PORT);
        Some(ServiceRights { user: owner::user(USER)?, groups: owner::groups_of(USER), first_port })
    }

    /// Lists what takes more rights than these, whoever checks.
    fn lacks(&self, settings: &Settings, origins: &Origins) -> Vec<SettingError> {
        let mut found = Findings { origins: origins.clone(), ..Findings::default() };
        for (index, listener) in settings.listeners.iter().enumerate() {
            let path = format!("listener[{index}]");
            self.check_socket(&listener.socket, &listener.access, &path, "socket", &mut found);
            self.check_files(listener, &path, &mut found);
        }
        if let Some(socket) = &settings.metrics.listen {
            self.check_socket(socket, &settings.metrics.access, "metrics", "listen", &mut found);
        }
        found.faults
    }

    /// Notes a port that the daemon can't open, and owners to whom it can't give the socket.
    fn check_socket(&self, socket: &SocketAddress, access: &Access, path: &str, key: &str, found: &mut Findings) {
        if let SocketAddress::Inet(HostPort { port, .. }) | SocketAddress::Inet6(HostPort { port, .. }) = socket
            && (1..self.first_port).contains(port)
        {
            let what =
                format!("it can't open port {port}; write one from {} on, or a socket of systemd", self.first_port);
            note(&join(path, key), what, found);
        }
        if let Some(user) = access.user.as_deref().filter(|user| owner::user(user) != Some(self.user)) {
            note(&join(path, "user"), format!("it can't give a socket to the user {user}; leave the key out"), found);
        }
        if let Some(group) = access.group.as_deref().filter(|group| !self.can_give(socket, group)) {
            let what = format!("it can't give a socket to the group {group}: adduser {USER} {group}");
            note(&join(path, "group"), what, found);
        }
    }

    /// Returns `true` if a socket can be a group's: its members may give it away, and a folder may have it so from the
    /// start.
    ///
    /// It is `true` too of a group or folder that is not there, which is a fault by itself ([`host`](super::host)), and
    /// of a socket that is no file.
    fn can_give(&self, socket: &SocketAddress, group: &str) -> bool {
        let folder = socket.path().and_then(Path::parent).and_then(|folder| fs::metadata(folder).ok());
        let Some(number) = owner::group(group) else { return true };
        self.groups.contains(&number) || folder.is_none_or(|it| it.mode() & 0o2000 != 0 && it.gid() == number)
    }

    /// Notes the files of a next hop that the daemon can't read.
    fn check_files(&self, listener: &Listener, path: &str, found: &mut Findings) {
        for (key, file) in listener.forward.files() {
            if let Some(file) = file.filter(|file| !self.can_read(file)) {
                let what = format!("it can't read {}: chgrp {USER}, with mode 0640", file.display());
                note(&join(path, key), what, found);
            }
        }
    }

    /// Returns `true` if its mode lets the daemon read a file; of one that is not there the daemon's start will tell.
    fn can_read(&self, file: &Path) -> bool {
        let Ok(there) = fs::metadata(file) else { return true };
        let bit = match there.uid() == self.user {
            true => 0o400,
            false if self.groups.contains(&there.gid()) => 0o040,
            false => 0o004,
        };
        there.mode() & bit != 0
    }
}

/// Adds a note of the key `path`, in the form of a fault; [`notes`] hands them on, and nothing fails by them.
fn note(path: &str, what: String, found: &mut Findings) {
    found.fault(path, format!("septet.service runs as {USER}: {what}"));
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::config::SettingsFile;

    /// Returns what a daemon with number and group 54321 can't do by these settings.
    fn lacks(toml: &str) -> String {
        let source = SettingsFile { path: "s".to_owned(), bytes: toml.as_bytes().to_owned() };
        let (settings, found) = Settings::examine(&[source], [], &[]);
        assert_eq!(found.faults, []);
        let service = ServiceRights { user: 54321, groups: vec![54321], first_port: 1024 };
        service.lacks(&settings, &found.origins).iter().map(|fault| format!("{fault}\n")).collect()
    }

    #[test]
    fn ports_and_owners_that_are_root_s_are_noted() {
        let told = lacks(
            "[[listener]]\nsocket = 'inet:127.0.0.1:25'\n[[listener]]\nsocket = 'unix:/x.sock'\nuser = 'root'\ngroup = '0'\n",
        );
        let wanted = "\
s:2: listener[0].socket: septet.service runs as septet: it can't open port 25; write one from 1024 on, or a socket of systemd
s:5: listener[1].user: septet.service runs as septet: it can't give a socket to the user root; leave the key out
s:6: listener[1].group: septet.service runs as septet: it can't give a socket to the group 0: adduser septet 0
";
        assert_eq!(told, wanted);
    }

    #[test]
    fn what_it_can_do_is_not_noted() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o2750)).expect("its mode");
        let group = fs::metadata(dir.path()).expect("a folder").gid();
        let socket = dir.path().join("a.sock");
        for toml in [
            "[[listener]]\nsocket = 'inet:127.0.0.1:8891'\n".to_owned(),
            "[[listener]]\nsocket = 'unix:/a.sock'\nuser = '54321'\ngroup = '54321'\n".to_owned(),
            format!("[[listener]]\nsocket = 'unix:{}'\ngroup = '{group}'\n", socket.display()),
        ] {
            assert_eq!(lacks(&toml), "", "{toml}");
        }
    }

    #[test]
    fn a_file_that_it_cannot_read_is_noted() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("password");
        fs::write(&file, "secret\n").expect("a file");
        for (mode, noted) in [
            (0o640, "s:6: listener[0].next_hop_password_file: septet.service runs as septet: it can't read"),
            (0o644, ""),
        ] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("its mode");
            let lacks = lacks(&format!(
                "[[listener]]\nsocket = 'inet:127.0.0.1:10025'\nprotocol = 'smtp'\nnext_hop = 'smtp:mail.example:25'\n\
                 next_hop_user = 'x'\nnext_hop_password_file = '{}'\n",
                file.display()
            ));
            assert!(lacks.contains(noted) && lacks.is_empty() == noted.is_empty(), "{mode:o}: {lacks}");
        }
    }
}
