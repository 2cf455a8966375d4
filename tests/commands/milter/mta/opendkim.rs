//! OpenDKIM, signing or verifying, with its key in a file instead of DNS. It needs Debian's packages `opendkim` and
//! `openssl`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::{free_port, wait_for_port};

/// A signer and a verifier of the domain `example.org`, on ports of their own; killed when they are dropped.
pub struct OpenDkim {
    dir: TempDir,
    running: Vec<Child>,
    pub signer: u16,
    pub verifier: u16,
}

impl OpenDkim {
    pub fn start() -> OpenDkim {
        let dir = tempfile::Builder::new().prefix("septet-opendkim").tempdir().expect("a folder");
        make_key(dir.path());
        let (signer, verifier) = (free_port(), free_port());
        let mut dkim = OpenDkim { dir, running: Vec::new(), signer, verifier };
        dkim.run(
            "signer",
            signer,
            "Mode s\nDomain example.org\nSelector test\nKeyFile DIR/key\nCanonicalization simple/simple\n",
        );
        // Mail of this host is to be verified as well.
        dkim.run(
            "verifier",
            verifier,
            "Mode v\nInternalHosts DIR/none\nTestPublicKeys DIR/keys\nAuthservID mx.example\n",
        );
        dkim
    }

    fn run(&mut self, name: &str, port: u16, settings: &str) {
        let conf = self.path(&format!("{name}.conf"));
        let own = self.dir.path().display().to_string();
        let common = format!(
            "Socket inet:{port}@127.0.0.1\nBackground no\nSyslog no\nRequireSafeKeys no\nPidFile DIR/{name}.pid\n"
        );
        fs::write(&conf, (common + settings).replace("DIR", &own)).expect("a file");
        let child = Command::new("opendkim").arg("-f").arg("-x").arg(conf).stdin(Stdio::null()).spawn();
        self.running.push(child.expect("opendkim runs"));
        wait_for_port(port, || format!("opendkim as {name}"));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

impl Drop for OpenDkim {
    fn drop(&mut self) {
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Makes a key, and a file of what DNS would say of it.
fn make_key(dir: &Path) {
    let openssl = |arguments: &[&str]| {
        let output = Command::new("openssl").current_dir(dir).args(arguments).output().expect("openssl runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    openssl(&["genrsa", "-out", "key", "2048"]);
    openssl(&["rsa", "-in", "key", "-pubout", "-out", "public"]);
    let public = fs::read_to_string(dir.join("public")).expect("a key");
    let base64: String = public.lines().filter(|line| !line.starts_with('-')).collect();
    fs::write(dir.join("keys"), format!("test._domainkey.example.org v=DKIM1; k=rsa; p={base64}\n")).expect("a file");
    fs::write(dir.join("none"), "192.0.2.1\n").expect("a file");
}

/// Returns `true` if OpenDKIM can be started here.
pub fn is_there() -> bool {
    let runs = |program: &str, argument: &str| Command::new(program).arg(argument).output().is_ok();
    super::there("OpenDKIM", runs("opendkim", "-V") && runs("openssl", "version"))
}
