#!/usr/bin/env bash
# A Postfix sends 10,000 messages through septet, which is killed with SIGKILL 100 times meanwhile: none may be lost or
# damaged, and those that come twice are counted. Prints one line of counts, and exits with another code than 0 if
# anything is wrong. usage: tests/forward/kill-9.sh [MESSAGES [KILLS [CARGO-OPTION…]]]
# Needs: a Rust toolchain, Debian's postfix, and root. Not part of CI, which runs a small version.
set -euo pipefail
cd "$(dirname "$0")/../.."
SEPTET_MESSAGES=${1:-10000} SEPTET_KILLS=${2:-100} \
  cargo test "${@:3}" --locked --test commands forward::killed:: -- --nocapture
