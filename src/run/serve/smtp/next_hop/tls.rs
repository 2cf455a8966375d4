//! How TLS toward a next hop is done, read from the settings once and kept.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use lettre::transport::smtp::client::{Certificate, TlsParameters};

use super::NextHopError;

/// The parameters by host and by whether certificates are checked: making them reads the system's authorities.
#[derive(Debug, Default)]
pub struct TlsCache(Mutex<Vec<Made>>);

#[derive(Debug)]
struct Made {
    host: String,
    checked: bool,
    authorities: Option<std::path::PathBuf>,
    parameters: Keep,
}

/// The parameters, which lettre doesn't show.
struct Keep(TlsParameters);

impl std::fmt::Debug for Keep {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("TlsParameters")
    }
}

impl TlsCache {
    /// Returns the parameters for a host; `authorities` is a file of certificates (PEM) beside the system's.
    pub fn parameters(
        &self,
        host: &str,
        checked: bool,
        authorities: Option<&Path>,
    ) -> Result<TlsParameters, NextHopError> {
        let is =
            |made: &&Made| made.host == host && made.checked == checked && made.authorities.as_deref() == authorities;
        let mut all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(made) = all.iter().find(is) {
            return Ok(made.parameters.0.clone());
        }
        let parameters = make(host, checked, authorities)?;
        all.push(Made {
            host: host.to_owned(),
            checked,
            authorities: authorities.map(Path::to_owned),
            parameters: Keep(parameters.clone()),
        });
        Ok(parameters)
    }

    /// Forgets all of them, as a reload does: a file may have changed.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }
}

fn make(host: &str, checked: bool, authorities: Option<&Path>) -> Result<TlsParameters, NextHopError> {
    let failed = |error: &dyn std::fmt::Display| NextHopError::Tls(error.to_string());
    let mut builder = TlsParameters::builder(host.to_owned());
    if !checked {
        builder = builder.dangerous_accept_invalid_certs(true).dangerous_accept_invalid_hostnames(true);
    }
    if let Some(path) = authorities {
        let pem = fs::read(path).map_err(|error| failed(&format!("{}: {error}", path.display())))?;
        for certificate in certificates(&pem) {
            let certificate = Certificate::from_pem(certificate).map_err(|error| failed(&error))?;
            builder = builder.add_root_certificate(certificate);
        }
    }
    builder.build_rustls().map_err(|error| failed(&error))
}

/// Splits a file into its certificates, for lettre takes one each time.
fn certificates(pem: &[u8]) -> impl Iterator<Item = &[u8]> {
    const END: &[u8] = b"-----END CERTIFICATE-----";
    let mut rest = pem;
    std::iter::from_fn(move || {
        let end = memchr::memmem::find(rest, END)? + END.len();
        let (certificate, after) = rest.split_at(end);
        rest = after;
        Some(certificate)
    })
}
