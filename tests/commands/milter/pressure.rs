//! The daemon under pressure: the log, files and sockets that are not as they should be.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use septet::protocol::milter::{Arguments, Macros, MilterCommand as Mta};

use super::daemon::{Client, Daemon, configure, wait};

/// The lines of Latin-1 that `utf8` changes.
pub const LATIN: &[u8] = b"Gr\xfc\xdfe aus M\xfcnchen, and plain words behind them\r\n";

/// Starts the daemon with nothing set but this; its stderr is a pipe that nobody reads.
fn unheard(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_septet"));
    command.args(["serve", "--config", "/dev/null"]).args(arguments);
    command.env_remove("SEPTET_LOG").env_remove("SEPTET_CONFIG");
    command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("septet starts")
}

fn said(mut child: Child) -> (Option<i32>, String) {
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().expect("it ends");
            panic!("it hangs: {}", said(child).1);
        }
        sleep(Duration::from_millis(10));
    }
    let mut text = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
    (child.wait().expect("a child").code(), text)
}

/// Sends a message of so many octets with a name in the queue and two recipients.
pub fn large(client: &mut Client<UnixStream>, octets: usize) -> String {
    client.send(&Mta::Macros(Macros { stage: b'M', pairs: b"i\x004bXyZ1\0" }));
    client.send(&Mta::Mail(Arguments(b"<ann@example.org>\0")));
    client.send(&Mta::Rcpt(Arguments(b"<bob@example.net>\0")));
    client.send(&Mta::Rcpt(Arguments(b"<eve@example.net>\0")));
    client.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
    client.send(&Mta::Header { name: b"Content-Type", value: b" text/plain; charset=iso-8859-1" });
    client.send(&Mta::Header { name: b"Content-Transfer-Encoding", value: b" 8bit" });
    let piece = LATIN.repeat(65_535 / LATIN.len());
    (0..octets.div_ceil(piece.len())).for_each(|_| client.send(&Mta::Body(&piece)));
    client.send(&Mta::EndOfMessage(b""));
    let codes = String::from_utf8(client.replies_to_end()).expect("letters");
    client.send(&Mta::Abort);
    codes
}

#[test]
fn a_line_of_the_log_is_short_and_starts_with_the_queue_id() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    client.send(&Mta::Macros(Macros { stage: b'M', pairs: b"i\x004bXyZ1\0" }));
    client.send(&Mta::Mail(Arguments(b"<ann@example.org>\0")));
    client.send(&Mta::Rcpt(Arguments(b"<bob@example.net>\0")));
    client.send(&Mta::Rcpt(Arguments(b"<eve@example.net>\0")));
    client.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
    client.send(&Mta::Header { name: b"Content-Type", value: b" multipart/mixed; boundary=b" });
    let part =
        b"--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\ncaf\xe9\r\n";
    for _ in 0..20 {
        client.send(&Mta::Body(&part.repeat(100)));
    }
    client.send(&Mta::Body(b"--b--\r\n"));
    client.send(&Mta::EndOfMessage(b""));
    let codes = String::from_utf8(client.replies_to_end()).expect("letters");
    assert!(codes.starts_with('b') && codes.ends_with('c'), "{codes}");
    daemon.wait_for_log("result=");
    let log = daemon.log();
    let line = log.lines().find(|line| line.contains("result=")).expect("the line");
    assert!(line.len() < 6000, "{} octets", line.len());
    let (_, text) = line.split_once(" INFO ").expect("a level");
    assert!(text.starts_with("4bXyZ1: part=1.1 body charset=iso-8859-1>utf-8; part=1.2 body"), "{text}");
    for part in [" more ", "client=", "sender=<ann@example.org>", "recipients=2", "bytes=", "bytes_after="] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let socket = dir.path().join("sock");
    let listen = format!("unix:{}", socket.display());
    let mut daemon = unheard(&["--listen", &listen, "--set", "log.level=trace", "--set", "log.format=text"]);
    wait(|| socket.exists(), || "the socket".to_owned());
    let mut client = Client::agreed(&socket);
    for _ in 0..6000 {
        assert_eq!(client.message(), "mbc");
    }
    let pid = daemon.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    wait(|| daemon.try_wait().expect("a child").is_some(), || "the end".to_owned());
}

