//! Runs the daemon, and talks to it as an MTA does.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use septet::protocol::milter::{Frame, MilterCommand as Mta, MilterReply, Offer};
use tempfile::TempDir;

/// How long anything may take before a test says that it never came.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running `septet serve`; it is killed when it is dropped.
pub struct Daemon {
    pub child: Child,
    pub dir: TempDir,
    log: PathBuf,
}

impl Daemon {
    /// Starts it; `DIR` in an argument stands for its own folder.
    pub fn start(arguments: &[&str]) -> Daemon {
        let daemon = Daemon::spawn(arguments);
        daemon.wait_for_log("listening on");
        daemon
    }

    /// Starts it with these settings; `DIR` in them stands for its own folder.
    pub fn configured(settings: &str) -> Daemon {
        Daemon::configured_with(settings, &[])
    }

    /// Starts it with these settings and arguments.
    pub fn configured_with(settings: &str, arguments: &[&str]) -> Daemon {
        let dir = tempfile::tempdir().expect("a folder");
        configure(dir.path(), settings);
        let daemon = Daemon::spawn_in(dir, &[&["--config", "DIR/septet.toml"], arguments].concat());
        daemon.wait_for_log("listening on");
        daemon
    }

    /// Starts it in a folder of its own, and does not wait.
    pub fn spawn(arguments: &[&str]) -> Daemon {
        Daemon::spawn_in(tempfile::tempdir().expect("a folder"), arguments)
    }

    /// Starts it in a folder that is there already, and does not wait.
    pub fn spawn_in(dir: TempDir, arguments: &[&str]) -> Daemon {
        Daemon::spawn_by(&[], dir, arguments)
    }

    /// Starts it by a program with arguments, such as `prlimit`.
    pub fn spawn_by(program: &[&str], dir: TempDir, arguments: &[&str]) -> Daemon {
        let log = dir.path().join("log");
        let own = dir.path().to_str().expect("UTF-8").to_owned();
        let mut words = program.iter().chain(&[env!("CARGO_BIN_EXE_septet"), "serve"]);
        let child = Command::new(words.next().expect("a program"))
            .args(words)
            .args(["--set", "log.format=text", "--set", "log.level=debug"])
            .args(arguments.iter().map(|argument| argument.replace("DIR", &own)))
            .env_remove("SEPTET_LOG")
            .env_remove("SEPTET_CONFIG")
            .stdin(Stdio::null())
            .stderr(fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("septet starts");
        Daemon { child, dir, log }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Gives the log once nothing comes any more, but for the warning that the tests are run by root, if they are: a
    /// line is written by a thread of its own, after the answer that it is about.
    pub fn log(&self) -> String {
        let mut log = self.log_so_far();
        for _ in 0..20 {
            sleep(Duration::from_millis(30));
            let now = self.log_so_far();
            if std::mem::replace(&mut log, now) == log {
                break;
            }
        }
        log
    }

    fn log_so_far(&self) -> String {
        let log = self.whole_log();
        log.split_inclusive('\n').filter(|line| !line.contains("septet runs as root")).collect()
    }

    pub fn whole_log(&self) -> String {
        fs::read_to_string(&self.log).expect("a log")
    }

    /// Waits until the log has this text.
    pub fn wait_for_log(&self, text: &str) {
        wait(|| self.log_so_far().contains(text), || format!("{text:?} in the log:\n{}", self.log_so_far()));
    }

    /// Waits for a line of the log with this text, and returns the first.
    pub fn line(&self, text: &str) -> String {
        self.wait_for_log(text);
        self.log().lines().find(|line| line.contains(text)).unwrap_or_default().to_owned()
    }

    /// Gives the TCP port that it listens on.
    pub fn port(&self) -> u16 {
        let log = self.log();
        let (_, rest) = log.split_once("listening on inet:127.0.0.1:").expect("an inet socket");
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().expect("a port")
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill");
        assert!(status.success());
    }

    pub fn wait_for_end(&mut self) -> ExitStatus {
        let mut ended = None;
        wait(
            || {
                ended = self.child.try_wait().expect("a child");
                ended.is_some()
            },
            || "the end of the daemon".to_owned(),
        );
        ended.expect("ended")
    }

    pub fn resident_kib(&self) -> u64 {
        self.status_kib("VmRSS:")
    }

    /// Returns the most memory that it has had in use so far.
    pub fn peak_mib(&self) -> u64 {
        self.status_kib("VmHWM:") >> 10
    }

    fn status_kib(&self, key: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let value = status.lines().find_map(|line| line.strip_prefix(key)).expect(key);
        value.split_whitespace().next().expect("a number").parse().expect("a number")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the name by which septet calls this host: with its domain where hostname(1) knows one.
pub fn hostname() -> String {
    let full = Command::new("hostname").arg("-f").output().map(|output| output.stdout).unwrap_or_default();
    let full = String::from_utf8_lossy(&full).trim().to_owned();
    match full.contains('.') && !full.starts_with("localhost") {
        true => full,
        false => fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux").trim().to_owned(),
    }
}

/// Writes the settings of a daemon into its folder, for which `DIR` stands.
pub fn configure(dir: &Path, settings: &str) {
    let settings = settings.replace("DIR", dir.to_str().expect("UTF-8"));
    fs::write(dir.join("septet.toml"), settings).expect("settings");
}

/// Waits until something is done, or fails with what was waited for.
pub fn wait(mut done: impl FnMut() -> bool, what: impl Fn() -> String) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "never came: {}", what());
        sleep(Duration::from_millis(10));
    }
}

/// A client of the milter protocol, on either kind of socket.
pub struct Client<S>(pub S);

impl Client<UnixStream> {
    /// Connects as soon as it is listened there: a socket has its name before anybody listens.
    pub fn unix(path: &Path) -> Client<UnixStream> {
        let mut stream = None;
        let listens = || {
            stream = UnixStream::connect(path).ok();
            stream.is_some()
        };
        wait(listens, || format!("a milter on {}", path.display()));
        let stream = stream.expect("a milter");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        Client(stream)
    }

