-- Values of macros: the name that a client authenticated as is obeyed (the daemon skips such clients here), odd ones
-- harm nothing, and a name does not outlive its message.

local conn = connected()
mt.macro(conn, SMFIC_CONNECT, "j", "mx.example.org", "", "no name", "{daemon_name}", "")
client(conn)
mt.macro(conn, SMFIC_HELO, "", "")
mt.macro(conn, SMFIC_MAIL, "i", "4ABCDEF", "{auth_authen}", "alice", "{auth_type}", string.rep("x", 500))
must(mt.mailfrom(conn, "<alice@example.org>", "BODY=8BITMIME"), "mailfrom")
latin_header(conn)
must(mt.bodystring(conn, "caf\233\r\n"), "body")
finish(conn)
unchanged(conn)
mt.abort(conn)
mt.macro(conn, SMFIC_MAIL, "i", "4ABCDF0", "{auth_authen}", "")
changed_message(conn)
mt.disconnect(conn)
