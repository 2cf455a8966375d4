#!/usr/bin/env python3
"""Commands on archives that are killed, or get EIO or ENOSPC, at one call to the system (strace injects it).

After each: inputs are old or new, no message is missing, nothing that a command writes is there in part. Then the same command is
given again, with or without --resume, as far as what it says allows: it must end as an undisturbed run, with nothing left over; and
what has an undo file must be undone to the octet.

usage: tests/archive/syscalls.py SEPTET [POINTS [SEED]]; ONLY=name,… takes some of the scenarios
Needs: python3, strace. Not part of CI; tests/faults runs it.
"""
import collections, hashlib, json, os, random, re, shutil, subprocess, sys, tempfile

SEPTET = os.path.realpath(sys.argv[1])
POINTS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
ONLY = set(filter(None, os.environ.get("ONLY", "").split(",")))

# Those by which something is lost or left, and the rest.
WEIGHTY = """rename renameat renameat2 link linkat unlink unlinkat rmdir fsync fdatasync syncfs sync_file_range write writev
    pwrite64 ftruncate copy_file_range sendfile utimensat fchmod fchown fsetxattr mkdir mkdirat""".split()
OTHER = "openat read pread64 statx newfstatat fstat lseek flock fcntl close getdents64 readlink".split()
# What is said of what to do; each leads on.
ADVICE = ["--resume", "undo", "try again", "name an output", "move it away", "remove it"]


def message(number):
    kind = number % 4
    text = [b"caf\xe9 \xfcber\n", b"plain\n", b"\xe9" * 3000 + b"\n", b"=?iso-8859-1?q?=E9?= in a text\n>From x\n"][kind]
    subject = b"=?iso-8859-1?q?Stra=DFe?=" if number % 3 else b"plain"
    return (b"From: a%d@example.org\nMessage-ID: <%d@example.org>\nSubject: %s\nMIME-Version: 1.0\n"
            b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n%s") % (number, number, subject, text)


def make(folder):
    with open(folder + "/m", "wb") as box:
        for number in range(60):
            box.write(b"From a@example.org Mon Jan  1 00:00:00 2007\n" + message(number) + b"\n")
    for sub in ["cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Sent/tmp"]:
        os.makedirs(f"{folder}/Md/{sub}")
    for number in range(40):
        below = ".Sent/cur" if number % 7 == 0 else "cur" if number % 3 else "new"
        size = len(message(number))
        name = f"{1700000000 + number}.M{number}P1.host,S={size}" + ("" if below == "new" else ":2,S")
        path = f"{folder}/Md/{below}/{name}"
        with open(path, "wb") as file:
            file.write(message(number))
        os.utime(path, (1700000000 + number,) * 2)


def sum_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def tree(folder):
    """Every file below a folder with its sum, and every folder."""
    found = {}
    for at, folders, files in os.walk(folder):
        found.update({os.path.relpath(os.path.join(at, name), folder) + "/": "" for name in folders})
        found.update({os.path.relpath(os.path.join(at, name), folder): sum_of(os.path.join(at, name)) for name in files})
    return found


def below(all, *names):
    return {path: sum for path, sum in all.items() if any(path == name or path.startswith(name + "/") for name in names)}


def messages(all, name):
    """The sums of a Maildir's messages."""
    return sorted(sum for path, sum in all.items() if re.match(rf"{name}/(\.Sent/)?(cur|new)/.", path))


class Scenario:
    """A command; what is done before; what it reads; what it writes in one step; what it may be given to go on."""

    def __init__(self, name, command, before=(), reads=(), replaces=(), writes=(), resumes=False, undoes=None):
        self.name, self.command, self.before = name, command.split(), [it.split() for it in before]
        self.reads, self.replaces, self.writes, self.resumes, self.undoes = reads, replaces, writes, resumes, undoes


C = "convert -j1 "
SHARDS = 3
PLAN = "plan m Md --target 32KiB > plan"
SCENARIOS = [
    Scenario("mbox in place", C + "--in-place --keep-original --report r.jsonl m", replaces=["m"], resumes=True, undoes="m"),
    Scenario("mbox in place, resumed", C + "--in-place --keep-original --resume m", replaces=["m"], resumes=True, undoes="m"),
    Scenario("mbox in place, verified", C + "--in-place --verify --report r.html m", replaces=["m"], resumes=True),
    Scenario("mbox with a backup", C + "--in-place --backup m", replaces=["m"], resumes=True),
    Scenario("mbox to another", C + "-o out --keep-original m", reads=["m"], writes=["out"], resumes=True),
    Scenario("Maildir in place", C + "--in-place --keep-original --report r.jsonl Md", replaces=["Md"], resumes=True, undoes="Md"),
    Scenario("Maildir in place, plain", C + "--in-place Md", replaces=["Md"], resumes=True),
    Scenario("Maildir to another", C + "-o out --keep-original Md", reads=["Md"], resumes=True),
    Scenario("mbox to Maildir", C + "--output-format maildir -o out m", reads=["m"], writes=["out"]),
    Scenario("Maildir to mbox", C + "--output-format mbox -o out Md/.Sent", reads=["Md"], writes=["out"]),
    Scenario("undo of a mbox", "undo m", [C + "-q --in-place --keep-original m"], replaces=["m"]),
    Scenario("undo of a Maildir", "undo Md", [C + "-q --in-place --keep-original Md"], replaces=["Md"]),
    Scenario("plan", PLAN, reads=["m", "Md"]),
    Scenario("shard", C + "--plan plan --shard 1 --out-dir shards", [PLAN], reads=["m", "Md"]),
    Scenario("join", "join --plan plan --out-dir shards -o out --report r.jsonl",
             [PLAN] + [C + f"-q --plan plan --shard {shard} --out-dir shards" for shard in range(SHARDS)], reads=["m"],
             writes=["out/m"]),
]


class Run:
    def __init__(self, command, inject=(), cwd="w"):
        command, out = (command[:-2], command[-1]) if ">" in command else (command, None)
        arguments = [*inject, SEPTET, *command]
        environment = {key: value for key, value in os.environ.items() if key != "SEPTET_CONFIG"}
        with open(os.path.join(cwd, out) if out else os.devnull, "wb") as to:
            done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.PIPE, cwd=cwd,
                                  timeout=120, env=environment)
        self.code, self.said = done.returncode, done.stderr.decode(errors="replace")


