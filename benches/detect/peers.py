#!/usr/bin/env python3
"""How often charset-normalizer and chardet say rightly what charset a message is in: `peers.py MESSAGES.jsonl [EACH]`.

Each EACH-th message is tried (20). A text is right if it is read as it was written, and left where no charset is named or the
text cannot be read in it; as in detect.rs, but for the check of faults, which is septet's own.
"""

import collections
import json
import sys
import time

import chardet
import charset_normalizer

import messages


def normalizer(octets):
    best = charset_normalizer.from_bytes(octets).best()
    return best.encoding if best else None


def detector(octets):
    return chardet.detect(octets)["encoding"]


def outcome(octets, written, found):
    if not found:
        return "left"
    try:
        return "right" if octets.decode(found) == octets.decode(written) else "wrong"
    except (LookupError, UnicodeDecodeError):
        return "left"


def report(name, guess, lines):
    counts, spent, octets = collections.Counter(), 0.0, 0
    for message in lines:
        texts = [bytes.fromhex(text) for text in message["texts"]]
        joined = b"\n".join(texts)
        start = time.process_time()
        found = guess(joined)
        spent, octets = spent + time.process_time() - start, octets + len(joined)
        group = "rare" if message["charset"] in messages.RARE else "usual"
        for text in texts:
            counts[group, message["size"], outcome(text, messages.CHARSETS[message["charset"]][0], found)] += 1
    print(f"{name}: {spent * 1e9 / octets:.0f} ns an octet")
    for group, size in sorted({key[:2] for key in counts}):
        all_of = sum(counts[group, size, outcome] for outcome in ("right", "wrong", "left"))
        share = [f"{outcome} {100 * counts[group, size, outcome] / all_of:6.2f}" for outcome in ("right", "wrong", "left")]
        print(f"  {group:6} {size:5}  {'  '.join(share)}  of {all_of}")


def main(path, each="20"):
    with open(path, encoding="ascii") as file:
        lines = [json.loads(line) for line in file][:: int(each)]
    report("charset-normalizer", normalizer, lines)
    report("chardet", detector, lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
