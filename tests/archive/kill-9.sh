#!/usr/bin/env bash
# Conversions of four kinds (a file to another, in place, a Maildir, many inputs) are killed with SIGKILL at random moments, 200
# times, and resumed: output and reports must be those of a run that was never killed, every time. What is killed is a copy of
# the program, so that nobody builds it anew meanwhile.
# usage: tests/archive/kill-9.sh [KILLS [CARGO-OPTION…]]
# Needs: a Rust toolchain. Not part of CI, which runs a small version.
set -euo pipefail
cd "$(dirname "$0")/../.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
# The program that the tests run: `cargo build` would make another one, without what the tests ask of its dependencies.
built=$(cargo test "${@:2}" --locked --test commands --no-run --message-format=json |
  sed -n 's/.*"executable":"\([^"]*\/septet\)".*/\1/p' | tail -n 1)
cp "$built" "$copy/septet"
SEPTET_PROGRAM=$copy/septet SEPTET_KILLS=${1:-200} cargo test "${@:2}" --locked --test commands convert::killed:: -- --nocapture
