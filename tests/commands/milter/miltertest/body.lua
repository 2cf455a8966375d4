-- Bodies in pieces, cut anywhere, also between CR and LF; and no body at all.

local function changed_body(pieces, expected)
  local conn = connected()
  client(conn)
  must(mt.mailfrom(conn, "<a@example.org>", "BODY=8BITMIME"), "mailfrom")
  latin_header(conn)
  for _, piece in ipairs(pieces) do
    must(mt.bodystring(conn, piece), "body")
  end
  finish(conn)
  if not mt.eom_check(conn, MT_BODYCHANGE, expected) then
    fail("the new body is another one")
  end
  mt.disconnect(conn)
end

changed_body({ "caf", "\233", "\r", "\n", "x\r\n" }, "caf\195\169\r\nx\r\n")
changed_body({ "\r", "\n\r", "\n\233\r\n" }, "\r\n\r\n\195\169\r\n")

local pieces = {}
for number = 1, 30 do
  pieces[#pieces + 1] = "\233t\233 " .. number .. "\r"
  pieces[#pieces + 1] = "\n"
end
local expected = string.gsub(table.concat(pieces), "\233", "\195\169")
changed_body(pieces, expected)

local conn = connected()
client(conn)
must(mt.mailfrom(conn, "<a@example.org>"), "mailfrom")
must(mt.header(conn, "Subject", " =?utf-7?Q?+ANw-ber?="), "header")
finish(conn)
if not mt.eom_check(conn, MT_HDRCHANGE, "Subject") or mt.eom_check(conn, MT_BODYCHANGE) then
  fail("a message without a body")
end
mt.disconnect(conn)
