#!/usr/bin/env bash
# Runs packaging/cluster/ray_tasks.py on a Ray of this machine alone (see on_cluster.bash).
# usage: tests/archive/ray.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: ray in the Python that PYTHON names (python3).
. "$(dirname "$0")/on_cluster.bash"
plan
# What Ray keeps at home and elsewhere goes with the rest.
export RAY_USAGE_STATS_ENABLED=0 HOME=$work RAY_TMPDIR=$work
"$python" "$recipes/ray_tasks.py" --plan plan.jsonl --out-dir shards --septet "$work/septet-once-killed"
join_and_compare
