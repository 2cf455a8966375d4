"""A Postfix of one's own on loopback, for those who want it between the clients and a milter. It needs root."""
import os, shutil, socket, subprocess, tempfile, time

SERVICES = """cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    def __init__(self, relay, milters):
        """`milters` is smtpd_milters for each smtpd that there is to be."""
        self.folder = tempfile.mkdtemp(prefix="septet-postfix")
        os.chmod(self.folder, 0o755)
        for name in ("etc", "spool", "data", "log"):
            os.mkdir(self.path(name))
        shutil.chown(self.path("data"), "postfix")
        daemons = subprocess.run(["postconf", "-d", "-h", "daemon_directory"], capture_output=True, text=True, check=True).stdout.strip()
        with open(self.path("etc/main.cf"), "w") as file:
            file.write(f"""compatibility_level = 3.6
mail_owner = postfix
setgid_group = postdrop
queue_directory = {self.folder}/spool
data_directory = {self.folder}/data
daemon_directory = {daemons}
command_directory = /usr/sbin
maillog_file = {self.folder}/log/maillog
maillog_file_prefixes = {self.folder}
myhostname = mx.example
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = loopback-only
inet_protocols = ipv4
relayhost = [127.0.0.1]:{relay}
smtp_host_lookup = native
smtp_dns_support_level = disabled
smtp_tls_security_level = none
smtpd_peername_lookup = no
alias_maps =
alias_database =
local_recipient_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
local_header_rewrite_clients =
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
message_size_limit = 0
smtp_line_length_limit = 0
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
in_flow_delay = 0
milter_default_action = tempfail
""")
        self.ports = []
        with open(self.path("etc/master.cf"), "w") as file:
            for of in milters:
                self.ports.append(free_port())
                file.write(f"127.0.0.1:{self.ports[-1]} inet n - n - - smtpd\n  -o {{smtpd_milters={of}}}\n")
            file.write(SERVICES)
        self.run("start", check=True)
        for port in self.ports:
            wait_for(port)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, what, check=False):
        subprocess.run(["postfix", "-c", self.path("etc"), what], check=check, capture_output=True)

    def log(self):
        with open(self.path("log/maillog"), errors="replace") as log:
            return log.read()

    def stop(self):
        self.run("stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port():
    """A port below those that the system gives to connections."""
    for port in range(21000 + os.getpid() % 500, 30000):
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in free_port.given:
            free_port.given.add(port)
            return port


free_port.given = set()


def wait_for(port, seconds=30):
    for _ in range(seconds * 20):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nobody listens on {port}")
