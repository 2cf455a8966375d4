-- A message may be given up at every stage; nothing of it shows in the next one.

local conn = connected(6, 0x1ff, 0)
client(conn)

mt.abort(conn)

must(mt.mailfrom(conn, "<gone@example.org>"), "mailfrom")
mt.abort(conn)

must(mt.mailfrom(conn, "<gone@example.org>"), "mailfrom")
must(mt.rcptto(conn, "<b@example.org>"), "rcptto")
must(mt.data(conn), "data")
mt.abort(conn)

must(mt.mailfrom(conn, "<gone@example.org>"), "mailfrom")
must(mt.header(conn, "Subject", "=?utf-7?Q?+ANw-ber?="), "header")
mt.abort(conn)
plain_message(conn)

must(mt.mailfrom(conn, "<gone@example.org>"), "mailfrom")
latin_header(conn)
must(mt.bodystring(conn, "caf\233\r\n"), "body")
mt.abort(conn)
plain_message(conn)

changed_message(conn)
mt.abort(conn)
changed_message(conn)
mt.disconnect(conn)