#[test]
fn the_system_s_log_gets_lines_of_its_own_form() {
    let dir = tempfile::tempdir().expect("a folder");
    let (log, socket) = (dir.path().join("log"), dir.path().join("sock"));
    let system = UnixDatagram::bind(&log).expect("a socket");
    system.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let (listen, place) = (format!("unix:{}", socket.display()), format!("log.syslog_socket={}", log.display()));
    let mut daemon = unheard(&["--listen", &listen, "--set", "log.format=syslog", "--set", &place]);
    wait(|| socket.exists(), || "the socket".to_owned());
    large(&mut Client::agreed(&socket), 1000);
    let mut line = [0; 8192];
    let line = loop {
        let octets = system.recv(&mut line).expect("a line");
        let text = String::from_utf8(line[..octets].to_vec()).expect("UTF-8");
        if text.contains("result=") {
            break text;
        }
    };
    let fields: Vec<&str> = line.splitn(8, ' ').collect();
    assert_eq!((fields[0], fields[3], fields[4]), ("<22>1", "septet", daemon.id().to_string().as_str()), "{line}");
    assert!(fields[1].ends_with('Z') && fields[7].starts_with("4bXyZ1: part=1 body charset="), "{line}");
    assert!(!line.ends_with('\n'));
    daemon.kill().and_then(|()| daemon.wait()).expect("it ends");
    let missing = unheard(&["--listen", &listen, "--set", "log.format=syslog", "--set", "log.syslog_socket=/no/log"]);
    let (code, text) = said(missing);
    assert_eq!(code, Some(69), "{text}");
    assert!(text.contains("log.syslog_socket"), "{text}");
}

#[test]
fn a_refused_reload_changes_nothing_and_a_good_one_reaches_open_connections() {
    let dir = tempfile::tempdir().expect("a folder");
    let settings = |more: &str| format!("{more}\n[[listener]]\nsocket = \"unix:DIR/sock\"\n");
    let (config, log) = (dir.path().join("septet.toml"), dir.path().join("log"));
    configure(dir.path(), &settings("[log]\nlevel = \"warn\""));
    let mut child = Command::new(env!("CARGO_BIN_EXE_septet"));
    child.arg("serve").arg("--config").arg(&config).env_remove("SEPTET_LOG");
    let mut child = child.stderr(fs::File::create(&log).expect("a file")).spawn().expect("septet starts");
    let (hup, socket) = (child.id().to_string(), dir.path().join("sock"));
    let hangup = || assert!(Command::new("kill").args(["-HUP", &hup]).status().expect("kill").success());
    let has = |text: &str| fs::read_to_string(&log).expect("a log").contains(text);
    wait(|| socket.exists(), || "the socket".to_owned());
    let mut client = Client::agreed(&socket);
    assert_eq!(client.message(), "mbc");

    let faulty = settings("[log]\nlevel = \"debug\"") + "\n[[listener]]\nsocket = \"unix:/no/such/folder\"\n";
    configure(dir.path(), &faulty);
    hangup();
    wait(|| has("the old ones stay"), || fs::read_to_string(&log).expect("a log"));
    assert!(has("listener[1].socket"), "the key is named");
    assert_eq!(client.message(), "mbc");
    assert!(!has("result="), "the level is the old one: {}", fs::read_to_string(&log).expect("a log"));

    configure(dir.path(), &settings("[limits]\nmessage_bytes = 20\n[log]\nlevel = \"info\""));
    hangup();
    wait(|| has("the settings were read again"), || fs::read_to_string(&log).expect("a log"));
    assert_eq!(client.message(), "c", "the limit holds for the open connection");
    child.kill().and_then(|()| child.wait()).expect("it ends");
}

