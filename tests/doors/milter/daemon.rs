//! The daemon from outside: its sockets, signals, limits and log.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use septet::protocol::milter::{Command as Mta, Frame, Offer, Reply};
use tempfile::TempDir;

/// How long anything may take before a test says that it never came.
const PATIENCE: Duration = Duration::from_secs(30);

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

    fn spawn(arguments: &[&str]) -> Daemon {
        Daemon::spawn_in(tempfile::tempdir().expect("a folder"), arguments)
    }

    /// Starts it in a folder that is there already, and does not wait.
    pub fn spawn_in(dir: TempDir, arguments: &[&str]) -> Daemon {
        let log = dir.path().join("log");
        let own = dir.path().to_str().expect("UTF-8").to_owned();
        let child = Command::new(env!("CARGO_BIN_EXE_septet"))
            .arg("serve")
            .args(arguments.iter().map(|argument| argument.replace("DIR", &own)))
            .args(["--set", "log.format=text", "--set", "log.level=debug"])
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

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).expect("a log")
    }

    /// Waits until the log has this text.
    pub fn wait_for_log(&self, text: &str) {
        wait(|| self.log().contains(text), || format!("{text:?} in the log:\n{}", self.log()));
    }

    /// Gives the TCP port that it listens on.
    pub fn port(&self) -> u16 {
        let log = self.log();
        let (_, rest) = log.split_once("listening on inet:127.0.0.1:").expect("an inet socket");
        rest.split_whitespace().next().expect("a port").parse().expect("a port")
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
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
        line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
    pub fn unix(path: &Path) -> Client<UnixStream> {
        let stream = UnixStream::connect(path).expect("a milter");
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
        Reply::read(frame).expect("a reply");
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

#[test]
fn a_malformed_packet_closes_its_connection_with_one_line_and_nothing_else() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let mut good = Client::agreed(&socket);
    for garbage in [&b"EHLO mx.example.org\r\n"[..], b"\0\0\0\x01z", b"\0\0\0\0", b"\0\0\0\x05Lcut\0"] {
        let mut bad = Client::unix(&socket);
        bad.0.write_all(garbage).expect("it is read");
        assert_eq!(bad.reply(), None, "{}", garbage.escape_ascii());
    }
    assert_eq!(good.message(), "mbc");
    daemon.wait_for_log("result=\"changed\"");
    let log = daemon.log();
    assert_eq!(log.lines().filter(|line| line.contains("WARN")).count(), 4, "{log}");
    assert!(log.contains("connection closed: a packet of unknown code 0x7a"), "{log}");
    assert!(!log.contains("panic"), "{log}");
}

#[test]
fn sigterm_lets_a_message_that_has_begun_come_to_its_end() {
    let mut daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let (mut idle, mut busy) = (Client::agreed(&socket), Client::agreed(&socket));
    busy.begin();
    // An answer on another connection shows that the daemon has had time to read what was sent before.
    assert_eq!(Client::agreed(&socket).message(), "mbc");
    daemon.signal("-TERM");
    assert_eq!(idle.reply(), None, "a connection between messages is closed");
    assert!(!socket.exists(), "the socket's file goes with it");
    busy.send(&Mta::EndOfMessage(b""));
    assert_eq!(busy.replies_to_end(), b"mbc");
    assert!(daemon.wait_for_end().success());
    assert!(daemon.log().contains("stopped"), "{}", daemon.log());
}

#[test]
fn sigterm_ends_in_time_whatever_a_peer_does() {
    let mut daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.drain_time=200ms"]);
    let socket = daemon.path("sock");
    let mut busy = Client::agreed(&socket);
    busy.begin();
    assert_eq!(Client::agreed(&socket).message(), "mbc");
    daemon.signal("-TERM");
    assert!(daemon.wait_for_end().success());
    assert!(daemon.log().contains("stopped with 1 connections open"), "{}", daemon.log());
}

#[test]
fn sighup_takes_good_settings_and_refuses_bad_ones() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = dir.path().join("septet.toml");
    let listener = |name: &str, profile: &str| {
        format!("[[listener]]\nsocket = \"unix:{}/{name}\"\nprofile = \"{profile}\"\n", dir.path().display())
    };
    fs::write(&config, listener("one", "utf8")).expect("settings");
    let (one, two, text) = (listener("one", "seven-bit"), listener("two", "utf8"), config.clone());
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("listening on");
    let mut client = Client::agreed(&daemon.path("one"));
    assert_eq!(client.message(), "mbc");

    fs::write(&text, "[limits]\npart = 3\n").expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("refused and the old ones stay");
    assert!(daemon.log().contains("part"), "{}", daemon.log());
    assert_eq!(client.message(), "mbc", "the old settings hold");

    fs::write(&text, format!("{one}{two}")).expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("the settings were read again");
    assert_eq!(client.message(), "mbc", "the connection stays");
    daemon.wait_for_log("profile=\"seven-bit\"");
    assert_eq!(Client::agreed(&daemon.path("two")).message(), "mbc");

    fs::write(&text, two).expect("settings");
    daemon.signal("-HUP");
    daemon.wait_for_log("no longer listening");
    assert!(UnixStream::connect(daemon.path("one")).is_err());
}

