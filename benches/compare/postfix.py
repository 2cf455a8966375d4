"""A Postfix of our own, with settings and a queue in the temporary folder, on loopback ports alone."""

import os
import shutil
import socket
import time

from children import Failed
from install import Missing
from milter import wait_for

MAIN = """compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
daemon_directory = {daemons}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = compare.example
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
relayhost = [127.0.0.1]:{sink}
smtp_host_lookup = native
smtp_dns_support_level = disabled
smtp_tls_security_level = none
smtpd_peername_lookup = no
alias_maps =
alias_database =
local_recipient_maps =
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
default_process_limit = 100
milter_default_action = tempfail
"""

SERVICES = """pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """Its master as a process of ours, in whose group all of its own are."""

    def __init__(self, bench, sink, listeners):
        if os.geteuid() != 0:
            raise Missing("Postfix can only be started as root")
        self.bench = bench
        self.folder = os.path.join(bench.temporary, "postfix")
        self.ports = dict(zip(listeners, free_ports(len(listeners))))
        program = bench.peers.command("postfix", "postfix")
        settings = bench.peers.command("postconf", "postfix")
        daemons = bench.children.output([settings, "-d", "-h", "daemon_directory"])
        self.write(sink, listeners, daemons)
        bench.children.run([program, "-c", f"{self.folder}/etc", "check"])
        self.process = bench.children.start([f"{daemons}/master", "-d", "-c", f"{self.folder}/etc"])
        for port in self.ports.values():
            wait_for(("127.0.0.1", port), self.process)

    def write(self, sink, listeners, daemons):
        """Writes the settings."""
        for name in ("etc", "spool", "data"):
            os.makedirs(os.path.join(self.folder, name))
        shutil.chown(os.path.join(self.folder, "data"), "postfix")
        services = [f"127.0.0.1:{self.ports[name]} inet n - n - - smtpd\n"
                    + "".join(f"  -o {option}\n" for option in options) for name, options in listeners.items()]
        with open(os.path.join(self.folder, "etc", "main.cf"), "w", encoding="utf-8") as file:
            file.write(MAIN.format(folder=self.folder, sink=sink, daemons=daemons))
        with open(os.path.join(self.folder, "etc", "master.cf"), "w", encoding="utf-8") as file:
            file.write("".join(services) + SERVICES)

    def port(self, name):
        """Returns the port of a listener."""
        if name not in self.ports:
            raise Missing("its filter could not be started")
        return self.ports[name]

    def queued(self, *queues):
        """Counts the messages in some queues."""
        return sum(len(files) for queue in queues
                   for _, _, files in os.walk(os.path.join(self.folder, "spool", queue)))

    def wait_until_empty(self, seconds):
        """Waits until everything is delivered."""
        end = time.monotonic() + seconds
        while self.queued("maildrop", "incoming", "active"):
            if time.monotonic() > end:
                raise Failed(f"Postfix had not delivered all after {seconds} s")
            time.sleep(0.002)
        if deferred := self.queued("deferred"):
            shutil.rmtree(os.path.join(self.folder, "spool", "deferred"), ignore_errors=True)
            raise Failed(f"Postfix put off {deferred} messages")

    def stop(self):
        """Ends it."""
        self.bench.children.stop(self.process)


def free_ports(count):
    """Returns ports of loopback that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
