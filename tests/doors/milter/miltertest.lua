-- What an MTA that is not ours sees. `socket` comes from the command line.

local function must(failed, what)
  if failed ~= nil then
    error(what .. ": " .. failed)
  end
end

local conn = mt.connect(socket, 40, 0.05)
if conn == nil then
  error "no connection"
end
must(mt.negotiate(conn, nil, nil, nil), "negotiate")
if mt.test_action(conn, SMFIF_CHGBODY) ~= true or mt.test_action(conn, SMFIF_CHGHDRS) ~= true then
  error "it does not ask for what it needs"
end
if mt.test_action(conn, SMFIF_ADDRCPT) == true then
  error "it asks for what it does not need"
end
must(mt.conninfo(conn, "mx.example.org", "192.0.2.1"), "conninfo")
mt.macro(conn, SMFIC_MAIL, "i", "4ABCDEF")
must(mt.mailfrom(conn, "<a@example.org>", "BODY=8BITMIME"), "mailfrom")
must(mt.header(conn, "From", " a@example.org"), "header")
must(mt.header(conn, "MIME-Version", " 1.0"), "header")
must(mt.header(conn, "Content-Type", " text/plain; charset=iso-8859-1"), "header")
must(mt.header(conn, "Content-Transfer-Encoding", " 8bit"), "header")
must(mt.bodystring(conn, "caf\233\r\n"), "body")
must(mt.eom(conn), "end of message")
if mt.getreply(conn) ~= SMFIR_CONTINUE then
  error "the message was not let through"
end
-- miltertest compares the values of added fields alone: for a changed one the name has to do.
if not mt.eom_check(conn, MT_HDRCHANGE, "Content-Type") then
  error "the charset's name was not changed"
end
if not mt.eom_check(conn, MT_BODYCHANGE, "caf\195\169\r\n") then
  error "the body was not changed"
end
if mt.eom_check(conn, MT_HDRADD) or mt.eom_check(conn, MT_HDRDELETE) or mt.eom_check(conn, MT_QUARANTINE) then
  error "more was changed than that"
end
mt.disconnect(conn)