#[test]
fn a_socket_that_nobody_listens_on_is_taken_over_and_no_other_file_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("sock");
    drop(UnixListener::bind(&path).expect("a stale socket"));
    let daemon = Daemon::spawn_in(dir, &["--listen", "unix:DIR/sock"]);
    daemon.wait_for_log("listening on");
    assert_eq!(Client::agreed(&path).message(), "mbc");

    let mut second = Daemon::spawn(&["--listen", &format!("unix:{}", path.display())]);
    assert_eq!(second.wait_for_end().code(), Some(69));
    assert!(second.log().contains("another process listens there"), "{}", second.log());
    assert_eq!(Client::agreed(&path).message(), "mbc", "the first one is not harmed");

    let file = daemon.path("precious");
    fs::write(&file, "data").expect("a file");
    let mut third = Daemon::spawn(&["--listen", &format!("unix:{}", file.display())]);
    assert_eq!(third.wait_for_end().code(), Some(73));
    assert_eq!(fs::read_to_string(&file).expect("still there"), "data");
}

#[test]
fn an_unknown_profile_and_a_bad_socket_are_usage_errors() {
    for arguments in [&["--profile", "utf9"][..], &["--listen", "8891"]] {
        let mut daemon = Daemon::spawn(arguments);
        assert_eq!(daemon.wait_for_end().code(), Some(64), "{arguments:?}: {}", daemon.log());
    }
}

#[test]
fn a_socket_gets_the_mode_of_the_settings() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!("[[listener]]\nsocket = \"unix:{}/sock\"\nmode = \"0620\"\n", dir.path().display());
    fs::write(dir.path().join("septet.toml"), text).expect("settings");
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("listening on");
    let mode = fs::metadata(daemon.path("sock")).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o620);
}

#[test]
fn two_hundred_idle_connections_stay_small() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let socket = daemon.path("sock");
    let mut clients: Vec<_> = (0..200).map(|_| Client::agreed(&socket)).collect();
    for client in &mut clients {
        assert_eq!(client.message(), "mbc");
    }
    let resident = daemon.resident_kib();
    assert!(resident < 30 << 10, "{resident} KiB");
}

#[test]
fn connections_beyond_the_limit_wait() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.connections=1"]);
    let socket = daemon.path("sock");
    let first = Client::agreed(&socket);
    let mut second = Client::unix(&socket);
    second.send(&Mta::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }));
    daemon.wait_for_log("further ones wait");
    second.0.set_nonblocking(true).expect("non-blocking");
    assert_eq!(second.0.read(&mut [0; 1]).expect_err("nothing yet").kind(), ErrorKind::WouldBlock);
    second.0.set_nonblocking(false).expect("blocking");
    drop(first);
    assert_eq!(second.reply().map(|reply| reply.0), Some(b'O'));
    assert_eq!(second.message(), "mbc");
}

#[test]
fn a_listener_without_visitors_takes_no_connection_from_another() {
    let both = ["--listen", "unix:DIR/idle", "--listen", "unix:DIR/sock", "--set", "limits.connections=1"];
    let daemon = Daemon::start(&both);
    for socket in ["sock", "idle", "sock"] {
        assert_eq!(Client::agreed(&daemon.path(socket)).message(), "mbc", "{socket}");
    }
}

#[test]
fn a_command_that_does_not_come_whole_ends_the_connection() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.read_time=300ms"]);
    let mut slow = Client::agreed(&daemon.path("sock"));
    slow.0.write_all(b"\0\0\0\x10L").expect("it is read");
    assert_eq!(slow.reply(), None);
    daemon.wait_for_log("a command that did not come whole in 300ms");
}

