//! A slow plan over a pipe, on a clock that jumps to the next thing to happen: no second is really waited for.

use tokio::io::{AsyncReadExt, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::watch;
use tokio::time::sleep;

use super::*;
use crate::config::{LimitSettings, Settings};
use crate::protocol::milter::Frame;
use crate::serve::memory::Memory;
use crate::serve::metrics::Metrics;

fn on_paused_clock(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(test);
}

/// A connection with default settings, and its MTA's end.
fn connection() -> (MilterConnection<DuplexStream>, DuplexStream) {
    let (ours, theirs) = duplex(4096);
    let listener = Listener::default();
    let metrics = Arc::new(Metrics::new().expect("good names"));
    let shared = Shared {
        // What a watch says last is still read when its sender is gone.
        settings: watch::channel(Arc::new(DaemonSettings::new(Settings::default()))).1,
        stop: watch::channel(false).1,
        memory: Arc::new(Memory::new(&LimitSettings::default())),
        metrics: Arc::new(metrics.for_listener(&listener.socket)),
    };
    (MilterConnection::new(ours, listener, shared), theirs)
}

/// Reads the codes of all packets until the end of the stream.
async fn codes(mut stream: DuplexStream) -> String {
    let mut octets = Vec::new();
    stream.read_to_end(&mut octets).await.expect("a pipe");
    let (mut codes, mut at) = (String::new(), 0);
    while let Some(frame) = Frame::read(&octets[at..]).expect("well-formed") {
        codes.push(frame.code.into());
        at += frame.length();
    }
    codes
}

#[test]
fn an_mta_hears_of_us_every_three_seconds_until_the_answer() {
    for (seconds, wanted) in [(0, "c"), (2, "c"), (4, "pc"), (10, "pppc"), (100, &format!("{}c", "p".repeat(33)))] {
        on_paused_clock(async {
            let (mut connection, mta) = connection();
            let plan = async {
                sleep(Duration::from_secs(seconds)).await;
                MilterReply::Continue
            };
            let verdict = connection.with_progress(plan).await.expect("the MTA reads");
            verdict.write(&mut connection.stream.out);
            connection.flush().await.expect("the MTA reads");
            drop(connection);
            assert_eq!(codes(mta).await, wanted, "{seconds} s");
        });
    }
}

#[test]
fn a_plan_is_given_up_when_the_mta_is_gone() {
    on_paused_clock(async {
        let (mut connection, mta) = connection();
        drop(mta);
        let end = connection.with_progress(sleep(Duration::from_secs(3600))).await;
        assert!(matches!(end, Err(MilterError::Stream(StreamError::Io(_)))), "{end:?}");
    });
}

#[test]
fn an_mta_that_goes_in_the_middle_of_a_message_is_lost() {
    let terms = b"\0\0\0\x0DO\0\0\0\x06\0\0\x01\xFF\0\x1F\xFF\xFF";
    for (commands, is_done) in [(&b""[..], true), (b"\0\0\0\x07M<a@b>\0", false)] {
        on_paused_clock(async {
            let (mut connection, mut mta) = connection();
            mta.write_all(&[&terms[..], commands].concat()).await.expect("a pipe");
            mta.shutdown().await.expect("a pipe");
            let end = connection.run().await;
            assert_eq!(end.is_ok(), is_done, "{end:?}");
        });
    }
}
