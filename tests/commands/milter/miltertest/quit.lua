-- An MTA that leaves, with and without QUIT, at every stage.

for _, polite in ipairs({ true, false }) do
  mt.disconnect(connected(), polite)

  local conn = connected()
  client(conn)
  mt.disconnect(conn, polite)

  conn = connected()
  client(conn)
  must(mt.mailfrom(conn, "<a@example.org>"), "mailfrom")
  latin_header(conn)
  mt.disconnect(conn, polite)

  conn = connected()
  client(conn)
  must(mt.mailfrom(conn, "<a@example.org>"), "mailfrom")
  latin_header(conn)
  must(mt.bodystring(conn, "caf\233\r\n"), "body")
  mt.disconnect(conn, polite)
end

local conn = connected()
client(conn)
changed_message(conn)
mt.disconnect(conn)
