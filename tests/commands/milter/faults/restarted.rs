//! A daemon that is killed and started again, on the same socket.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use tempfile::TempDir;

use super::super::mta::open_up;

/// The daemon and its folder, where its settings, its socket and its log are.
pub struct Restarted {
    pub dir: TempDir,
    child: Mutex<Child>,
}

impl Restarted {
    /// Starts one with these settings beside its listener.
    pub fn start(settings: &str) -> Restarted {
        Restarted::configured(|dir| with_listener(dir, settings))
    }

    /// Starts one with just these settings.
    pub fn configured(settings: impl Fn(&TempDir) -> String) -> Restarted {
        let dir = tempfile::Builder::new().prefix("septet-faults").tempdir().expect("a folder");
        open_up(dir.path());
        File::create(dir.path().join("log")).expect("a log");
        fs::write(dir.path().join("septet.toml"), settings(&dir)).expect("settings");
        let child = Mutex::new(spawn(&dir));
        Restarted { dir, child }
    }

    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("sock")
    }

    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.dir.path().join("log")).expect("a log")).into_owned()
    }

    /// Kills it with SIGKILL, which it can't see coming.
    pub fn kill(&self) {
        let mut child = self.child.lock().expect("unpoisoned");
        child.kill().expect("it runs");
        child.wait().expect("it ended");
    }

    /// Starts it again.
    pub fn restart(&self) {
        *self.child.lock().expect("unpoisoned") = spawn(&self.dir);
    }

    /// Writes other settings beside its listener, and tells it to read them.
    pub fn reload(&self, settings: &str) {
        // Whole at once: it may be reading them for the signal before.
        let new = self.dir.path().join("new");
        fs::write(&new, with_listener(&self.dir, settings)).expect("settings");
        fs::rename(new, self.dir.path().join("septet.toml")).expect("settings");
        let id = self.child.lock().expect("unpoisoned").id().to_string();
        assert!(Command::new("kill").args(["-HUP", &id]).status().expect("kill").success());
    }

    /// Returns `true` if it runs.
    pub fn is_alive(&self) -> bool {
        self.child.lock().expect("unpoisoned").try_wait().expect("a child").is_none()
    }
}

impl Drop for Restarted {
    fn drop(&mut self) {
        self.kill();
    }
}

fn with_listener(dir: &TempDir, settings: &str) -> String {
    let socket = dir.path().join("sock");
    format!("{settings}\n[[listener]]\nsocket = \"unix:{}\"\nmode = \"0666\"\n", socket.display())
}

fn spawn(dir: &TempDir) -> Child {
    let log = File::options().append(true).open(dir.path().join("log")).expect("the log");
    Command::new(env!("CARGO_BIN_EXE_septet"))
        .args(["serve", "--set", "log.format=text", "--config"])
        .arg(dir.path().join("septet.toml"))
        .env_remove("SEPTET_LOG")
        .stdin(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("septet starts")
}