def prepare(scenario):
    shutil.rmtree("w", ignore_errors=True)
    shutil.copytree("before/" + scenario.name, "w", symlinks=True)


def steady(all):
    """A tree without what says when or how fast a page was made."""
    return {path: "" if path.endswith(".html") else sum for path, sum in all.items()}


def counted(scenario):
    """The calls that an undisturbed run makes, by name."""
    prepare(scenario)
    Run(scenario.command, ["strace", "-f", "-qq", "-o", "../calls", "-e", "trace=" + ",".join("?" + it for it in WEIGHTY + OTHER)])
    with open("calls") as calls:
        found = (re.match(r"\d+ +(\w+)\(", line) for line in calls)
        return collections.Counter(match[1] for match in found if match)


def halfway(scenario, old, new, now, run):
    """What is wrong at once: in part, missing, or changed where nothing may change."""
    # A message that can't be read is named, and the others are written.
    passes_over = run.code > 0 and re.search("can't (read|open)", run.said)
    wrong = [f"{name} changed" for name in scenario.reads if below(now, name) != below(old, name)]
    for name in [] if passes_over else scenario.writes:
        if below(now, name) not in ({}, below(old, name), below(new, name)):
            wrong.append(f"{name} is there in part")
    for name in scenario.replaces:
        if name == "Md":
            was, becomes, there = messages(old, name), messages(new, name), messages(now, name)
            if len(there) != len(was) or not set(there) <= set(was) | set(becomes):
                wrong.append(f"{len(there)} messages, {len(set(there) - set(was) - set(becomes))} neither old nor new")
        elif now.get(name) not in (old.get(name), new.get(name)):
            wrong.append(f"{name} is neither old nor new")
    return wrong


