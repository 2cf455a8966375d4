#!/usr/bin/env bash
# Exim 4.96 writes encoded-words that are too long, and does not decode them itself; and it cuts characters in two.
#
# One would guess that `${rfc2047:…}` makes words of 75 characters at most, and of whole ones (RFC 2047 §2, §5), and that
# `${rfc2047d:…}` undoes it.
# Seen: the first word of `日本語` nine times over has 84 characters, and is given back as it is; the second ends in half of a `語`.
# Needs: Debian 12 with apt, and root: Exim is unpacked, not installed, and finds its user in a list of users of its own. Exit code 0
# if it is as seen.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "this needs root" >&2; exit 2; }
"$(dirname "$0")/../.ci/packages" unshare=util-linux /usr/lib/x86_64-linux-gnu/libgnutls-dane.so.0=libgnutls-dane0 \
  /usr/lib/x86_64-linux-gnu/libidn2.so.0=libidn2-0 /usr/lib/x86_64-linux-gnu/libidn.so.12=libidn12
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download exim4-daemon-light >log 2>&1
dpkg -x exim4-daemon-light_*.deb .
sed '$aDebian-exim:x:65533:65533::/:/bin/false' /etc/passwd >passwd
sed '$aDebian-exim:x:65533:' /etc/group >group
printf 'keep_environment =\nprimary_hostname = x.example\n' >settings
expand() {
  unshare -m sh -c 'mount --bind passwd /etc/passwd && mount --bind group /etc/group && exec usr/sbin/exim4 -C "$0/settings" -be "$1"' \
    "$folder" "$1"
}
text=日本語日本語日本語日本語日本語日本語日本語日本語日本語
words=$(expand "\${rfc2047:$text}" | tr ' ' '\n')
first=${words%%$'\n'*} second=$(echo "$words" | sed -n 2p)
undone=$(expand "\${rfc2047d:\${rfc2047:$text}}")
echo "Exim $(dpkg-deb -f exim4-daemon-light_*.deb Version): ${#first} characters; $second; $undone"
[ "${#first}" = 84 ] && [[ $second == *'=E8=AA?=' ]] && [[ $undone == "$first "* ]]
