"""Peers that do harm: each comes, does one thing that no good peer does, and goes."""
import random, socket, struct, time

GARBAGE = b"".join(bytes([number]) for number in range(256)) * 40


def connect(port):
    stream = socket.create_connection(("127.0.0.1", port), timeout=10)
    return stream


def octet_by_octet(ports, choice):
    with connect(ports["smtp"]) as stream:
        for octet in b"EHLO slow.example\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\nSubject: x\r\n":
            stream.send(bytes([octet]))
            time.sleep(0.002)


def never_reads(ports, choice):
    with connect(ports["smtp"]) as stream:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.settimeout(2)
        for _ in range(2000):
            stream.send(b"EHLO deaf.example\r\nNOOP\r\nHELP\r\n" * 10)


def half_closed(ports, choice):
    with connect(ports[choice.choice(["smtp", "milter"])]) as stream:
        stream.sendall(b"EHLO half.example\r\n")
        stream.shutdown(socket.SHUT_WR)
        while stream.recv(4096):
            pass


def gone_in_content(ports, choice):
    with connect(ports["smtp"]) as stream:
        stream.sendall(b"EHLO gone.example\r\nMAIL FROM:<gone@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n")
        time.sleep(0.2)
        stream.sendall(b"Subject: gone\r\n\r\n" + b"x" * 60 * choice.randrange(1, 20000))


def smuggles(ports, choice):
    with connect(ports["smtp"]) as stream:
        stream.sendall(b"EHLO s.example\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n")
        time.sleep(0.2)
        stream.sendall(b"Subject: s\r\n\r\nx\n.\nMAIL FROM:<forged@example.org>\r\n\r.\r\n.\r\nQUIT\r\n")
        while stream.recv(4096):
            pass


def garbage(ports, choice):
    with connect(choice.choice(list(ports.values()))) as stream:
        stream.sendall(choice.randbytes(choice.randrange(1, 5000)) + GARBAGE)
        stream.recv(4096)


def huge_packet(ports, choice):
    with connect(ports["milter"]) as stream:
        stream.sendall(struct.pack(">I", choice.choice([0, 0xFFFFFFFF, 1 << 30, 1 << 20])) + b"O" + b"x" * 1000)
        stream.recv(4096)


def holds_content(ports, choice):
    with connect(ports["milter"]) as stream:
        stream.sendall(struct.pack(">IcIII", 13, b"O", 6, 0x1FF, 0x1FFFFF))
        stream.recv(100)
        for _ in range(100):
            stream.sendall(struct.pack(">I", 65536) + b"B" + b"y" * 65535)
        time.sleep(1)


def crowd(ports, choice):
    streams = [connect(ports[choice.choice(["smtp", "milter", "metrics"])]) for _ in range(150)]
    time.sleep(0.5)
    for stream in streams:
        stream.close()


def slow_loris(ports, choice):
    with connect(ports["metrics"]) as stream:
        for octet in b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 50:
            stream.send(bytes([octet]))
            time.sleep(0.05)


def odd_http(ports, choice):
    with connect(ports["metrics"]) as stream:
        stream.sendall(choice.choice([
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n" + b"x" * 5000,
            b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n", b"HEAD /status HTTP/1.0\r\n\r\n", b"GET /%00<script> HTTP/1.0\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]))
        while stream.recv(65536):
            pass


ALL = [octet_by_octet, never_reads, half_closed, gone_in_content, smuggles, garbage, huge_packet, holds_content, crowd, slow_loris,
       odd_http]


def bother(ports, book, over):
    choice = random.Random()
    while not over.is_set():
        try:
            choice.choice(ALL)(ports, choice)
        except OSError:
            pass
        book.count("hostile peers")
        time.sleep(choice.random() / 5)
