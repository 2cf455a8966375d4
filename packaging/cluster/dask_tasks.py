"""Converts the shards of a plan with Dask, one task a shard.

usage: python3 dask_tasks.py --plan plan.jsonl --out-dir shards [--septet PATH] [--scheduler ADDRESS] [-- OPTIONS OF CONVERT]

The plan, the archive and the folder must be under the same paths on every worker; relative names are those of the one who
starts. A task that fails is run again by Dask; a shard that is done is not done twice, whoever asks. Without a scheduler
the workers are processes of this machine.
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
    parser.add_argument("--scheduler", help="the address of a scheduler, as tcp://host:8786")
    parser.add_argument("options", nargs="*", help="options of septet convert, behind --")
    args = parser.parse_args()

    from distributed import Client

    with open(args.plan, encoding="utf-8") as plan:
        shards = sum(1 for _ in plan)
    # A worker stands in a folder of its own.
    plan, out_dir = os.path.abspath(args.plan), os.path.abspath(args.out_dir)
    with Client(args.scheduler) as client:
        tasks = client.map(
            convert, range(shards), septet=args.septet, plan=plan, out_dir=out_dir, options=args.options, retries=4, pure=False
        )
        done = client.gather(tasks)
    print(f"{len(done)} of {shards} shards are done", file=sys.stderr)
    return 0 if len(done) == shards else 1


if __name__ == "__main__":
    sys.exit(main())
