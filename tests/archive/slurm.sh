#!/usr/bin/env bash
# Runs packaging/cluster/slurm-run on a Slurm of one node that is set up here: the shards are an array, one task is killed with SIGKILL
# in the middle and requeued, and the joined output and report must be those of one `convert`.
# usage: tests/archive/slurm.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: root, and Debian's slurm-wlm (apt-get install slurm-wlm), which it starts and stops again. Not part of CI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
septet=$(realpath "${1:?usage: $0 SEPTET ARCHIVE [TARGET]}")
archive=$(realpath "${2:?usage: $0 SEPTET ARCHIVE [TARGET]}")
target=${3:-2MiB}
work=$(mktemp -d)
chmod 755 "$work"
pids=()
# The daemons write in their folders until their ends: these go first.
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do
    timeout 30 tail --pid="$pid" -f /dev/null || kill -9 "$pid" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap cleanup EXIT

# A cluster of this machine alone, without accounts and without cgroups.
mkdir -p "$work/state" "$work/spool" /run/munge
if ! pgrep -x munged >/dev/null; then
  [ -f /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 2>/dev/null; }
  chown -R munge: /etc/munge /run/munge /var/lib/munge /var/log/munge; chmod 600 /etc/munge/munge.key
  runuser -u munge -- munged --foreground >"$work/munged.log" 2>&1 & pids+=($!)
  for _ in $(seq 50); do munge -n >/dev/null 2>&1 && break; sleep 0.2; done
fi
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
cat > "$SLURM_CONF" <<CONF
ClusterName=septet
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Boards=1 SocketsPerBoard=1 CoresPerSocket=$(nproc) ThreadsPerCore=1 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D >"$work/slurmctld.out" 2>&1 & pids+=($!)
sleep 2
slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 & pids+=($!)
for _ in $(seq 60); do [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break; sleep 0.5; done
sinfo

"$septet" convert -q "$archive" -o "$work/whole" --report "$work/whole.jsonl"
cd "$work"
# The first time that a task of the middle starts, it is killed in its work.
cat > "$work/septet-once-killed" <<'WRAP'
#!/bin/bash
if [ "${SLURM_ARRAY_TASK_ID:-}" = 1 ] && [ -z "${SLURM_RESTART_COUNT:-}" ] && [ "$1" = convert ]; then
  "$REAL_SEPTET" "$@" & pid=$!
  sleep 0.05
  kill -9 $pid
  wait $pid
  echo "task 1 was killed with SIGKILL: $(ls -A "$OUT_DIR" | tr '\n' ' ')" >> "$OUT_DIR.killed"
  scontrol requeue "$SLURM_JOB_ID"
  sleep 60
fi
exec "$REAL_SEPTET" "$@"
WRAP
chmod +x "$work/septet-once-killed"
export REAL_SEPTET=$septet
SEPTET=$work/septet-once-killed SEPTET_OPTIONS= "$here/../../packaging/cluster/slurm-run" "$archive" "$work/joined" "$target"
for _ in $(seq 600); do [ -z "$(squeue -h)" ] && break; sleep 0.5; done
squeue
cat "$work/joined.shards.killed"
cat septet-*-1.log
cat "$work/joined.join.log"
cmp "$work/whole" "$work/joined"
cmp "$work/whole.jsonl" "$work/joined.jsonl"
echo "$(wc -l < "$work/joined.plan.jsonl") shards, one killed and run again: output and report are those of one convert"
