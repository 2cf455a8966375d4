"""Reads fixtures/reading.jsonl through septet: septet.py PROGRAM <fixtures/reading.jsonl

Each message goes through `septet filter --profile eai`, and what comes out is read by strict.py, which knows nothing but
clean UTF-8. What septet leaves as it is, is not read.
"""

import base64
import json
import subprocess
import sys

sys.dont_write_bytecode = True

import strict


def text_of(program, case):
    command = [program, "filter", "--config", "/dev/null", "--profile", "eai"]
    done = subprocess.run(command, input=base64.b64decode(case["message"]), capture_output=True, check=True)
    try:
        return strict.text_at(done.stdout, case["place"])
    except (strict.Unread, ValueError, LookupError):
        return None


if __name__ == "__main__":
    for line in sys.stdin:
        case = json.loads(line)
        print(json.dumps({"id": case["id"], "text": text_of(sys.argv[1], case)}))
