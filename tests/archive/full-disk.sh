#!/usr/bin/env bash
# Converts an mbox in place on a tmpfs that is full at a random point, 50 times: the old file must be intact, nothing may be
# left of the new one, and the exit code must be 74. Then the disk has room again, and the same command converts it.
# usage: tests/archive/full-disk.sh SEPTET [TURNS]
# Needs: root, for the mount; python3. Not part of CI, which has a limit on the file's size instead.
set -euo pipefail
septet=$(realpath "${1:?usage: $0 SEPTET [TURNS]}")
turns=${2:-50}
work=$(mktemp -d)
disk=$work/disk
mkdir "$disk"
trap 'mountpoint -q "$disk" && umount "$disk"; rm -rf "$work"' EXIT
python3 - "$work/old.mbox" <<'PY'
import sys
latin = (b"From a@example.org Mon Jan  1 00:00:00 2007\nFrom: a@example.org\nMIME-Version: 1.0\n"
         b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n" + b"caf\xe9 " * 40 + b"\n\n")
open(sys.argv[1], "wb").write(latin * 40000)
PY
"$septet" convert -q "$work/old.mbox" -o "$work/new.mbox"
size=$(stat -c %s "$work/old.mbox")
full=0
for turn in $(seq "$turns"); do
  room=$(( size + 65536 + (RANDOM * 32768 + RANDOM) % (size + 1000000) ))
  mount -t tmpfs -o size="$room" tmpfs "$disk"
  cp "$work/old.mbox" "$disk/a.mbox"
  extra=; [ $((turn % 2)) = 0 ] && extra="--keep-original --report $disk/r.csv"
  code=0
  "$septet" convert -q --in-place $extra "$disk/a.mbox" 2>"$work/said" || code=$?
  if [ $code = 0 ]; then
    cmp -s "$disk/a.mbox" "$work/new.mbox" || { echo "turn $turn: not what it should be"; exit 1; }
  else
    full=$((full + 1))
    [ $code = 74 ] || [ $code = 73 ] || { echo "turn $turn: exit $code: $(cat "$work/said")"; exit 1; }
    cmp -s "$disk/a.mbox" "$work/old.mbox" || { echo "turn $turn: the old file is not intact"; exit 1; }
    [ "$(ls -A "$disk")" = a.mbox ] || { echo "turn $turn: left behind: $(ls -A "$disk")"; exit 1; }
    mount -o remount,size=$((size * 8)) "$disk"
    "$septet" convert -q --in-place "$disk/a.mbox"
    cmp -s "$disk/a.mbox" "$work/new.mbox" || { echo "turn $turn: not what it should be, with room"; exit 1; }
  fi
  umount "$disk"
done
echo "$turns turns, the disk was full in $full of them: the old file was intact every time"
[ $full -gt 0 ]
