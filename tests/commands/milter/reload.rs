//! What SIGHUP changes about open sockets, what it refuses whole, and what it says a restart is needed for.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;

use super::daemon::{Client, Daemon, configure, wait};

/// A daemon with a file of settings that can be written anew; `DIR` in them stands for its own folder.
struct Site {
    daemon: Daemon,
    reloads: usize,
}

impl Site {
    fn start(settings: &str) -> Site {
        Site { daemon: Daemon::configured(settings), reloads: 0 }
    }

    /// Writes settings and waits until they are taken or refused.
    fn reload(&mut self, settings: &str) {
        configure(self.daemon.dir.path(), settings);
        self.daemon.signal("-HUP");
        self.reloads += 1;
        let ends = |log: &str| log.matches("were read again").count() + log.matches("were refused and").count();
        wait(|| ends(&self.daemon.log()) == self.reloads, || format!("a reload in\n{}", self.daemon.log()));
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.daemon.path(name)).expect("a socket").permissions().mode() & 0o777
    }
}

fn listener(name: &str, access: &str) -> String {
    format!("[[listener]]\nsocket = \"unix:DIR/{name}\"\n{access}\n")
}

#[test]
fn sighup_gives_an_open_socket_to_others_and_back() {
    let mut site = Site::start(&listener("sock", ""));
    let made = site.mode("sock");
    let mut client = Client::agreed(&site.daemon.path("sock"));
    site.reload(&listener("sock", "mode = \"0620\""));
    assert_eq!(site.mode("sock"), 0o620, "{}", site.daemon.log());
    site.reload(&listener("sock", ""));
    assert_eq!(site.mode("sock"), made);
    assert_eq!(client.message(), "mbc", "who was connected stays so");

    let metadata = fs::metadata(site.daemon.path("sock")).expect("a socket");
    if metadata.uid() == 0 {
        site.reload(&listener("sock", "user = \"65533\"\ngroup = \"65534\""));
        let given = fs::metadata(site.daemon.path("sock")).expect("a socket");
        assert_eq!((given.uid(), given.gid()), (65533, 65534));
        site.reload(&listener("sock", ""));
        let back = fs::metadata(site.daemon.path("sock")).expect("a socket");
        assert_eq!((back.uid(), back.gid()), (metadata.uid(), metadata.gid()));
    }
}

#[test]
fn a_reload_that_can_not_be_done_whole_changes_nothing() {
    let one = |mode| listener("one", mode);
    let mut site = Site::start(&format!("{}{}", one("mode = \"0600\""), listener("two", "mode = \"0600\"")));
    let nobody = "mode = \"0666\"\ngroup = \"no-such-group\"";
    site.reload(&format!("{}{}{}", one("mode = \"0666\""), listener("two", nobody), listener("three", "")));
    assert_eq!((site.mode("one"), site.mode("two")), (0o600, 0o600));
    assert!(!site.daemon.path("three").exists(), "what was opened for it is closed again");
    let log = site.daemon.log();
    assert!(log.contains("the owner, group or mode of unix:") && log.contains("no group is named"), "{log}");
    assert_eq!(Client::agreed(&site.daemon.path("two")).message(), "mbc");
}

#[test]
fn a_file_that_took_the_place_of_a_socket_is_neither_given_away_nor_removed() {
    let mut site = Site::start(&listener("sock", ""));
    let path = site.daemon.path("sock");
    fs::remove_file(&path).expect("the socket's file");
    let _other = UnixListener::bind(&path).expect("somebody else's socket");
    let before = site.mode("sock");
    site.reload(&listener("sock", "mode = \"0600\""));
    assert!(site.daemon.log().contains("a restart makes the socket anew"), "{}", site.daemon.log());
    assert_eq!(site.mode("sock"), before);
    site.daemon.signal("-TERM");
    assert!(site.daemon.wait_for_end().success());
    assert!(path.exists());
}

#[test]
fn what_only_a_restart_changes_is_said() {
    let mut site = Site::start(&listener("sock", ""));
    site.reload(&format!("pidfile = \"DIR/pid\"\n{}", listener("sock", "")));
    let log = site.daemon.log();
    assert!(log.contains("pidfile is read at the start only: restart the daemon"), "{log}");
    assert!(!site.daemon.path("pid").exists());

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let socket = format!("[[listener]]\nsocket = \"inet:{}\"\n", taken.local_addr().expect("an address"));
    site.reload(&socket);
    assert!(site.daemon.log().contains("a restart changes both at once"), "{}", site.daemon.log());
    assert_eq!(Client::agreed(&site.daemon.path("sock")).message(), "mbc");
}
