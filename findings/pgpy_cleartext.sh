#!/usr/bin/env bash
# PGPy 0.6.0 (PyPI) and GnuPG 2.2.40 find each other's signature bad for a text with the line `-- ` above a name, and PGPy takes what
# GnuPG signed for no signed text, if a letter in it isn't ASCII.
#
# One would guess that in the cleartext form, blanks at the ends of lines are left out of what is signed (RFC 4880 §7.1), and that
# a text in UTF-8 is one as good as another.
# Seen: PGPy counts the blanks, when it signs and when it verifies. Of `é`, signed by GnuPG, it says "No signatures to verify".
# Needs: python3 with venv and pip, and GnuPG. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" gpg=gpg gpg-agent=gpg-agent
folder=$(mktemp -d)
trap 'GNUPGHOME=$folder gpgconf --kill all; rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet PGPy==0.6.0
chmod 700 "$folder"
seen=$(GNUPGHOME=$folder "$folder/bin/python" -W ignore - <<'PYTHON'
import pgpy
import subprocess
from pgpy.constants import *

key = pgpy.PGPKey.new(PubKeyAlgorithm.RSAEncryptOrSign, 2048)
key.add_uid(pgpy.PGPUID.new("Ann", email="ann@x.example"), usage={KeyFlags.Sign}, hashes=[HashAlgorithm.SHA256],
            ciphers=[SymmetricKeyAlgorithm.AES256], compression=[CompressionAlgorithm.Uncompressed])


def gpg(command, given):
    return subprocess.run(["gpg", "--batch", "--quiet", command], input=given.encode(), capture_output=True)


gpg("--import", str(key))
for text in "Yes.\nAnn\n", "Yes.\n-- \nAnn\n", "Oui, été.\n":
    message = pgpy.PGPMessage.new(text, cleartext=True)
    message |= key.sign(message)
    by_gpg = gpg("--verify", str(message)).returncode == 0
    try:
        by_pgpy = bool(key.pubkey.verify(pgpy.PGPMessage.from_blob(gpg("--clearsign", text).stdout.decode())))
    except pgpy.errors.PGPError as fault:
        by_pgpy = fault
    print(f"{text!r}: good to GnuPG {by_gpg}, to PGPy {by_pgpy}")
PYTHON
)
echo "PGPy 0.6.0, $(gpg --version | head -1):" && echo "$seen"
[ "$seen" = "'Yes.\nAnn\n': good to GnuPG True, to PGPy True
'Yes.\n-- \nAnn\n': good to GnuPG False, to PGPy False
'Oui, été.\n': good to GnuPG True, to PGPy No signatures to verify" ]
