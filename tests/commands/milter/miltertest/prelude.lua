-- What every script begins with. `socket` comes from the command line.
--
-- Known limits: miltertest keeps a packet of the filter, and a field of its own, in 1,024 octets and crashes beyond
-- that. Long fields and bodies are for the dialogues and the real MTAs.

-- miltertest does not say what a script died of.
function fail(what)
  mt.echo(what)
  error(what)
end

function must(failed, what)
  if failed ~= nil then
    fail(what .. ": " .. failed)
  end
end

-- Connects and agrees on terms. miltertest takes steps before actions, whatever its manual says.
function connected(version, actions, steps)
  local conn = mt.connect(socket, 40, 0.05)
  if conn == nil then
    fail("no connection")
  end
  must(mt.negotiate(conn, version or 6, steps or 0x1fffff, actions or 0x1ff), "negotiate")
  return conn
end

-- Announces a client.
function client(conn, address)
  must(mt.conninfo(conn, "mx.example.org", address or "192.0.2.1"), "conninfo")
end

-- Sends the header of a text in ISO-8859-1.
function latin_header(conn)
  must(mt.header(conn, "From", " a@example.org"), "header")
  must(mt.header(conn, "MIME-Version", " 1.0"), "header")
  must(mt.header(conn, "Content-Type", " text/plain; charset=iso-8859-1"), "header")
  must(mt.header(conn, "Content-Transfer-Encoding", " 8bit"), "header")
end

-- Ends a message, which must be let through.
function finish(conn)
  must(mt.eom(conn), "end of message")
  if mt.getreply(conn) ~= SMFIR_CONTINUE then
    fail("the message was not let through: " .. string.char(mt.getreply(conn)))
  end
end

-- Sends a message that is changed, and sees that it is.
function changed_message(conn)
  must(mt.mailfrom(conn, "<a@example.org>", "BODY=8BITMIME"), "mailfrom")
  latin_header(conn)
  must(mt.bodystring(conn, "caf\233\r\n"), "body")
  finish(conn)
  if not mt.eom_check(conn, MT_HDRCHANGE, "Content-Type") or not mt.eom_check(conn, MT_BODYCHANGE, "caf\195\169\r\n") then
    fail("the message was not changed")
  end
end

-- Sends a message that needs no change, and sees that it gets none.
function plain_message(conn)
  must(mt.mailfrom(conn, "<a@example.org>"), "mailfrom")
  must(mt.header(conn, "Subject", " plain"), "header")
  must(mt.bodystring(conn, "plain\r\n"), "body")
  finish(conn)
  unchanged(conn)
end

function unchanged(conn)
  for _, what in ipairs({ MT_HDRADD, MT_HDRINSERT, MT_HDRCHANGE, MT_HDRDELETE, MT_BODYCHANGE, MT_QUARANTINE }) do
    if mt.eom_check(conn, what) then
      fail("something was changed")
    end
  end
end
