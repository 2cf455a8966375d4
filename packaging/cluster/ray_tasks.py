"""Converts the shards of a plan with Ray, one task a shard.

usage: python3 ray_tasks.py --plan plan.jsonl --out-dir shards [--septet PATH] [--address ADDRESS] [-- OPTIONS OF CONVERT]

The plan, the archive and the folder must be under the same paths on every node; relative names are those of the one who
starts. A task that fails is run again by Ray; a shard that is done is not done twice, whoever asks. Without an address the
cluster is the one that RAY_ADDRESS names, else this machine.
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
    parser.add_argument("--address", help="the address of a cluster, as host:6379")
    parser.add_argument("options", nargs="*", help="options of septet convert, behind --")
    args = parser.parse_args()

    import ray

    with open(args.plan, encoding="utf-8") as plan:
        shards = sum(1 for _ in plan)
    # A worker stands in a folder of its own.
    plan, out_dir = os.path.abspath(args.plan), os.path.abspath(args.out_dir)
    ray.init(address=args.address)
    try:
        # An error of the task is one that is tried again.
        task = ray.remote(max_retries=4, retry_exceptions=True)(convert)
        done = ray.get([task.remote(shard, args.septet, plan, out_dir, args.options) for shard in range(shards)])
    finally:
        ray.shutdown()
    print(f"{len(done)} of {shards} shards are done", file=sys.stderr)
    return 0 if len(done) == shards else 1


if __name__ == "__main__":
    sys.exit(main())