#[test]
fn what_a_connection_was_not_shown_is_said() {
    let daemon = Daemon::configured("default_profile = \"keep\"\n[[listener]]\nsocket = \"unix:DIR/sock\"\n");
    let mut client = Client::agreed(&daemon.path("sock"));
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end(), b"c");
    configure(daemon.dir.path(), "[[listener]]\nsocket = \"unix:DIR/sock\"\n");
    daemon.signal("-HUP");
    daemon.wait_for_log("the settings were read again");
    client.send(&Mta::EndOfMessage(b""));
    assert_eq!(client.replies_to_end(), b"c");
    daemon.wait_for_log("left=not-allowed(the connection is older than the settings)");
}

#[test]
fn silent_connections_keep_nobody_from_the_health_check() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "metrics.listen=unix:DIR/metrics"]);
    daemon.wait_for_log("metrics are served on");
    let path = daemon.path("metrics");
    let silent: Vec<UnixStream> = (0..40).map(|_| UnixStream::connect(&path).expect("a connection")).collect();
    let mut asking = UnixStream::connect(&path).expect("a connection");
    asking.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
    asking.write_all(b"GET /health HTTP/1.0\r\n\r\n").expect("it is read");
    let mut answer = [0; 15];
    asking.read_exact(&mut answer).expect("an answer in time");
    assert!(answer.starts_with(b"HTTP/1.") && answer.ends_with(b"200 OK"), "{}", answer.escape_ascii());
    drop(silent);
}

#[test]
fn a_second_daemon_leaves_the_first_one_s_pidfile() {
    let dir = tempfile::tempdir().expect("a folder");
    let precious = dir.path().join("precious");
    fs::write(&precious, "data").expect("a file");
    symlink(&precious, dir.path().join("pid")).expect("a link");
    let first = Daemon::spawn_in(dir, &["--listen", "unix:DIR/one", "--set", "pidfile=DIR/pid"]);
    let (pid, own) = (first.path("pid"), first.child.id().to_string());
    wait(|| fs::read_to_string(&pid).is_ok_and(|text| text.trim() == own), || first.log());
    assert_eq!(fs::read_to_string(&precious).expect("a file"), "data", "a link is not followed");
    let (listen, set) = (format!("unix:{}", first.path("two").display()), format!("pidfile={}", pid.display()));
    let (code, text) = said(unheard(&["--listen", &listen, "--set", &set]));
    assert_eq!(code, Some(73), "{text}");
    assert!(text.contains("pidfile") && text.contains(&own), "{text}");
    assert_eq!(fs::read_to_string(&pid).expect("a file").trim(), own);
}

#[test]
fn the_start_hangs_on_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).display().to_string();
    assert!(Command::new("mkfifo").arg(path("fifo")).status().expect("mkfifo").success());
    let (listen, set) = (format!("unix:{}", path("sock")), format!("pidfile={}", path("fifo")));
    let (code, text) = said(unheard(&["--listen", &listen, "--set", &set]));
    assert_eq!(code, Some(73), "{text}");
    assert!(text.contains("pidfile"), "{text}");

    // Somebody listens and takes nobody: the queue of his socket is full.
    let full = UnixListener::bind(path("full")).expect("a socket");
    let address = path("full");
    for _ in 0..200 {
        let address = address.clone();
        spawn(move || {
            let stream = UnixStream::connect(address);
            sleep(Duration::from_secs(30));
            drop(stream);
        });
    }
    sleep(Duration::from_millis(500));
    let (code, text) = said(unheard(&["--listen", &format!("unix:{address}")]));
    assert_eq!(code, Some(69), "{text}");
    assert!(text.contains("another process listens there"), "{text}");
    drop(full);
}

#[test]
fn a_postfix_path_gets_a_hint() {
    let (code, text) = said(unheard(&["--listen", "unix:septet/milter.sock"]));
    assert_eq!(code, Some(73), "{text}");
    assert!(text.contains("unix:/var/spool/postfix/septet/milter.sock"), "{text}");
    assert!(text.contains("listener[0].socket"), "{text}");
}