#[test]
fn a_silent_peer_is_closed_without_a_warning() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.idle_time=300ms"]);
    let mut silent = Client::agreed(&daemon.path("sock"));
    assert_eq!(silent.reply(), None);
    daemon.wait_for_log("connection closed: no command for 300ms");
    assert!(!daemon.log().contains("WARN"), "{}", daemon.log());
}

#[test]
fn a_message_without_room_in_memory_goes_the_way_of_the_settings() {
    for (way, codes, level) in [("accept", "c", "INFO"), ("tempfail", "t", "WARN")] {
        let set = format!("limits.memory_full={way}");
        let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.memory=64KiB", "--set", &set]);
        let mut client = Client::agreed(&daemon.path("sock"));
        client.begin();
        (0..4).for_each(|_| client.send(&Mta::Body(&[b'x'; 65_535])));
        client.send(&Mta::EndOfMessage(b""));
        assert_eq!(String::from_utf8(client.replies_to_end()).expect("letters"), codes);
        client.send(&Mta::Abort);
        assert_eq!(client.message(), "mbc", "the next message has room");
        daemon.wait_for_log("message left=limit(memory)");
        let log = daemon.log();
        let line = log.lines().find(|line| line.contains("limit(memory)")).expect("the line");
        assert!(line.contains(level) && line.contains("result=\"left\""), "{line}");
    }
}

#[test]
fn a_message_over_a_limit_passes_and_the_log_says_why() {
    let daemon = Daemon::start(&["--listen", "inet:127.0.0.1:0", "--set", "limits.message_bytes=1KiB"]);
    let mut client = Client(TcpStream::connect(("127.0.0.1", daemon.port())).expect("a milter"));
    client.send(&Mta::Negotiate(Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff }));
    client.reply();
    client.begin();
    client.send(&Mta::Body(&[b'x'; 1024]));
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end(), b"c");
    daemon.wait_for_log("message left=limit(message_bytes 1024)");
}

#[test]
fn rules_and_skip_lists_choose() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!(
        "[skip]\nauthenticated = true\n[[listener]]\nsocket = \"unix:{}/sock\"\nprofile = \"keep\"\n\
         [[rule]]\nprofile = \"utf8\"\nrecipient = \"@tickets.example\"\n",
        dir.path().display()
    );
    fs::write(dir.path().join("septet.toml"), text).expect("settings");
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("listening on");
    let mut client = Client::agreed(&daemon.path("sock"));
    let mut with = |user: &[u8], recipients: &[&[u8]]| {
        use septet::protocol::milter::{Arguments, Macros};
        let pairs = [b"{auth_authen}\0", user, b"\0"].concat();
        client.send(&Mta::Macros(Macros { stage: b'M', pairs: &pairs }));
        client.send(&Mta::Mail(Arguments(b"<a@example.org>\0")));
        recipients.iter().for_each(|to| client.send(&Mta::Rcpt(Arguments(&[*to, b"\0"].concat()))));
        client.message()
    };
    assert_eq!(with(b"", &[b"<one@tickets.example>"]), "mbc");
    assert_eq!(with(b"", &[b"<one@tickets.example>", b"<two@else.example>"]), "c");
    assert_eq!(with(b"alice", &[b"<one@tickets.example>"]), "c");
    assert_eq!(with(b"", &[b"<one@tickets.example>"]), "mbc", "alice was another message's");
    daemon.wait_for_log("result=\"skipped\"");
}

#[test]
fn a_field_says_what_was_done_where_it_is_asked_for() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "x_septet=true", "--set", "pidfile=DIR/pid"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    client.begin();
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.reply().map(|reply| reply.0), Some(b'm'));
    let (code, field) = client.reply().expect("a request");
    assert_eq!(code, b'i');
    let shown = "X-Septet\\x00 changed;\\n\\tpart=1 body charset=iso-8859-1>utf-8\\x00";
    assert!(field.escape_ascii().to_string().ends_with(shown), "{}", field.escape_ascii());
    assert_eq!(client.replies_to_end(), b"bc");
    assert_eq!(fs::read_to_string(daemon.path("pid")).expect("a pidfile"), format!("{}\n", daemon.child.id()));
}