def go_on(scenario, new, how):
    """Gives the command again until it ends well, as what it says leads on; what is wrong then."""
    resume = how == "resume"
    for _ in range(4):
        command = [it for it in scenario.command if it != "--resume"]
        if resume:
            command.insert(1, "--resume")
        again = Run(command)
        if again.code == 0:
            return []
        # It was done, and says that what is to be made is there.
        if "already exists" in again.said and steady(tree("w")) == steady(new):
            return []
        if not any(advice in again.said for advice in ADVICE):
            return [f"again{' --resume' if resume else ''}: {again.code}: {again.said[-300:]}"]
        if "may be needed to undo" in again.said or "or undo it" in again.said and resume:
            undone = Run(["undo", scenario.replaces[0] if scenario.replaces else "out"])
            if undone.code != 0:
                return [f"undo, as it said: {undone.said[-200:]}"]
        resume = scenario.resumes and "leave --resume out" not in again.said
    return [f"it never ends: {again.code}: {again.said[-300:]}"]


def undone(scenario, old):
    if not scenario.undoes:
        return []
    back = Run(["undo", scenario.undoes])
    if back.code != 0:
        return ["undo: " + back.said[-200:]]
    now = tree("w")
    return [] if below(now, scenario.undoes) == below(old, scenario.undoes) else ["undo: it is not what it was"]


def show(scenario, old, new, call, number, fault, how):
    prepare(scenario)
    inject = f"inject={call}:signal=KILL:when={number}" if fault == "KILL" else f"inject={call}:error={fault}:when={number}"
    run = Run(scenario.command, ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", inject])
    now, wrong = tree("w"), []
    wrong += halfway(scenario, old, new, now, run)
    if fault != "KILL":
        if run.code in (70, 101) or run.code < 0:
            wrong.append(f"exit code {run.code}: {run.said[-200:]}")
        if run.code != 0 and not run.said.strip():
            wrong.append(f"exit code {run.code} without a word")
        if run.code == 0 and steady(now) != steady(new) and not run.said.count("can't"):
            wrong.append("exit code 0 and another result, without a word")
    # As it says.
    for left in re.findall(r"warning: (\S+) can't be removed", run.said):
        os.remove(os.path.join("w", left))
    now = tree("w")
    if run.code == 0 and steady(now) == steady(new):
        return "ok", wrong + undone(scenario, old)
    wrong += go_on(scenario, new, how if scenario.resumes else "same")
    now = tree("w")
    if steady(now) != steady(new):
        differ = sorted(path for path in now.keys() | new.keys() if steady(now).get(path) != steady(new).get(path))
        wrong.append(f"another result than an undisturbed run: {differ[:5]}")
    return "killed" if fault == "KILL" else "failed", wrong + undone(scenario, old)


def main():
    random_ = random.Random(SEED)
    print(f"seed {SEED}")
    os.makedirs("before")
    points = []
    for scenario in [it for it in SCENARIOS if not ONLY or it.name in ONLY]:
        home = "before/" + scenario.name
        os.mkdir(home)
        make(home)
        for command in scenario.before:
            first = Run(command, cwd=home)
            assert first.code == 0, (command, first.said)
        prepare(scenario)
        old = tree("w")
        whole = Run(scenario.command)
        assert whole.code == 0, (scenario.name, whole.said)
        new, calls = tree("w"), counted(scenario)
        own = [(call, number) for call, count in calls.items() for number in range(1, count + 1)]
        weighty = [it for it in own if it[0] in WEIGHTY]
        for _ in range(max(1, POINTS // len(SCENARIOS if not ONLY else ONLY))):
            call, number = random_.choice(weighty if weighty and random_.random() < 0.85 else own)
            # Rust's library takes no error of closing a folder.
            faults = ["KILL"] if call == "close" else ["KILL", "KILL", "EIO", "ENOSPC"]
            points.append((scenario, old, new, call, number, random_.choice(faults), random_.choice(["resume", "same"])))
    bad, ends = 0, collections.Counter()
    for point in points:
        end, wrong = show(*point)
        ends[end] += 1
        if wrong:
            bad += 1
            scenario, _, _, call, number, fault, how = point
            print(f"{scenario.name}: {fault} at {call}#{number}, then {how}: " + " | ".join(wrong).replace("\n", " / "), flush=True)
    print(f"{len(points)} points: {dict(ends)}, {bad} of them wrong")
    sys.exit(1 if bad else 0)


with tempfile.TemporaryDirectory() as home:
    os.chdir(home)
    main()
