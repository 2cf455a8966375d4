"""An SMTP server for one purpose: STARTTLS, TLS from the first octet on, a login, and a server in the middle that says
more than it should.

usage: tls_server.py MODE CERTIFICATE KEY; it writes its port on the first line, then each command that it is told, with
`tls` or `plain` before it.

MODE: starttls, smtps, plain; inject (says a forged reply behind the one to STARTTLS, in plain text); broken (offers
STARTTLS and then speaks none). With `+auth` behind it, it wants AUTH PLAIN of user `relay`, password `secret`; with `+many`
it answers RCPT in thousands of lines; with `+helo` it refuses EHLO in TLS, and closes the connection.
"""
import base64, socket, ssl, sys, threading

mode, certificate, key = sys.argv[1:4]
mode, _, extra = mode.partition("+")
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
lock = threading.Lock()


def log(text):
    with lock:
        print(text, flush=True)


def serve(connection):
    tls = mode == "smtps"
    if tls:
        connection = context.wrap_socket(connection, server_side=True)
    lines = connection.makefile("rb")
    logged_in = extra != "auth"
    say = lambda text: connection.sendall(text.encode() + b"\r\n")
    say("220 tls.example ESMTP")
    while line := lines.readline():
        command = line.decode("utf-8", "replace").strip()
        log(("tls " if tls else "plain ") + command)
        verb = command.split(" ")[0].upper()
        if verb == "EHLO" and tls and extra == "helo":
            say("500 what")
            return
        elif verb == "EHLO":
            offered = ["8BITMIME", "SMTPUTF8" if tls else "SIZE 1000000"]
            offered += ["STARTTLS"] if mode in ("starttls", "inject", "broken") and not tls else []
            offered += ["AUTH PLAIN LOGIN"] if extra == "auth" else []
            connection.sendall("".join(f"250-{word}\r\n" for word in ["tls.example"] + offered).encode())
            say("250 HELP")
        elif verb == "STARTTLS" and mode == "broken":
            connection.sendall(b"220 go\r\nthis is no TLS at all\r\n")
            return
        elif verb == "STARTTLS" and mode != "plain":
            forged = b"250-forged\r\n250 SMTPUTF8\r\n" if mode == "inject" else b""
            connection.sendall(b"220 go\r\n" + forged)
            connection = context.wrap_socket(connection, server_side=True)
            lines, tls = connection.makefile("rb"), True
        elif verb == "AUTH":
            good = base64.b64encode(b"\0relay\0secret").decode()
            logged_in = command == f"AUTH PLAIN {good}"
            say("235 welcome" if logged_in else "535 5.7.8 no")
        elif verb == "MAIL":
            say("250 ok" if logged_in else "530 5.7.0 log in first")
        elif verb == "RCPT" and extra == "many":
            connection.sendall(b"250-x\r\n" * 15000)
            say("250 ok")
        elif verb == "DATA":
            say("354 go")
            while (line := lines.readline()) not in (b".\r\n", b""):
                log("content " + line.decode("utf-8", "replace").strip())
            log("end" if line else "cut")
            say("250 kept")
        elif verb == "QUIT":
            say("221 bye")
            return
        else:
            say("250 ok")


def guarded(connection):
    try:
        serve(connection)
    except OSError as error:
        log(f"error {error}")
    finally:
        connection.close()


server = socket.create_server(("127.0.0.1", 0))
log(server.getsockname()[1])
while True:
    threading.Thread(target=guarded, args=(server.accept()[0],), daemon=True).start()
