# What the tests of spark.py, ray_tasks.py and dask_tasks.py share; to be sourced. The archive is planned and converted whole in a
# folder `mail`; the recipe is run as packaging/cluster/README.md has it, with relative names; the task of shard 1 is
# killed with SIGKILL the first time, and the joined output and report must be those of one `convert`.
# usage: TEST SEPTET ARCHIVE.mbox [TARGET]
set -euo pipefail
recipes=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../packaging/cluster" && pwd)
septet=$(realpath "${1:?usage: $0 SEPTET ARCHIVE [TARGET]}")
archive=$(realpath "${2:?usage: $0 SEPTET ARCHIVE [TARGET]}")
target=${3:-2MiB}
python=$(command -v "${PYTHON:-python3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Makes the folder of the mail, and a program that is killed in its work the first time that it does shard 1.
plan() {
  mkdir "$work/mail" "$work/workers"
  cat > "$work/septet-once-killed" <<WRAP
#!/bin/bash
if [[ " \$* " == *" --shard 1 "* ]] && mkdir "$work/killed" 2>/dev/null; then
  "$septet" "\$@" --jobs 1 & pid=\$!
  until compgen -G "$work/mail/shards/.septet-s00001-*" >/dev/null; do kill -0 \$pid || break; sleep 0.005; done
  kill -9 \$pid
  wait \$pid
  [ -e "$work/mail/shards/00001.ok" ] || touch "$work/killed/in-its-work"
  exit 137
fi
exec "$septet" "\$@"
WRAP
  chmod +x "$work/septet-once-killed"
  cd "$work/mail"
  cp "$archive" archive.mbox
  "$septet" convert -q archive.mbox -o "$work/whole" --report "$work/whole.jsonl"
  "$septet" plan --target "$target" archive.mbox > plan.jsonl
}

# join_and_compare: in the folder of the mail, once the recipe has run.
join_and_compare() {
  "$septet" join --plan plan.jsonl --out-dir shards -o "$work/joined" --report "$work/joined.jsonl"
  [ -e "$work/killed/in-its-work" ] || { echo "no task was killed in its work: take a larger TARGET" >&2; exit 1; }
  cmp "$work/whole" "$work/joined"
  cmp "$work/whole.jsonl" "$work/joined.jsonl"
  echo "$(wc -l < plan.jsonl) shards, one task killed and run again: output and report are those of one convert"
}
