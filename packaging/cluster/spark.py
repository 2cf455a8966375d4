"""Converts the shards of a plan with Spark, one task a shard.

usage: spark-submit spark.py --plan plan.jsonl --out-dir shards [--septet PATH] [-- OPTIONS OF CONVERT]

The plan, the archive and the folder must be under the same paths on every worker; relative names are those of the driver. A
task that fails is run again by Spark; a shard that is done is not done twice, whoever asks.
"""

import argparse
import os
import subprocess
import sys


def convert(shard, septet, plan, out_dir, options):
    """Runs one shard; what septet says of a failure is the task's error."""
    command = [septet, "convert", "--plan", plan, "--shard", str(shard), "--out-dir", out_dir, "--quiet", *options]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"shard {shard} ended with {run.returncode}: {run.stderr.strip()}")
    return shard


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plan", required=True)
    parser.add_argument("--out-dir", required=True)
    parser.add_argument("--septet", default="septet")
    parser.add_argument("options", nargs="*", help="options of septet convert, behind --")
    args = parser.parse_args()

    from pyspark.sql import SparkSession

    with open(args.plan, encoding="utf-8") as plan:
        shards = sum(1 for _ in plan)
    spark = SparkSession.builder.appName("septet").getOrCreate()
    # A worker stands in a folder of its own.
    plan, out_dir = os.path.abspath(args.plan), os.path.abspath(args.out_dir)
    septet, options = args.septet, args.options
    try:
        done = (
            spark.sparkContext.parallelize(range(shards), max(shards, 1))
            .map(lambda shard: convert(shard, septet, plan, out_dir, options))
            .collect()
        )
    finally:
        spark.stop()
    print(f"{len(done)} of {shards} shards are done", file=sys.stderr)
    return 0 if len(done) == shards else 1


if __name__ == "__main__":
    sys.exit(main())
