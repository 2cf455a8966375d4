//! TLS toward a next hop: the handshake, and by which certificates it is judged, read once and kept until a reload.
//!
//! It is done below lettre and not by lettre, which would read replies where nobody sees how long they are.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{NextHopError, Result};

/// The parameters by whether certificates are checked: making them reads the system's authorities.
#[derive(Debug, Default)]
pub struct TlsCache(Mutex<Vec<CachedConfig>>);

#[derive(Debug)]
struct CachedConfig {
    checked: bool,
    authorities: Option<PathBuf>,
    config: Arc<ClientConfig>,
}

impl TlsCache {
    /// Encrypts a connection to a host, whose certificate is checked or not; `authorities` is a file of certificates
    /// (PEM) beside the system's, which is not read where nothing is checked.
    pub async fn encrypt<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
        host: &str,
        checked: bool,
        authorities: Option<&Path>,
    ) -> Result<TlsStream<S>> {
        let connector = TlsConnector::from(self.config(checked, authorities)?);
        let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
        connector.connect(name, stream).await.map_err(|error: io::Error| failed(&error))
    }

    /// Returns the parameters for such connections, made now unless they were made since the last [`TlsCache::clear`].
    /// The lock is held meanwhile, so that they are made once.
    fn config(&self, checked: bool, authorities: Option<&Path>) -> Result<Arc<ClientConfig>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut made = all.iter().filter(|made| made.checked == checked);
        if let Some(made) = made.find(|made| made.authorities.as_deref() == authorities) {
            return Ok(Arc::clone(&made.config));
        }
        let config = Arc::new(make(checked, authorities)?);
        all.push(CachedConfig { checked, authorities: authorities.map(Path::to_owned), config: Arc::clone(&config) });
        Ok(config)
    }

    /// Forgets all of them, as a reload does: a file may have changed.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Makes the parameters of a handshake; the authorities are read only where certificates are checked.
fn make(checked: bool, authorities: Option<&Path>) -> Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| failed(&error))?;
    let builder = match checked {
        true => builder.with_root_certificates(roots(authorities)?),
        false => builder.dangerous().with_custom_certificate_verifier(Arc::new(Unchecked(provider))),
    };
    Ok(builder.with_no_client_auth())
}

/// Reads the authorities that are believed: the system's, as far as they can be read, and all of the file.
fn roots(authorities: Option<&Path>) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let Some(path) = authorities else { return Ok(roots) };
    let pem = fs::read(path).map_err(|error| failed_in(path, &error))?;
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| failed_in(path, &error))?;
        roots.add(certificate).map_err(|error| failed_in(path, &error))?;
    }
    if roots.len() == before { Err(failed_in(path, &"it contains no certificate in PEM")) } else { Ok(roots) }
}

/// Says what is wrong with the file of the authorities.
fn failed_in(path: &Path, error: &dyn std::fmt::Display) -> NextHopError {
    failed(&format!("{}: {error}", path.display()))
}

/// Makes an error of TLS, with what helps before what went wrong, where that is known: a log has its first words.
fn failed(error: &dyn std::fmt::Display) -> NextHopError {
    let what = error.to_string();
    let hint = HINTS.iter().find(|(fault, _)| what.contains(fault));
    NextHopError::Tls(hint.map_or_else(|| what.clone(), |(_, hint)| format!("{hint} ({what})")))
}

/// What is wrong with certificates, and what helps, by the words of rustls.
const HINTS: [(&str, &str); 7] = [
    ("CaUsedAsEndEntity", "its certificate is an authority's (CA:TRUE): make it again with basicConstraints=CA:FALSE"),
    ("UnknownIssuer", "nobody trusted signed its certificate: set next_hop_ca_file to its authority's, or to its own"),
    (
        "BadSignature",
        "its certificate was signed by another key than the trusted one of that name: set next_hop_ca_file",
    ),
    ("not valid for name", "its certificate has other names: set next_hop to one, or make it with subjectAltName=DNS:"),
    ("certificate expired", "its certificate has expired"),
    ("certificate not valid yet", "its certificate is not valid yet, or the clock of this host is slow"),
    ("extended key usage", "its certificate is not for servers: make it again with extendedKeyUsage=serverAuth"),
];

/// Takes any certificate: what is encrypted for somebody is better than what everybody reads.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
