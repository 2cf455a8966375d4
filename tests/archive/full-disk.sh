#!/usr/bin/env bash
# Converts an mbox in place on a tmpfs that is full at a random point, 50 times: the old file must be intact, nothing may be
# left of the new one, and the exit code must be 73 or 74. Then the disk has room again, and the same command converts it.
# Where only the report found no room, the new file is there, whole, which is said, and --resume writes the report.
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
"$septet" convert -q -n --report "$work/whole.csv" --report "$work/whole.html" "$work/old.mbox"
rows() { sed -E 's/^[^,]*//' "$1" | cksum; }
full=0 without_report=0
for turn in $(seq "$turns"); do
  extra=() most=$((size + 1000000))
  case $((turn % 3)) in
    1) extra=(--keep-original --report "$disk/r.csv") most=$((3 * size)) ;;
    2) extra=(--report "$disk/r.csv" --report "$disk/r.html") most=$((14 * size)) ;;
  esac
  mount -t tmpfs -o size=$((size + 65536 + (RANDOM * 32768 + RANDOM) % most)) tmpfs "$disk"
  cp "$work/old.mbox" "$disk/a.mbox"
  code=0
  "$septet" convert -q --in-place "${extra[@]}" "$disk/a.mbox" 2>"$work/said" || code=$?
  resume=
  if [ $code != 0 ]; then
    full=$((full + 1))
    [ $code = 74 ] || [ $code = 73 ] || { echo "turn $turn: exit $code: $(cat "$work/said")"; exit 1; }
    # After ten seconds of work what is done is kept, and so it is where the new file has its place already.
    if grep -q 'the same command with --resume goes on from' "$work/said"; then resume=--resume; fi
    if grep -q '1 of 1 inputs are done, the reports are not written yet; the same command with --resume' "$work/said"; then
      without_report=$((without_report + 1)) whole=$work/new.mbox
    else
      whole=$work/old.mbox
    fi
    cmp -s "$disk/a.mbox" "$whole" || { echo "turn $turn: a file is not intact: $(cat "$work/said")"; exit 1; }
    kept=(-x -e a.mbox)
    [ -n "$resume" ] && kept+=(-e a.mbox.undo -e a.mbox.resume -e a.mbox.partial -e a.mbox.undo.partial -e r.csv.partial)
    left=$(ls -A "$disk" | grep -v "${kept[@]}" || true)
    [ -z "$left" ] || { echo "turn $turn: left behind: $left"; exit 1; }
    mount -o remount,size=$((size * 12)) "$disk"
    "$septet" convert -q --in-place $resume "${extra[@]}" "$disk/a.mbox"
  fi
  cmp -s "$disk/a.mbox" "$work/new.mbox" || { echo "turn $turn: not what it should be"; exit 1; }
  if [ $((turn % 3)) != 0 ]; then
    [ "$(rows "$disk/r.csv")" = "$(rows "$work/whole.csv")" ] || { echo "turn $turn: not the whole report"; exit 1; }
  fi
  if [ $((turn % 3)) = 2 ]; then
    [ "$(grep -c '<tr\|<details' "$disk/r.html")" = "$(grep -c '<tr\|<details' "$work/whole.html")" ] ||
      { echo "turn $turn: not the whole page"; exit 1; }
  fi
  umount "$disk"
done
echo "$turns turns, the disk was full in $full of them: the old file was intact, or in $without_report the new one whole without its report"
[ $full -gt 0 ]
