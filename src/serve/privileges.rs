//! Another user once the sockets are open, and warnings where more may be done than is needed.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::unistd::{Gid, Uid, getegid, geteuid, setgid, setgroups, setuid};
use tracing::{info, warn};

use super::listeners::Opened;
use super::{descriptors, owner};
use crate::config::Settings;
use crate::process::exit::{Exit, Failure};

/// The permission of everybody to write.
const OTHERS_WRITE: u32 = 0o002;

/// The bit of a folder in which nobody replaces the files of others.
const STICKY: u32 = 0o1000;

/// The user and group that the daemon is to become.
#[derive(Debug)]
pub struct NextUser {
    name: String,
    uid: Uid,
    gid: Gid,
}

/// Finds the user and group that the settings want the daemon to become, by default the user's own group; none where
/// they name no user, or the daemon is both already. Exit 78 where there is no user or group of that name.
pub fn wanted(config: &Settings) -> Result<Option<NextUser>, Failure> {
    let Some(name) = &config.user else { return Ok(None) };
    let uid = owner::user(name).ok_or_else(|| nobody("user", name))?;
    let gid = match &config.group {
        Some(group) => owner::group(group).ok_or_else(|| nobody("group", group))?,
        None => owner::group_of(name).ok_or_else(|| nobody("user", name))?,
    };
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
    Ok(((geteuid(), getegid()) != (uid, gid)).then(|| NextUser { name: name.clone(), uid, gid }))
}

impl NextUser {
    /// Gives this user the sockets that the settings give to no user, so that after [`NextUser::become_it`] a reload
    /// can still change them and the end remove them. Only root can give a file away; with anybody else nothing is
    /// done.
    pub fn hand_sockets_over(&self, opened: &mut [Opened]) {
        for one in opened.iter_mut().filter(|_| geteuid().is_root()) {
            if let Err(error) = one.hand_over(self.uid.as_raw()) {
                warn!("{} stays root's: {error}", one.socket());
            }
        }
    }

    /// Makes the process this user, with its group alone; exit 77 where that is not allowed. The user comes last: who
    /// is not root any more can't change groups.
    pub fn become_it(&self) -> Result<(), Failure> {
        let NextUser { name, uid, gid } = self;
        let changed = setgroups(&[*gid]).and_then(|()| setgid(*gid)).and_then(|()| setuid(*uid));
        changed.map_err(|error| {
            let what = format!("can't become the user {name:?}, as the key user asks: {error}; only root can");
            Failure::new(Exit::NoPermission, what)
        })?;
        info!("septet is the user {name} now");
        Ok(())
    }
}

/// Makes the failure of a key that names nobody.
fn nobody(kind: &str, name: &str) -> Failure {
    Failure::new(Exit::BadConfig, format!("the key {kind} names {name:?}, and no {kind} has that name"))
}

/// Warns of what an attacker could use: root, settings that everybody may write, sockets that everybody reaches.
pub fn warn_of_risks(config: &Settings, files: &[String]) {
    if geteuid().is_root() {
        warn!("septet runs as root, which it does not need: set user = \"septet\"");
    }
    for file in files.iter().filter(|file| is_open(Path::new(file))) {
        warn!("everyone may write {file}, and so control septet: chmod o-w");
    }
    descriptors::warn_of_few(config);
    for listener in config.listeners.iter().filter(|listener| listener.is_open_to_all()) {
        warn!("{} accepts connections from every host: set allow = [\"192.0.2.0/24\"] beside it", listener.socket);
    }
}

/// Returns `true` if everybody may write a file, or put another one in its place, as in a folder that everybody may
/// write and that has no sticky bit. `false` where there is no file.
fn is_open(path: &Path) -> bool {
    let Some(file) = fs::metadata(path).ok().filter(|file| file.is_file()) else { return false };
    let folder = path.parent().and_then(|folder| fs::metadata(folder).ok());
    file.mode() & OTHERS_WRITE != 0
        || folder.is_some_and(|folder| folder.mode() & OTHERS_WRITE != 0 && folder.mode() & STICKY == 0)
}
