#!/usr/bin/env bash
# Runs packaging/cluster/spark.py on a local-cluster of two Spark workers, by README's line (see on_cluster.bash).
# usage: tests/archive/spark.sh SEPTET ARCHIVE.mbox [TARGET]
# Needs: Java 17, and pyspark in the Python that PYTHON names (python3).
. "$(dirname "$0")/on_cluster.bash"
plan
export PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1 SPARK_WORKER_DIR=$work/workers
submit=$("$python" -c 'import os, pyspark; print(os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit"))')
"$submit" --master 'local-cluster[2,1,1024]' --conf spark.task.maxFailures=4 \
  "$recipes/spark.py" --plan plan.jsonl --out-dir shards --septet "$work/septet-once-killed" 2>"$work/spark.log" ||
  { tail -50 "$work/spark.log"; exit 1; }
grep -a "shards are done\|Lost task" "$work/spark.log" | cut -c1-200
join_and_compare
