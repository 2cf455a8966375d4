//! The units, and the settings that stand in their comments.

use std::path::Path;
use std::process::Command;

use septet::config::{Settings, SettingsFile, SocketAddress};
use septet_cli::process::exit::Exit;

const UNIT: &str = include_str!("../../systemd/septet.service");
const SOCKET: &str = include_str!("../../systemd/septet.socket");
const TMPFILES: &str = include_str!("../../systemd/septet.tmpfiles");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_unit_is_exposed_little() {
    let unit = root().join("systemd/septet.service");
    let run = Command::new("systemd-analyze").args(["security", "--offline=true", "--threshold=20"]).arg(unit).output();
    match run {
        Ok(output) => assert!(
            output.status.success(),
            "over 2.0: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => println!("skipped: systemd-analyze: {error}"),
    }
}

/// systemd ignores a key or a value that it doesn't know, and says so: nothing may be said. The program is none that is
/// installed here, so another one stands for it.
#[test]
fn systemd_understands_the_units() {
    let dir = tempfile::tempdir().expect("a folder");
    let units = [("septet.service", UNIT), ("septet.socket", SOCKET)];
    let files = units.map(|(name, text)| {
        let file = dir.path().join(name);
        std::fs::write(&file, text.replace("/usr/bin/septet", "/bin/true")).expect("a unit");
        file
    });
    match Command::new("systemd-analyze").args(["verify", "--man=no"]).args(files).output() {
        Ok(output) => assert!(
            output.status.success() && output.stderr.is_empty(),
            "{:?}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => println!("skipped: systemd-analyze: {error}"),
    }
}

/// A daemon that can't have its sockets or their owner ended with 73 or 77, and was started again each second.
#[test]
fn the_unit_is_not_restarted_for_what_a_restart_cannot_mend() {
    let value = UNIT.lines().find_map(|line| line.strip_prefix("RestartPreventExitStatus=")).expect("codes");
    let codes: Vec<u8> = value.split(' ').map(|code| code.parse().expect("a code")).collect();
    let wanted = [Exit::Usage, Exit::CantCreate, Exit::NoPermission, Exit::BadConfig];
    assert_eq!(codes, wanted.map(|exit| exit as u8));
}

/// `systemctl reload` failed where procps is not installed, as in a small Debian: the unit asked for /bin/kill.
#[test]
fn the_unit_runs_programs_that_every_debian_has() {
    let commands = UNIT.lines().filter(|line| line.starts_with("Exec"));
    let programs: Vec<&str> =
        commands.filter_map(|line| line.split_once('=')?.1.trim_start_matches(['-', '+']).split(' ').next()).collect();
    assert_eq!(programs, ["/bin/sh", "/usr/bin/septet", "/bin/sh"]);
}

#[test]
fn the_unit_gives_the_daemon_more_time_to_stop_than_it_takes() {
    let value = UNIT.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")).expect("a time");
    let seconds: u64 = value.trim_end_matches('s').parse().expect("seconds");
    assert!(seconds > Settings::default().limits.drain_time.as_secs());
}

#[test]
fn the_unit_lets_every_connection_have_its_descriptor() {
    let value = UNIT.lines().find_map(|line| line.strip_prefix("LimitNOFILE=")).expect("a limit");
    assert!(value.parse::<usize>().expect("a number") > 2 * Settings::default().limits.connections);
}

/// Reads the lines of a comment that are settings: `#     [[listener]]` and what follows it.
fn example(text: &str) -> Settings {
    let lines = text.lines().filter_map(|line| line.strip_prefix("#     ")).collect::<Vec<_>>().join("\n");
    let source = SettingsFile { path: "example".to_owned(), bytes: lines.into_bytes() };
    Settings::read(&[source], [], &[]).map_or_else(|faults| panic!("{faults}"), |(settings, _)| settings)
}

#[test]
fn the_examples_in_the_units_are_good_settings() {
    let name = SOCKET.lines().find_map(|line| line.strip_prefix("FileDescriptorName=")).expect("a name");
    assert_eq!(example(SOCKET).listeners[0].socket, SocketAddress::Systemd(name.to_owned()));
    let chroot = "/var/spool/postfix/septet";
    let socket = example(TMPFILES).listeners[0].socket.path().map(Path::to_owned).expect("a unix socket");
    assert!(socket.starts_with(chroot));
    assert!(UNIT.contains(&format!("ReadWritePaths=-{chroot}\n")) && TMPFILES.contains(&format!("d {chroot} ")));
}