#[test]
fn a_listener_lets_in_whom_it_names_and_warns_where_it_names_nobody() {
    let daemon = Daemon::configured(
        "[[listener]]\nsocket = \"inet:127.0.0.1:0\"\nallow = [\"192.0.2.0/24\"]\n\
         [[listener]]\nsocket = \"inet:0.0.0.0:0\"\n",
    );
    daemon.wait_for_log("inet:0.0.0.0:0 accepts connections from every host");
    let mut denied = Client(TcpStream::connect(("127.0.0.1", daemon.port())).expect("a milter"));
    assert_eq!(denied.0.read(&mut [0]).unwrap_or(0), 0);
    daemon.wait_for_log("that the listener's allow does not name");
    assert!(!daemon.log().contains("inet:127.0.0.1:0 takes connections"), "{}", daemon.log());
}

#[test]
fn a_message_that_would_outgrow_what_is_taken_is_left() {
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "limits.max_size=10500"]);
    let mut client = Client::agreed(&daemon.path("sock"));
    let (before, small) = (LATIN.len() * 190, LATIN.len() * 100);
    // In UTF-8 each line has three octets more, and the MTA's own fields are reckoned with.
    assert!(before < 10_500 - 1024 && before + 3 * 190 > 10_500 - 1024);
    for (octets, codes, result) in [(before, "c", "left=max-size("), (small, "mbc", "charset=iso-8859-1>utf-8")] {
        client.send(&Mta::Header { name: b"MIME-Version", value: b" 1.0" });
        client.send(&Mta::Header { name: b"Content-Type", value: b" text/plain; charset=iso-8859-1" });
        client.send(&Mta::Header { name: b"Content-Transfer-Encoding", value: b" 8bit" });
        client.send(&Mta::Body(&LATIN.repeat(octets / LATIN.len())));
        client.send(&Mta::EndOfMessage(b""));
        assert_eq!(String::from_utf8(client.replies_to_end()).expect("letters"), codes);
        client.send(&Mta::Abort);
        daemon.wait_for_log(result);
    }
}

#[test]
fn root_becomes_somebody_else_and_is_warned() {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !is_root {
        return println!("skipped: only root can become somebody else");
    }
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock"]);
    wait(|| daemon.whole_log().contains("septet runs as root"), || daemon.whole_log());
    let daemon = Daemon::start(&["--listen", "unix:DIR/sock", "--set", "user=nobody"]);
    daemon.wait_for_log("septet is the user nobody now");
    let status = fs::read_to_string(format!("/proc/{}/status", daemon.child.id())).expect("Linux");
    assert!(status.contains("Uid:\t65534\t65534\t65534\t65534"), "{status}");
    daemon.wait_for_log("listening on");
    let (log, owner) = (daemon.whole_log(), fs::metadata(daemon.path("sock")).expect("a socket").uid());
    assert!(log.find("nobody now") < log.find("listening on"), "nobody is served by root: {log}");
    assert_eq!(owner, 65_534, "the socket is the user's, who may change it at a reload");
    assert!(!daemon.whole_log().contains("septet runs as root"), "{}", daemon.whole_log());
    assert_eq!(Client::agreed(&daemon.path("sock")).message(), "mbc");
}

#[test]
fn nobody_is_served_by_a_daemon_that_can_t_become_its_user() {
    let dir = tempfile::tempdir().expect("a folder");
    let socket = dir.path().join("sock");
    let (code, text) =
        said(unheard(&["--listen", &format!("unix:{}", socket.display()), "--set", "user=no-such-user"]));
    assert_eq!(code, Some(78), "{text}");
    assert!(!text.contains("listening on") && text.contains("the key user"), "{text}");
    assert!(!socket.exists(), "nothing is left of it");
}

#[test]
fn settings_that_everybody_may_write_are_warned_of() {
    let dir = tempfile::tempdir().expect("a folder");
    configure(dir.path(), "[[listener]]\nsocket = \"unix:DIR/sock\"\n");
    let config = dir.path().join("septet.toml");
    fs::set_permissions(&config, fs::Permissions::from_mode(0o666)).expect("our file");
    let daemon = Daemon::spawn_in(dir, &["--config", "DIR/septet.toml"]);
    daemon.wait_for_log("septet.toml, and so control septet");
}
