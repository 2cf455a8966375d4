-- Edits of fields: equal names, raw 8-bit over several lines, an empty value, and no leading space where none is agreed on.

for _, steps in ipairs({ 0, 0x1fffff }) do
  local space = steps == 0 and "" or " "
  local conn = connected(6, 0x1ff, steps)
  client(conn)
  must(mt.mailfrom(conn, "<a@example.org>"), "mailfrom")
  must(mt.header(conn, "Subject", space .. "=?utf-7?Q?+ANw-ber?="), "header")
  must(mt.header(conn, "Comments", space .. "plain"), "header")
  must(mt.header(conn, "Comments", space .. "caf\195\169"), "header")
  must(mt.header(conn, "X-Empty", ""), "header")
  must(mt.header(conn, "X-Long", space .. string.rep("caf\195\169 ", 40)), "header")
  must(mt.header(conn, "X-Folded", space .. "one\n\tcaf\195\169\n two"), "header")
  must(mt.bodystring(conn, "text\r\n"), "body")
  finish(conn)
  for _, name in ipairs({ "Subject", "Comments", "X-Long", "X-Folded" }) do
    if not mt.eom_check(conn, MT_HDRCHANGE, name) then
      fail(name .. " was not changed")
    end
  end
  if mt.eom_check(conn, MT_HDRCHANGE, "X-Empty") or mt.eom_check(conn, MT_HDRDELETE) or mt.eom_check(conn, MT_BODYCHANGE) then
    fail("more was changed than that")
  end
  mt.disconnect(conn)
end
