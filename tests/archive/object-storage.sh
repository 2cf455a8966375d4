#!/usr/bin/env bash
# Runs the lines of packaging/cluster/README.md on object storage, as they stand there, against a server for S3 on this machine
# (moto): what comes out is what one `convert` makes, and a conversion that fails replaces no object.
# usage: tests/archive/object-storage.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: moto[server] and awscli beside the Python that PYTHON names (python3). Without rclone, fusermount3 or /dev/fuse it says so,
# and mounts nothing.
set -euo pipefail
readme=$(cd "$(dirname "$0")/../../packaging/cluster" && pwd)/README.md
septet=$(realpath "${1:?usage: $0 SEPTET ARCHIVE}")
archive=$(realpath "${2:?usage: $0 SEPTET ARCHIVE}")
target=${3:-4MiB}
PATH=$(dirname "$(command -v "${PYTHON:-python3}")"):$PATH
work=$(mktemp -d)
server= mounted=
end() {
  [ -z "$mounted" ] || fusermount3 -u "$work/mnt" || true
  [ -z "$server" ] || { kill "$server"; wait "$server" 2>/dev/null || true; }
  rm -rf "$work"
}
trap end EXIT
mkdir "$work/bin" "$work/mnt" "$work/here"
ln -s "$septet" "$work/bin/septet"
export PATH=$work/bin:$PATH
cd "$work/here"

# The block of README that has a word, from its ``` to the next; its shards are smaller here, so that there are several.
block() {
  awk -v word="$1" '/^```/ { if (inside && index(text, word)) { printf "%s", text; exit } inside = !inside; text = ""; next }
    inside { text = text $0 "\n" }' "$readme" | sed "s|/mnt/mail|$work/mnt|g; s|septet plan -o|septet plan --target $target -o|"
}

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
export AWS_ENDPOINT_URL=http://127.0.0.1:$port
# rclone refuses to take another bundle of certificates for this.
unset AWS_CA_BUNDLE
moto_server -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 & server=$!
for _ in $(seq 60); do aws s3 mb s3://mail >/dev/null 2>&1 && break; sleep 1; done
aws s3 cp --quiet "$archive" s3://mail/all.mbox
septet convert -q "$archive" -o whole.mbox
same() { aws s3 cp --quiet s3://mail/clean.mbox - | cmp - whole.mbox && echo "$1: what one convert makes"; }

pipe=$(block 'septet convert - -o -')
bash -c "$pipe"
same "through a pipe"
# What is no mail ends with an error: the object that is there stays.
printf 'no mail\n' | aws s3 cp --quiet - s3://mail/other.mbox
if bash -c "${pipe//all.mbox/other.mbox}" 2>/dev/null; then echo "a failure was not seen" >&2; exit 1; fi
same "after a failure"

if ! command -v rclone >/dev/null || ! command -v fusermount3 >/dev/null || ! [ -e /dev/fuse ]; then
  echo "not mounted: rclone, fusermount3 or /dev/fuse is missing" >&2
  exit 0
fi
printf '[store]\ntype = s3\nprovider = Other\nenv_auth = true\nregion = us-east-1\nendpoint = %s\n' "$AWS_ENDPOINT_URL" > "$work/rclone.conf"
export RCLONE_CONFIG=$work/rclone.conf
aws s3 rm --quiet s3://mail/clean.mbox
mounted=1
bash -c "$(block 'rclone mount')"
same "in shards, from a mount"
