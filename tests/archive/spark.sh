#!/usr/bin/env bash
# Runs packaging/cluster/spark.py on a local-cluster of two Spark workers; one task is killed with SIGKILL the first time, and the joined
# output and report must be those of one `convert`.
# usage: tests/archive/spark.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: Java 17, and pyspark in the Python that PYTHON names (python3). Not part of CI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
septet=$(realpath "${1:?usage: $0 SEPTET ARCHIVE [TARGET]}")
archive=$(realpath "${2:?usage: $0 SEPTET ARCHIVE [TARGET]}")
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > septet-once-killed <<WRAP
#!/bin/bash
if [[ " \$* " == *" --shard 1 "* ]] && mkdir "$work/killed" 2>/dev/null; then
  "$septet" "\$@" & pid=\$!
  sleep 0.05
  kill -9 \$pid
  wait \$pid
  exit 137
fi
exec "$septet" "\$@"
WRAP
chmod +x septet-once-killed
"$septet" convert -q "$archive" -o whole --report whole.jsonl
"$septet" plan --target "${3:-2MiB}" "$archive" > plan.jsonl
export PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1
submit=$("$python" -c 'import os, pyspark; print(os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit"))')
"$submit" --master 'local-cluster[2,1,1024]' --conf spark.task.maxFailures=4 \
  "$here/../../packaging/cluster/spark.py" --plan "$work/plan.jsonl" --out-dir "$work/shards" --septet "$work/septet-once-killed" 2>spark.log ||
  { tail -50 spark.log; exit 1; }
grep -a "shards are done\|Lost task" spark.log | cut -c1-200
"$septet" join --plan plan.jsonl --out-dir shards -o joined --report joined.jsonl
[ -d killed ]
cmp whole joined
cmp whole.jsonl joined.jsonl
echo "$(wc -l < plan.jsonl) shards, one task killed and run again: output and report are those of one convert"
