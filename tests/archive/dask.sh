#!/usr/bin/env bash
# Runs packaging/cluster/dask_tasks.py on a scheduler and two workers that stand in another folder (see on_cluster.bash).
# usage: tests/archive/dask.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: distributed in the Python that PYTHON names (python3).
. "$(dirname "$0")/on_cluster.bash"
plan
scheduler=$work/scheduler.json
(cd "$work/workers" && exec "$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard \
  --scheduler-file "$scheduler" >"$work/dask.log" 2>&1) & daemons=$!
trap 'kill $daemons 2>/dev/null || true; wait || true; rm -rf "$work"' EXIT
for _ in $(seq 600); do [ -s "$scheduler" ] && break; sleep 0.1; done
for _ in 1 2; do
  (cd "$work/workers" && exec "$python" -m distributed.cli.dask_worker --scheduler-file "$scheduler" --nthreads 1 --no-dashboard \
    >>"$work/dask.log" 2>&1) & daemons="$daemons $!"
done
address=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["address"])' "$scheduler")
"$python" "$recipes/dask_tasks.py" --plan plan.jsonl --out-dir shards --septet "$work/septet-once-killed" --scheduler "$address" ||
  { tail -50 "$work/dask.log"; exit 1; }
join_and_compare
