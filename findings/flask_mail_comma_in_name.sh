#!/usr/bin/env bash
# Flask-Mail 0.10.0 (PyPI) loses the address of a sender whose name has a comma.
#
# One would guess that of the pair `("Smith, John", "j@x.example")` the first is a name and the second an address, as it is of a
# recipient.
# Seen: the message is sent from `Smith`, and its From is `Smith`: both are made one string without quotes, of which the first
# mailbox is taken. `Müller, Jörg` is an encoded-word alone. To is right.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet Flask-Mail==0.10.0 Flask==3.1.0
seen=$("$folder/bin/python" - <<'PYTHON'
import email

import flask
import flask_mail

app = flask.Flask("x")
flask_mail.Mail(app)
with app.app_context():
    for name in ("Smith, John", "Müller, Jörg"):
        message = flask_mail.Message("s", sender=(name, "j@x.example"), recipients=[(name, "j@x.example")], body="x")
        written = email.message_from_bytes(message.as_bytes())
        print(written["From"], written["To"], sep=" to ")
PYTHON
)
echo "Flask-Mail 0.10.0: ${seen/$'\n'/, }"
[ "$seen" = "Smith to =?utf-8?q?Smith=2C_John?= <j@x.example>
=?utf-8?q?M=C3=BCller?= to =?utf-8?b?TcO8bGxlciwgSsO2cmc=?= <j@x.example>" ]
