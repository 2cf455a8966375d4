#!/usr/bin/env bash
# Ruby 3.1, Time.rfc2822: the zone `CET` is taken for the military zone `C`, and `MEZ` for `M`.
#
# One would guess that a zone of three to five letters that is not known counts as -0000 (RFC 5322 §4.3), or that it is an
# error.
# Seen: `10:00:00 CET` is 07:00 in UTC, two hours off; `MEZ` is 22:00 of the day before, and `AEST` 09:00. `JST`, as no zone is
# called `J`, is an error; Time.parse, in the same file, goes on as if there were no zone, and DateTime.rfc2822 refuses it.
# Needs: Debian 12, and root if ruby is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby
seen=$(TZ=UTC ruby -rtime -e '
  %w[CET MEZ AEST JST].each do |zone|
    date = "Mon, 30 Nov 2026 10:00:00 #{zone}"
    parsed = [Time.method(:rfc2822), DateTime.method(:rfc2822), Time.method(:parse)].map do |read|
      read.(date).to_time.utc.strftime("%d %H:%M")
    rescue ArgumentError
      "-"
    end
    puts [zone, parsed].join(" ")
  end')
echo "Ruby $(ruby -e 'puts RUBY_VERSION'), Time.rfc2822, DateTime.rfc2822, Time.parse:" "${seen//$'\n'/; }"
[ "$seen" = 'CET 30 07:00 - 30 10:00
MEZ 29 22:00 - 30 10:00
AEST 30 09:00 - 30 10:00
JST - - 30 10:00' ]