    /// Connects and agrees on terms.
    pub fn agreed(path: &Path) -> Client<UnixStream> {
        let mut client = Client::unix(path);
        client.send(&Mta::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }));
        assert_eq!(client.reply().map(|reply| reply.0), Some(b'O'));
        client
    }
}

impl<S: Read + Write> Client<S> {
    pub fn send(&mut self, command: &Mta<'_>) {
        let mut out = Vec::new();
        command.write(&mut out);
        self.0.write_all(&out).expect("the milter reads");
    }

    /// Reads one reply, as code and data; none when the connection is closed.
    pub fn reply(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut packet = vec![0; 4];
        match self.0.read_exact(&mut packet) {
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => return None,
            read => read.expect("a reply in time"),
        }
        let length = u32::from_be_bytes([packet[0], packet[1], packet[2], packet[3]]) as usize;
        packet.resize(4 + length, 0);
        self.0.read_exact(&mut packet[4..]).expect("a whole reply");
        let frame = Frame::read(&packet).expect("well-formed").expect("whole");
        MilterReply::read(frame).expect("a reply");
        Some((frame.code, frame.data.to_vec()))
    }

    pub fn replies_to_end(&mut self) -> Vec<u8> {
        let mut codes = Vec::new();
        while let Some((code, _)) = self.reply() {
            codes.push(code);
            if b"cartdfy".contains(&code) {
                break;
            }
        }
        codes
    }

    pub fn begin(&mut self) {
        self.send(&Mta::Header { name: b"Subject", value: b" one" });
        self.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
        self.send(&Mta::Header { name: b"Content-Type", value: b" text/plain; charset=iso-8859-1" });
        self.send(&Mta::Header { name: b"Content-Transfer-Encoding", value: b" 8bit" });
        self.send(&Mta::Body(b"caf\xe9\r\n"));
    }

    /// Sends a message that profile `utf8` changes, and gives the codes of the replies.
    pub fn message(&mut self) -> String {
        self.begin();
        self.send(&Mta::EndOfMessage(b""));
        let codes = self.replies_to_end();
        self.send(&Mta::Abort);
        String::from_utf8(codes).expect("letters")
    }
}
